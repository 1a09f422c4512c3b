import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { SessionLimitPage } from '#shared/contract/light-page.ts'
import type { SessionLimitStep } from '#shared/contract/sign-in.ts'
import { languageTag } from '#shared/rules/format-message.ts'
import { useApplicationName, useLight } from './light-page.tsx'
import { announceLogin } from './login-signal.ts'
import { toSessionLimitPage } from './second-factor-page.ts'
import { type LoginAnswer, type Problem, problemText, submitLogin } from './submit-login.ts'
import { ToApplication } from './ToApplication.tsx'

type State = { phase: 'idle' | 'sending' | 'opening'; problem: Problem | null }

const EXPIRED_CODE = 'sign-in.second-factor-expired'

/** The login limit is reached: the person chooses which logins end. Those unused for longest are preselected. */
export function SessionLimitCard({ page }: { page: SessionLimitPage }) {
  const { t, surroundings, show } = useLight()
  const [{ phase, problem }, setState] = useState<State>({ phase: 'idle', problem: null })
  const form = useRef<HTMLFormElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const application = useApplicationName(page.application)
  const { sessionLimit } = page
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  const handleAnswer = (answer: LoginAnswer) => {
    if (answer.done) {
      announceLogin()
      setState({ phase: 'opening', problem: null })
      return location.assign(answer.redirectUrl)
    }
    if (answer.sessionLimit) show(toSessionLimitPage(page, answer.sessionLimit))
    // The pending login has expired. Submitted natively, the form is answered by the login page, which says so.
    if (answer.code === EXPIRED_CODE) return form.current?.submit()
    setState({ phase: 'idle', problem: answer.problem })
  }
  const submit = async () => {
    if (phase !== 'idle' || !form.current) return
    const fields = new URLSearchParams([...new FormData(form.current)].map(([name, value]) => [name, String(value)]))
    if (fields.getAll('ends').length < sessionLimit.toEnd)
      return setState({
        phase: 'idle',
        problem: { key: 'session-limit.too-few', params: { count: sessionLimit.toEnd } },
      })
    setState({ phase: 'sending', problem: null })
    handleAnswer(await submitLogin(page.action, fields, surroundings.language))
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    void submit()
  }
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {t('session-limit.title')}
      </h1>
      {application && <ToApplication name={application} />}
      <p className="lead">{t('session-limit.text', { count: sessionLimit.most })}</p>
      <form ref={form} method="post" action={page.action} onSubmit={onSubmit}>
        <div className="alert" role="alert" tabIndex={-1}>
          {problem && problemText(problem, surroundings)}
        </div>
        <input type="hidden" name="loginType" value="end-sessions" />
        {page.service !== null && <input type="hidden" name="service" value={page.service} />}
        <fieldset className="session-limit">
          <legend>{t('session-limit.choose', { count: sessionLimit.toEnd })}</legend>
          <SessionLimitList sessionLimit={sessionLimit} />
        </fieldset>
        <button type="submit" className="button primary wide" aria-disabled={phase !== 'idle'}>
          <span aria-live="polite">
            {t({ idle: 'session-limit.submit', sending: 'session-limit.sending', opening: 'login.opening' }[phase])}
          </span>
        </button>
      </form>
      <p className="after">
        <a href={page.back}>{t('session-limit.back')}</a>
      </p>
    </>
  )
}

function SessionLimitList({ sessionLimit: { logins, toEnd } }: { sessionLimit: SessionLimitStep }) {
  const { t, surroundings } = useLight()
  const { language, languages } = surroundings
  // The browser takes the first whose months it knows.
  const tags = [language, languages.find(({ code }) => code === language)?.fallback ?? language]
  const time = new Intl.DateTimeFormat(tags.map(languageTag), {
    dateStyle: 'medium',
    timeStyle: 'short',
  })
  return (
    <ul>
      {logins.map(({ id, browser, device, ip, lastSeen }, at) => (
        <li key={id}>
          <label className="check">
            <input type="checkbox" name="ends" value={id} defaultChecked={at < toEnd} />
            <span>
              <span>{[browser, device].filter(Boolean).join(' · ') || t('session-limit.unknown')}</span>
              <span className="hint">
                {ip}
                {' · '}
                <span suppressHydrationWarning>
                  {t('session-limit.last-seen', { time: time.format(new Date(lastSeen)) })}
                </span>
              </span>
            </span>
          </label>
        </li>
      ))}
    </ul>
  )
}
