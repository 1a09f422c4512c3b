import { type FormEvent, useEffect, useRef } from 'react'
import type { SecondFactorPage } from '#shared/contract/light-page.ts'
import { CodeInput } from './CodeInput.tsx'
import { useApplicationName, useIsHydrated, useLight } from './light-page.tsx'
import { problemText } from './submit-login.ts'
import { ToApplication } from './ToApplication.tsx'
import { type FactorMode, useSecondFactor } from './use-second-factor.ts'

/** The second factor of a login. Without scripts it is one form for both kinds of code. */
export function SecondFactorCard({ page }: { page: SecondFactorPage }) {
  const { t, surroundings } = useLight()
  const live = useIsHydrated()
  const form = useRef<HTMLFormElement>(null)
  const { mode, problem, phase, choose, submit } = useSecondFactor(page, form)
  const application = useApplicationName(page.application)
  const heading = useRef<HTMLHeadingElement>(null)
  // A page shown in place has to be announced; if it has an input, focus that.
  useEffect(() => {
    if (mode === 'passkey') heading.current?.focus({ preventScroll: true })
  }, [mode])
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    void submit()
  }
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {t('second-factor.title')}
      </h1>
      {application && <ToApplication name={application} />}
      <p className="lead">{t(`second-factor.text-${mode}`)}</p>
      <form ref={form} method="post" action={page.action} noValidate={live} onSubmit={onSubmit}>
        <div className="alert" role="alert" id="step-problem" tabIndex={-1}>
          {problem && problemText(problem, surroundings)}
        </div>
        <input type="hidden" name="loginType" value="second-factor" />
        <input type="hidden" name="factor" value={mode === 'passkey' ? 'passkey' : 'typed'} />
        {page.service !== null && <input type="hidden" name="service" value={page.service} />}
        {mode !== 'passkey' && <StepField mode={mode} live={live} wrong={problem !== null} />}
        {page.step.trustDays > 0 && (
          <div className="row">
            <label className="check">
              <input type="checkbox" name="trust" value="true" />
              {t('second-factor.trust', { count: page.step.trustDays })}
            </label>
          </div>
        )}
        <button type="submit" className="button primary wide" aria-disabled={phase !== 'idle'}>
          <span aria-live="polite">{t(labelOf(phase, mode))}</span>
        </button>
      </form>
      <OtherFactors page={page} mode={mode} live={live} onChoose={choose} />
      <p className="after">
        <a href={page.back}>{t('second-factor.back')}</a>
      </p>
    </>
  )
}

function labelOf(phase: 'idle' | 'waiting' | 'sending' | 'opening', mode: FactorMode): string {
  if (phase === 'idle') return mode === 'passkey' ? 'second-factor.use-passkey' : 'second-factor.submit'
  return { waiting: 'second-factor.waiting', sending: 'second-factor.checking', opening: 'login.opening' }[phase]
}

type FieldProps = { mode: Exclude<FactorMode, 'passkey'>; live: boolean; wrong: boolean }

function StepField({ mode, live, wrong }: FieldProps) {
  const { t } = useLight()
  return (
    <div className="field">
      <label htmlFor="code">{t(mode === 'totp' ? 'second-factor.code' : 'second-factor.recovery-code')}</label>
      <div className="box">
        <CodeInput
          key={mode}
          className="input code"
          // Without scripts the field also takes recovery codes, which contain letters.
          inputMode={live && mode === 'totp' ? 'numeric' : 'text'}
          autoComplete={mode === 'totp' ? 'one-time-code' : 'off'}
          maxLength={40}
          // The one purpose of this page is to type here.
          autoFocus
          aria-describedby={wrong ? 'step-problem' : live ? undefined : 'code-hint'}
        />
      </div>
      {!live && (
        <p className="hint" id="code-hint">
          {t('second-factor.either')}
        </p>
      )}
    </div>
  )
}

type OtherProps = { page: SecondFactorPage; mode: FactorMode; live: boolean; onChoose(mode: FactorMode): void }

/** The alternatives; each needs scripts, without them the form takes both kinds of code. */
function OtherFactors({ page, mode, live, onChoose }: OtherProps) {
  const { t } = useLight()
  const { totp, passkey, recovery } = page.step
  const others: [FactorMode, boolean][] = [
    ['totp', totp],
    ['passkey', passkey !== null],
    ['recovery', recovery],
  ]
  const offered = others.filter(([other, has]) => has && other !== mode)
  if (!live || offered.length === 0) return null
  return (
    <>
      <p className="divider">{t('second-factor.other-methods')}</p>
      <ul className="login-methods">
        {offered.map(([other]) => (
          <li key={other}>
            <button type="button" className="button" onClick={() => onChoose(other)}>
              {t(`second-factor.method-${other}`)}
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
