import { type RefObject, useEffect, useRef, useState } from 'react'
import type { LoginPage } from '#shared/contract/light-page.ts'
import { useLight } from './light-page.tsx'
import { announceLogin } from './login-signal.ts'
import { toSessionLimitPage } from './second-factor-page.ts'
import { type LoginAnswer, type Problem, submitLogin } from './submit-login.ts'

/** Loaded on demand: most people type. */
export const loadPasskeys = () => import('../platform/passkeys.ts')

/** Before the challenge of a suggestion expires. */
const RENEW_AFTER_MS = 4 * 60_000

/** Options in the form, such as `rememberMe`, apply to every login method. */
function toLoginFields(form: HTMLFormElement | null, passkey: string): URLSearchParams {
  const fields = new URLSearchParams({ loginType: 'passkey', passkey })
  for (const box of form?.querySelectorAll<HTMLInputElement>('input[type=checkbox]:checked') ?? []) {
    fields.set(box.name, box.value)
  }
  return fields
}

/** A login by passkey: by the button, or from the suggestions of the user name field. */
export function usePasskey(page: LoginPage, form: RefObject<HTMLFormElement | null>) {
  const { surroundings, show } = useLight()
  const [state, setState] = useState<{ busy: boolean; problem: Problem | null }>({ busy: false, problem: null })
  const { language } = surroundings
  const handleAnswer = (answer: LoginAnswer): void => {
    if (answer.done) {
      announceLogin()
      location.assign(answer.redirectUrl)
    } else if (answer.sessionLimit) show(toSessionLimitPage(page, answer.sessionLimit))
    else setState({ busy: false, problem: answer.problem })
  }
  const latest = useRef({ settle: handleAnswer, language })
  latest.current = { settle: handleAnswer, language }

  useEffect(() => {
    const suggestion = startSuggestions(async (passkey) => {
      setState({ busy: true, problem: null })
      const { language: spoken } = latest.current
      latest.current.settle(await submitLogin(page.action, toLoginFields(form.current, passkey), spoken))
    })
    return suggestion.stop
  }, [page.action, form])

  const ask = async () => {
    if (state.busy) return
    setState({ busy: true, problem: null })
    const { askForPasskey } = await loadPasskeys()
    const passkey = await askForPasskey({ purpose: 'login' }).catch(() => null)
    if (passkey === null) return setState({ busy: false, problem: { key: 'second-factor.no-passkey' } })
    handleAnswer(await submitLogin(page.action, toLoginFields(form.current, passkey), language))
  }
  return { ...state, ask }
}

/** Offers passkeys among the suggestions of the user name field, where the browser supports that. */
function startSuggestions(act: (passkey: string) => Promise<void>): { stop(): void } {
  let isOver = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const begin = async (): Promise<void> => {
    const { askForPasskey, supportsSuggestions } = await loadPasskeys()
    if (isOver || !(await supportsSuggestions())) return
    // The next request ends this one.
    timer = setTimeout(() => void begin(), RENEW_AFTER_MS)
    const passkey = await askForPasskey({ purpose: 'login', asSuggestion: true }).catch(() => null)
    if (passkey !== null && !isOver) await act(passkey)
  }
  void begin()
  const stop = () => {
    isOver = true
    clearTimeout(timer)
    void loadPasskeys().then(({ stopAsking }) => stopAsking())
  }
  return { stop }
}
