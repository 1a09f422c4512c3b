import { type RefObject, useEffect, useRef, useState } from 'react'
import type { CaptchaKind } from '#shared/contract/captcha.ts'
import type { LoginPage, LoginType } from '#shared/contract/light-page.ts'
import { STORAGE_KEYS, writeCookie } from '../platform/browser-storage.ts'
import { randomUuid } from '../platform/signing.ts'
import { type SolvedCaptcha, solveProofOfWork } from '../platform/solve-proof-of-work.ts'
import { useLight } from './light-page.tsx'
import { announceLogin, onLoginInOtherTab } from './login-signal.ts'
import { toSecondFactorPage, toSessionLimitPage } from './second-factor-page.ts'
import { type LoginAnswer, type Problem, submitLogin } from './submit-login.ts'

export type Phase = 'idle' | 'checking' | 'sending' | 'opening' | 'continuing'
export type MissingField = 'username' | 'password' | 'code' | 'picture' | 'slider' | null
export type CaptchaDemand = { kind: CaptchaKind; pictureId: string } | null

type LoginFormState = {
  type: LoginType
  phase: Phase
  problem: Problem | null
  missing: MissingField
  demand: CaptchaDemand
}

/** The first empty field, in form order. */
function findMissingField(form: FormData, demand: CaptchaDemand): MissingField {
  const empty = (name: string) => String(form.get(name) ?? '').trim() === ''
  if (empty('username')) return 'username'
  if (form.get('password') === '') return 'password'
  if (form.has('code') && empty('code')) return 'code'
  if (demand?.kind === 'picture' && empty('captcha')) return 'picture'
  if (demand?.kind === 'slider' && empty('captcha')) return 'slider'
  return null
}

/** The login form with scripts: from an attempt to its answer, and logins in another tab. */
export function useLogin(page: LoginPage, form: RefObject<HTMLFormElement | null>) {
  const { surroundings, show } = useLight()
  const [state, setState] = useState<LoginFormState>({
    type: page.type,
    phase: 'idle',
    problem: page.error && { key: `errors.${page.error.code}`, params: page.error.params },
    missing: null,
    demand: page.captcha,
  })
  const change = (changes: Partial<LoginFormState>) => setState((before) => ({ ...before, ...changes }))
  const busy = useRef(false)

  useOtherTabs(page, form, busy, change)
  useFocusOnProblem(state, form)

  const submit = async () => {
    if (busy.current || !form.current) return
    const data = new FormData(form.current)
    const missing = findMissingField(data, state.demand)
    if (missing) return change({ missing, problem: null })
    busy.current = true
    change({ phase: 'sending', missing: null, problem: null })
    const answer = await attemptLogin(page.action, data, state.demand, surroundings.language, (phase) =>
      change({ phase }),
    )
    if (answer.done || answer.step || answer.sessionLimit) writeCookie(STORAGE_KEYS.loginType, state.type)
    handleAnswer(answer)
  }
  const handleAnswer = (answer: LoginAnswer) => {
    if (answer.done) {
      announceLogin()
      change({ phase: 'opening' })
      return location.assign(answer.redirectUrl)
    }
    busy.current = false
    if (answer.step) return show(toSecondFactorPage(page, answer.step))
    if (answer.sessionLimit) return show(toSessionLimitPage(page, answer.sessionLimit))
    if (answer.retype) clearSecret(form.current)
    change({ phase: 'idle', problem: answer.problem, demand: nextDemand(state.demand, answer.captcha) })
  }
  const switchCaptcha = (kind: CaptchaKind) => change({ demand: { kind, pictureId: randomUuid() }, missing: null })
  const chooseType = (type: LoginType) => {
    change({ type, problem: null, missing: null })
    form.current?.querySelector<HTMLElement>('#username')?.focus()
  }
  const tellNoTarget = () => change({ missing: 'username', problem: null })
  return { ...state, submit, switchCaptcha, chooseType, tellNoTarget }
}

/** Every captcha is valid once, right or wrong: a refusal brings a new one. */
function nextDemand(before: CaptchaDemand, kind: CaptchaKind | null | undefined): CaptchaDemand {
  const next = kind === undefined ? before?.kind : kind
  return next ? { kind: next, pictureId: randomUuid() } : null
}

async function attemptLogin(
  action: string,
  data: FormData,
  demand: CaptchaDemand,
  language: Parameters<typeof submitLogin>[2],
  onPhase: (phase: Phase) => void,
): Promise<LoginAnswer> {
  const send = async (solve: boolean): Promise<LoginAnswer> => {
    const fields = new URLSearchParams([...data].map(([name, value]) => [name, String(value)]))
    if (solve) {
      onPhase('checking')
      const solved = await solveProofOfWork().catch(() => null)
      if (solved) addCaptcha(fields, solved)
    }
    onPhase('sending')
    return submitLogin(action, fields, language)
  }
  const answer = await send(demand?.kind === 'proof-of-work')
  // First demanded now, or expired: solved without the person.
  const automatic = !answer.done && answer.captcha === 'proof-of-work' && answer.code.includes('captcha')
  return automatic ? send(true) : answer
}

function addCaptcha(fields: URLSearchParams, { captchaId, captcha }: SolvedCaptcha): void {
  fields.set('captchaId', captchaId)
  fields.set('captcha', captcha)
}

function clearSecret(form: HTMLFormElement | null): void {
  for (const secret of form?.querySelectorAll<HTMLInputElement>('#password, #code') ?? []) secret.value = ''
}

function useOtherTabs(
  page: LoginPage,
  form: RefObject<HTMLFormElement | null>,
  busy: RefObject<boolean>,
  change: (changes: Partial<LoginFormState>) => void,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `change` only sets state.
  useEffect(() => {
    const stop = onLoginInOtherTab(() => {
      // With `renew` the application wants this very person to log in again.
      if (busy.current || /[?&]renew=/.test(page.action)) return
      busy.current = true
      change({ phase: 'continuing', problem: null, missing: null })
      location.assign(page.action)
    })
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      busy.current = false
      clearSecret(form.current)
      change({ phase: 'idle' })
    }
    addEventListener('pageshow', onShow)
    return () => {
      stop()
      removeEventListener('pageshow', onShow)
    }
  }, [page.action])
}

/** The field to be filled in (again); without one the message itself. */
function elementToFocus(
  form: HTMLFormElement | null,
  { problem, missing, demand }: LoginFormState,
): HTMLElement | null {
  const find = (selector: string) => form?.querySelector<HTMLInputElement>(selector) ?? null
  if (missing === 'username' || missing === 'password' || missing === 'code') return find(`#${missing}`)
  if (missing === 'picture') return find('#captcha')
  if (missing === 'slider') return find('.handle')
  if (!problem) return null
  const secret = find('#password') ?? find('#code')
  if (secret?.value === '') return secret
  return demand?.kind === 'picture' ? find('#captcha') : find('.alert')
}

function useFocusOnProblem(state: LoginFormState, form: RefObject<HTMLFormElement | null>): void {
  const first = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new demand alone moves nothing.
  useEffect(() => {
    if (!first.current) elementToFocus(form.current, state)?.focus()
    first.current = false
  }, [state.problem, state.missing])
}
