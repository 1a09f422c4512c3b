import { type FormEvent, Fragment, type KeyboardEvent, type ReactNode, type RefObject, useRef } from 'react'
import type { LoginPage } from '#shared/contract/light-page.ts'
import type { LoginBlock, LoginPageSetup } from '#shared/contract/login-page.ts'
import { Banner } from './Banner.tsx'
import { CaptchaField } from './CaptchaField.tsx'
import { CodeField } from './CodeField.tsx'
import { LoginTypeSwitch } from './LoginTypeSwitch.tsx'
import { useApplicationName, useIsHydrated, useLight } from './light-page.tsx'
import { OtherLoginMethods } from './OtherLoginMethods.tsx'
import { PasskeyLogin } from './PasskeyLogin.tsx'
import { PasswordField } from './PasswordField.tsx'
import { RememberRow } from './RememberRow.tsx'
import { ScanMethods } from './ScanMethods.tsx'
import { problemText } from './submit-login.ts'
import { ToApplication } from './ToApplication.tsx'
import { UsernameField } from './UsernameField.tsx'
import { type Phase, useLogin } from './use-login.ts'

const LABELS: Record<Phase, string> = {
  idle: 'login.submit',
  checking: 'login.checking',
  sending: 'login.submitting',
  opening: 'login.opening',
  continuing: 'login.continuing',
}

/** The parts of the login page, in the configured order. */
export function LoginCard({ page }: { page: LoginPage }) {
  const { t, surroundings } = useLight()
  const application = useApplicationName(page.application)
  const form = useRef<HTMLFormElement>(null)
  const login = useLogin(page, form)
  const { setup } = surroundings
  const { qrFirst } = setup
  const isScanned = (method: OtherMethod) => placeOf(method, setup) === 'qr'
  const parts: Partial<Record<LoginBlock, ReactNode>> = {
    notice: <Banner />,
    methods: <LoginTypeSwitch page={page} type={login.type} onChoose={login.chooseType} />,
    qr: (
      <>
        {qrFirst && <ScanMethods page={page} isOpen />}
        <OtherLoginMethods
          page={{ ...page, activation: false, otherMethods: page.otherMethods.filter(isScanned) }}
          title="login.scan-full"
        />
      </>
    ),
    form: <LoginForm page={page} form={form} login={login} />,
    otherMethods: (
      <>
        <OtherLoginMethods page={{ ...page, otherMethods: page.otherMethods.filter((method) => !isScanned(method)) }} />
        {!qrFirst && <ScanMethods page={page} isOpen={false} />}
      </>
    ),
  }
  const blocks = blocksOf(page, setup)
  const place = (block: LoginBlock) => <Fragment key={block}>{parts[block]}</Fragment>
  const isNoticeFirst = blocks.find((block) => parts[block]) === 'notice'
  return (
    <>
      {isNoticeFirst && parts.notice}
      <h1>{t('login.title')}</h1>
      {application ? <ToApplication name={application} /> : <p className="lead">{t('login.to-portal')}</p>}
      {blocks.filter((block) => !(isNoticeFirst && block === 'notice')).map(place)}
    </>
  )
}

/** Login methods with a QR code to scan by phone. */
const SCANNED = ['qywx', 'dingding', 'weChat', 'qq']

type OtherMethod = LoginPage['otherMethods'][number]

const placeOf = ({ key }: OtherMethod, { qrFirst }: LoginPageSetup): LoginBlock =>
  qrFirst && SCANNED.includes(key) ? 'qr' : 'otherMethods'

/** Without any other method shown, the form is shown whatever was configured, so that people can log in. */
function blocksOf({ otherMethods }: LoginPage, setup: LoginPageSetup): LoginBlock[] {
  const { blocks } = setup
  const isMethodShown = otherMethods.some((method) => blocks.includes(placeOf(method, setup)))
  return blocks.includes('form') || isMethodShown ? blocks : ['form', ...blocks]
}

type FormProps = { page: LoginPage; form: RefObject<HTMLFormElement | null>; login: ReturnType<typeof useLogin> }

/** Posts natively without scripts; with scripts it is answered in place. */
function LoginForm({ page, form, login }: FormProps) {
  const { t, surroundings } = useLight()
  const live = useIsHydrated()
  const { problem, missing, phase } = login
  const wrong = problem !== null
  const focused = page.username !== '' && login.type === page.type
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    void login.submit()
  }
  return (
    <>
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
    </>
  )
}

/** Enter that ends an IME composition must not submit the form. */
function ignoreComposingEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter' && (event.nativeEvent.isComposing || event.keyCode === 229)) event.preventDefault()
}
