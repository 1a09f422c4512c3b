import type { LoginPage, RoomPage, SecondFactorPage } from '#shared/contract/light-page.ts'
import type { RoomStep, SecondFactorStep } from '#shared/contract/sign-in.ts'

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
export const toRoomPage = (form: Form, room: RoomStep): RoomPage => ({ kind: 'room', ...frameOf(form), room })
