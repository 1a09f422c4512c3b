import { useTranslation } from 'react-i18next'
import type { Sending } from '#shared/contract/message-log.ts'
import type { MessageChannel } from '#shared/contract/message-routes.ts'
import { StateWord, type Tone } from '../../ui/StateWord.tsx'
import { useDeliverySentence } from '../../ui/use-delivery-sentence.ts'

const TONES: Readonly<Record<Sending['state'], Tone>> = {
  pending: 'caution',
  sent: 'well',
  failed: 'danger',
  expired: 'quiet',
}

/** What became of a message on one channel: in words, with the vendor's code, and which channel took over. */
export function MessageState({ sending, next = null }: { sending: Sending; next?: MessageChannel | null }) {
  const { t } = useTranslation()
  const { state } = sending
  const sentence = useDeliverySentence(sending)
  return (
    <span className="record-words">
      <StateWord tone={TONES[state]}>{t(`message-log.state.${state}`)}</StateWord>
      {state !== 'sent' && sentence && <span>{sentence}</span>}
      {next && <span>{t('message-log.next', { channel: t(`message-channel.${next}`) })}</span>}
    </span>
  )
}
