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

/** The vendors, with those of their codes that mean the same for a message as for a login. */
const VENDORS: Partial<Record<MessageChannel, { name: string; codes: readonly string[] }>> = {
  wecom: {
    name: 'qywx',
    codes: ['-1', '301002', '40013', '40056', '45009', '45033', '48002', '50003', '60020', '60111', '81013'],
  },
  dingtalk: {
    name: 'dingding',
    codes: ['-1', '143103', '143104', '143105', '143106', '33012', '40056', '60020', '60121', '90002', '90018'],
  },
}

function useSentence({ channel, reason, code }: Sending): string | null {
  const { t, i18n } = useTranslation()
  if (reason === null) return null
  const vendor = VENDORS[channel]
  const isShared = code !== null && vendor?.codes.includes(code)
  const ofCode = isShared ? `vendor-fault.${vendor?.name}.${code}` : `message-fault.${channel}.${code}`
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
