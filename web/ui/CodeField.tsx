import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CodeSent } from '#shared/contract/verification-codes.ts'
import { whereToLook } from '#shared/rules/code-channels.ts'
import { extractCode } from '#shared/rules/verification-code.ts'
import { isRefusal } from '../platform/refusal.ts'
import { useCountdown } from '../platform/use-countdown.ts'
import { Field } from './Field.tsx'
import './code-field.css'

type Props = {
  value: string
  /** Identifies the countdown across reloads: the purpose, and the target where there are several. */
  countdown: string
  /** The server's or the form's error of the code. */
  error?: string | undefined
  label?: string
  /** Sends a code. Its refusals are shown here; null: not sent, and the page says why. */
  onSend: () => Promise<(Pick<CodeSent, 'secondsLeft'> & Partial<CodeSent>) | null>
  onChange: (value: string) => void
}

/**
 * A verification code and the button that sends one: a whole message may be pasted, the countdown comes from the
 * server.
 */
export function CodeField({ value, countdown, error, label, onSend, onChange }: Props) {
  const { t } = useTranslation()
  const sending = useSending(countdown, onSend)
  return (
    <Field label={label ?? t('code.label')} hint={sending.where || t('code.hint')} error={error ?? sending.refused}>
      {(aria) => (
        <span className="code-row">
          <input
            {...aria}
            className="input"
            type="text"
            inputMode="numeric"
            autoComplete="one-time-code"
            autoCapitalize="off"
            spellCheck={false}
            value={value}
            onChange={({ target, nativeEvent }) => {
              // Changing text during IME composition would duplicate it.
              const isComposing = (nativeEvent as InputEvent).isComposing
              onChange(isComposing ? target.value : extractCode(target.value))
            }}
            onCompositionEnd={({ currentTarget }) => onChange(extractCode(currentTarget.value))}
          />
          <button
            type="button"
            className="button code-send"
            aria-disabled={!sending.mayAsk}
            onClick={() => void sending.send()}
          >
            {sending.label}
          </button>
          <span className="visually-hidden" role="status">
            {sending.confirmation}
          </span>
        </span>
      )}
    </Field>
  )
}

const withMore = (text: string, more: string): string => (more === '' ? text : `${text} ${more}`)

type Sent = { wait: number; channels?: CodeSent['channels']; refused?: string }

/** The outcome of requesting a code; never throws. */
async function ask(onSend: Props['onSend'], unreachable: string): Promise<Sent> {
  try {
    const answer = await onSend()
    return { wait: answer?.secondsLeft ?? 0, channels: answer?.channels ?? [] }
  } catch (error) {
    if (!isRefusal(error)) return { wait: 0, refused: unreachable }
    const wait = error.code === 'verification-code.too-soon' ? (error.retryAfter ?? 0) : 0
    return { wait, refused: error.message }
  }
}

function useSending(countdown: string, onSend: Props['onSend']) {
  const { t } = useTranslation()
  const { secondsLeft, start } = useCountdown(countdown)
  const [sent, setSent] = useState<Sent | 'sending' | null>(null)
  const mayAsk = sent !== 'sending' && secondsLeft === 0
  const send = async () => {
    if (!mayAsk) return
    setSent('sending')
    const next = await ask(onSend, t('network.unreachable'))
    if (next.wait > 0) start(next.wait)
    setSent(next)
  }
  const answer = sent === 'sending' ? null : sent
  // Announced once: a countdown read out every second would drown everything else.
  const where = whereToLook(t, answer?.channels ?? [])
  const isSent = answer && !answer.refused && secondsLeft > 0
  const confirmation = isSent ? withMore(t('code.sent', { count: answer.wait }), where) : ''
  return { send, mayAsk, label: labelOf(t, sent, secondsLeft), confirmation, where, refused: answer?.refused }
}

function labelOf(t: TFunction, sent: Sent | 'sending' | null, secondsLeft: number): string {
  if (sent === 'sending') return t('code.sending')
  if (secondsLeft > 0) return t('code.again-in', { count: secondsLeft })
  return t(sent ? 'code.again' : 'code.send')
}
