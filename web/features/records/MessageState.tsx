import { useTranslation } from 'react-i18next'
import type { Sending } from '#shared/contract/message-log.ts'
import type { MessageChannel } from '#shared/contract/message-routes.ts'
import { translateOr } from '../../platform/i18n.ts'
import { StateWord, type Tone } from '../../ui/StateWord.tsx'

const TONES: Readonly<Record<Sending['state'], Tone>> = {
  pending: 'caution',
  sent: 'well',
  failed: 'danger',
  expired: 'quiet',
}

/** The vendors whose codes have sentences. */
const VENDORS: Partial<Record<MessageChannel, string>> = { wecom: 'qywx', dingtalk: 'dingding' }

function useSentence({ channel, reason, code }: Sending): string | null {
  const { t, i18n } = useTranslation()
  if (reason === null) return null
  const ofCode = `vendor-fault.${VENDORS[channel]}.${code}`
  return i18n.exists(ofCode) ? t(ofCode as never) : translateOr(`message-reason.${reason}`, 'message-reason.rejected')
}

/** What became of a message on one channel: in words, with the vendor's code, and which channel took over. */
export function MessageState({ sending, next = null }: { sending: Sending; next?: MessageChannel | null }) {
  const { t } = useTranslation()
  const { state, code } = sending
  const sentence = useSentence(sending)
  return (
    <span className="record-words">
      <StateWord tone={TONES[state]}>{t(`message-log.state.${state}`)}</StateWord>
      {state !== 'sent' && sentence && (
        <span>
          {sentence}
          {code && ` (${code})`}
        </span>
      )}
      {next && <span>{t('message-log.next', { channel: t(`message-channel.${next}`) })}</span>}
    </span>
  )
}
