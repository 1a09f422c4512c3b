import type { LoginPage, SecondFactorPage } from '#shared/contract/light-page.ts'
import type { SecondFactorStep } from '#shared/contract/sign-in.ts'

/** The step that follows a right first factor, in place of the form that was filled in. */
export const toSecondFactorPage = (
  { action, service, application }: LoginPage,
  step: SecondFactorStep,
): SecondFactorPage => ({
  kind: 'second-factor',
  action,
  service,
  application,
  step,
  error: null,
  back: action.replace('/fwk_cas_service/', '/auth_web/'),
})
