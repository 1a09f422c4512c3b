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

/** The vendors whose codes have sentences. Both prefixes are spelled out: the build loads the messages that it finds so. */
function sentenceOf({ channel, reason, code }: Sending): string | null {
  if (reason === null) return null
  const plain = translateOr(`message-reason.${reason}`, 'message-reason.rejected')
  if (channel === 'wecom') return translateOr(`vendor-fault.qywx.${code}`, plain)
  if (channel === 'dingtalk') return translateOr(`vendor-fault.dingding.${code}`, plain)
  return plain
}

/** What became of a message on one channel: in words, with the vendor's code, and which channel took over. */
export function MessageState({ sending, next = null }: { sending: Sending; next?: MessageChannel | null }) {
  const { t } = useTranslation()
  const { state, code } = sending
  const sentence = state === 'sent' ? null : sentenceOf(sending)
  return (
    <span className="record-words">
      <StateWord tone={TONES[state]}>{t(`message-log.state.${state}`)}</StateWord>
      {sentence && (
        <span>
          {sentence}
          {code && ` (${code})`}
        </span>
      )}
      {next && <span>{t('message-log.next', { channel: t(`message-channel.${next}`) })}</span>}
    </span>
  )
}
