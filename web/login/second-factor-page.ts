import type { LoginPage, RoomPage, SecondFactorPage } from '#shared/contract/light-page.ts'
import type { RoomStep, SecondFactorStep } from '#shared/contract/sign-in.ts'

type Form = Pick<LoginPage | SecondFactorPage, 'action' | 'service' | 'application'>

const frameOf = ({ action, service, application }: Form) => ({
  action,
  service,
  application,
  back: action.replace('/fwk_cas_service/', '/auth_web/'),
})

/** The step that follows a right first factor, in place of the form that was filled in. */
export const toSecondFactorPage = (form: Form, step: SecondFactorStep): SecondFactorPage => ({
  kind: 'second-factor',
  ...frameOf(form),
  step,
  error: null,
})

/** The choice that follows where as many logins as are allowed are there. */
export const toRoomPage = (form: Form, room: RoomStep): RoomPage => ({ kind: 'room', ...frameOf(form), room })
