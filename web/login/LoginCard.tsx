import { type FormEvent, type KeyboardEvent, useRef } from 'react'
import type { LoginPage } from '#shared/contract/light-page.ts'
import { CaptchaField } from './CaptchaField.tsx'
import { CodeField } from './CodeField.tsx'
import { LoginTypeSwitch } from './LoginTypeSwitch.tsx'
import { useApplicationName, useIsHydrated, useLight } from './light-page.tsx'
import { OtherLoginMethods } from './OtherLoginMethods.tsx'
import { PasskeyLogin } from './PasskeyLogin.tsx'
import { PasswordField } from './PasswordField.tsx'
import { RememberRow } from './RememberRow.tsx'
import { problemText } from './submit-login.ts'
import { UsernameField } from './UsernameField.tsx'
import { type Phase, useLogin } from './use-login.ts'

const LABELS: Record<Phase, string> = {
  idle: 'login.submit',
  checking: 'login.checking',
  sending: 'login.submitting',
  opening: 'login.opening',
  continuing: 'login.continuing',
}

/** The form posts by itself without script; with script it answers in place. */
export function LoginCard({ page }: { page: LoginPage }) {
  const { t, surroundings } = useLight()
  const live = useIsHydrated()
  const form = useRef<HTMLFormElement>(null)
  const login = useLogin(page, form)
  const application = useApplicationName(page.application)
  const { problem, missing, phase } = login
  const wrong = problem !== null
  const focused = page.username !== '' && login.type === page.type
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    void login.submit()
  }
  return (
    <>
      <h1>{t('login.title')}</h1>
      <p className="lead">
        {application ? (
          <>
            {t('login.to-application')} <strong>{application}</strong>
          </>
        ) : (
          t('login.to-portal')
        )}
      </p>
      <LoginTypeSwitch page={page} type={login.type} onChoose={login.chooseType} />
      <form
        ref={form}
        method="post"
        action={page.action}
        noValidate={live}
        onSubmit={onSubmit}
        onKeyDown={ignoreComposingEnter}
      >
        <div className="alert" role="alert" id="login-problem" tabIndex={-1}>
          {problem && problemText(problem, surroundings)}
        </div>
        <UsernameField page={page} type={login.type} missing={missing === 'username'} wrong={wrong} />
        {login.type === 'captcha' ? (
          <>
            <CodeField
              form={form}
              missing={missing === 'code'}
              wrong={wrong}
              focused={focused}
              onNoTarget={login.tellNoTarget}
            />
            <input type="hidden" name="loginType" value="captcha" />
          </>
        ) : (
          <PasswordField missing={missing === 'password'} wrong={wrong} focused={focused} />
        )}
        {page.service !== null && <input type="hidden" name="service" value={page.service} />}
        <CaptchaField demand={login.demand} missing={missing} onSwitch={login.switchCaptcha} />
        <RememberRow page={page} />
        <button type="submit" className="button primary wide" aria-disabled={phase !== 'idle'}>
          <span aria-live="polite">{t(LABELS[phase])}</span>
        </button>
      </form>
      {page.passkey && <PasskeyLogin page={page} form={form} />}
      <OtherLoginMethods page={page} />
    </>
  )
}

/** Enter that ends the composing of a Chinese word is not meant for the form. */
function ignoreComposingEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter' && (event.nativeEvent.isComposing || event.keyCode === 229)) event.preventDefault()
}
