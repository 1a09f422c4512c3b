import { type ClipboardEvent, type RefObject, useState } from 'react'
import type { CodeSent } from '#shared/contract/verification-codes.ts'
import { whereToLook } from '#shared/rules/code-channels.ts'
import { extractCode } from '#shared/rules/verification-code.ts'
import { useCountdown } from '../platform/use-countdown.ts'
import { CodeInput } from './CodeInput.tsx'
import { useIsHydrated, useLight } from './light-page.tsx'

type Props = {
  form: RefObject<HTMLFormElement | null>
  missing: boolean
  wrong: boolean
  focused: boolean
  /** The field above is empty. */
  onNoTarget(): void
}

/** The code and the button that sends one. Sending needs a script; entering a code does not. */
export function CodeField({ form, missing, wrong, focused, onNoTarget }: Props) {
  const { t } = useLight()
  const live = useIsHydrated()
  const sending = useSendCode(form, onNoTarget)
  const problem = missing ? t('code.missing') : sending.refused
  const described = [problem ? 'code-problem' : 'code-hint', wrong && 'login-problem'].filter(Boolean).join(' ')
  /** A whole message may be pasted; the server parses typed input, so no keystroke is dropped. */
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    event.preventDefault()
    event.currentTarget.value = extractCode(event.clipboardData.getData('text'))
  }
  return (
    <div className="field">
      <label htmlFor="code">{t('code.label')}</label>
      <div className="code-row">
        <CodeInput
          className="input"
          maxLength={200}
          // After a refusal the number stands, and the code is what is left to type.
          autoFocus={focused}
          aria-invalid={missing || undefined}
          aria-describedby={described}
          onPaste={paste}
        />
        {live && (
          <button
            type="button"
            className="button code-send"
            aria-disabled={!sending.mayAsk}
            onClick={() => void sending.send()}
          >
            {sending.label}
          </button>
        )}
      </div>
      <noscript>
        <p className="hint">{t('login.code-needs-script')}</p>
      </noscript>
      <p className={problem ? 'hint wrong' : 'hint'} id={problem ? 'code-problem' : 'code-hint'}>
        {problem || sending.where || t('code.hint')}
      </p>
      <span className="unseen" role="status">
        {sending.told}
      </span>
    </div>
  )
}

const withMore = (text: string, more: string): string => (more === '' ? text : `${text} ${more}`)

const NOTHING_SENT = { phase: 'new', told: '', refused: '', channels: [] as CodeSent['channels'] }

function useSendCode(form: RefObject<HTMLFormElement | null>, onNoTarget: () => void) {
  const { t } = useLight()
  const { secondsLeft, start } = useCountdown('login')
  const [state, setState] = useState(NOTHING_SENT)
  const where = whereToLook(t, state.channels)
  const mayAsk = state.phase !== 'sending' && secondsLeft === 0
  const send = async () => {
    const target = form.current?.querySelector<HTMLInputElement>('#username')?.value.trim() ?? ''
    if (!mayAsk) return
    if (target === '') return onNoTarget()
    setState({ ...NOTHING_SENT, phase: 'sending' })
    // Loaded on demand, because the signing code is large.
    const {
      secondsLeft: wait,
      refused,
      channels,
    } = await import('./request-code.ts')
      .then(({ requestCode }) => requestCode(target))
      .catch(({ name }: Error) => ({
        secondsLeft: 0,
        channels: [],
        refused: t(name === 'TimeoutError' ? 'login.gateway-timeout' : 'login.unreachable'),
      }))
    if (wait > 0) start(wait)
    // Announced once: a countdown read out every second would drown everything else.
    const told = refused || t('code.sent', { count: wait })
    setState({ phase: refused ? 'new' : 'sent', refused, told, channels })
    if (!refused) form.current?.querySelector<HTMLInputElement>('#code')?.focus()
  }
  const label = () => {
    if (state.phase === 'sending') return t('code.sending')
    if (secondsLeft > 0) return t('code.again-in', { count: secondsLeft })
    return t(state.phase === 'sent' ? 'code.again' : 'code.send')
  }
  const { told, refused } = state
  return { send, mayAsk, label: label(), told: withMore(told, where), refused, where }
}
