import { type RefObject, useEffect, useRef, useState } from 'react'
import type { SecondFactorPage } from '#shared/contract/light-page.ts'
import { useIsHydrated, useLight } from './light-page.tsx'
import { announceLogin, onLoginInOtherTab } from './login-signal.ts'
import { toSessionLimitPage } from './second-factor-page.ts'
import { type LoginAnswer, type Problem, submitLogin } from './submit-login.ts'
import { loadPasskeys } from './use-passkey.ts'

export type FactorMode = 'totp' | 'passkey' | 'recovery'
type Phase = 'idle' | 'waiting' | 'sending' | 'opening'
type State = { chosen: FactorMode | null; phase: Phase; problem: Problem | null }

const EXPIRED_CODE = 'sign-in.second-factor-expired'

/** The second factor with scripts. */
export function useSecondFactor(page: SecondFactorPage, form: RefObject<HTMLFormElement | null>) {
  const { surroundings, show } = useLight()
  const live = useIsHydrated()
  const [state, setState] = useState<State>({
    chosen: null,
    phase: 'idle',
    problem: page.error && { key: `errors.${page.error.code}`, params: page.error.params },
  })
  const change = (changes: Partial<State>) => setState((before) => ({ ...before, ...changes }))
  const { step } = page
  // Without scripts codes are typed.
  const first: FactorMode = step.totp ? 'totp' : step.passkey && live ? 'passkey' : 'recovery'
  const mode = state.chosen ?? first
  const { problem } = state
  const isFirst = useRef(true)
  useEffect(() => {
    const place =
      form.current?.querySelector<HTMLElement>('#code') ?? form.current?.querySelector<HTMLElement>('.alert')
    if (!isFirst.current && problem) place?.focus()
    isFirst.current = false
  }, [problem, form])

  // Logged in by another tab: with that session, this page's address leads on.
  useEffect(() => onLoginInOtherTab(() => location.assign(page.action)), [page.action])

  const fields = async (data: FormData): Promise<URLSearchParams | Problem> => {
    const given = new URLSearchParams([...data].map(([name, value]) => [name, String(value)]))
    if (mode !== 'passkey') return given.get('code')?.trim() ? given : { key: 'second-factor.missing' }
    change({ phase: 'waiting', problem: null })
    const { askForPasskey } = await loadPasskeys()
    const answer = await askForPasskey({ purpose: 'second-factor', allow: step.passkey?.allow ?? [] }).catch(() => null)
    if (answer === null) return { key: 'second-factor.no-passkey' }
    given.set('code', answer)
    return given
  }
  const handleAnswer = (answer: LoginAnswer) => {
    if (answer.done) {
      announceLogin()
      change({ phase: 'opening' })
      return location.assign(answer.redirectUrl)
    }
    if (answer.sessionLimit) return show(toSessionLimitPage(page, answer.sessionLimit))
    const code = form.current?.querySelector<HTMLInputElement>('#code')
    // The pending login has expired. Submitted natively, the form is answered by the login page, which says so.
    if (answer.code === EXPIRED_CODE) return code ? form.current?.submit() : location.assign(page.back)
    if (code && answer.retype) code.value = ''
    change({ phase: 'idle', problem: answer.problem })
  }
  const submit = async () => {
    if (state.phase !== 'idle' || !form.current) return
    const given = await fields(new FormData(form.current))
    if (!(given instanceof URLSearchParams)) return change({ phase: 'idle', problem: given })
    change({ phase: 'sending', problem: null })
    handleAnswer(await submitLogin(page.action, given, surroundings.language))
  }
  const choose = (chosen: FactorMode) => change({ chosen, problem: null })
  return { mode, problem, phase: state.phase, choose, submit }
}
