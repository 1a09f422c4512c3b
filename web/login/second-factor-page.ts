import type { LoginPage, SecondFactorPage, SessionLimitPage } from '#shared/contract/light-page.ts'
import type { SecondFactorStep, SessionLimitStep } from '#shared/contract/sign-in.ts'

type Form = Pick<LoginPage | SecondFactorPage, 'action' | 'service' | 'application'>

const frameOf = ({ action, service, application }: Form) => ({
  action,
  service,
  application,
  back: action.replace('/fwk_cas_service/', '/auth_web/'),
})

/** The page after a correct first factor, replacing the form. */
export const toSecondFactorPage = (form: Form, step: SecondFactorStep): SecondFactorPage => ({
  kind: 'second-factor',
  ...frameOf(form),
  step,
  error: null,
})

/** The page shown when the login limit is reached. */
export const toSessionLimitPage = (form: Form, sessionLimit: SessionLimitStep): SessionLimitPage => ({
  kind: 'session-limit',
  ...frameOf(form),
  sessionLimit,
})
