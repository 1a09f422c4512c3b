import { loginAddress } from '../../platform/login-address.ts'

/** The login, on the way to the application that the person came for; the server decides whether it is one. */
export const backToLogin = (service: string | undefined): string =>
  service
    ? `/fwk_cas_service/login?service=${encodeURIComponent(service)}`
    : loginAddress(`${location.origin}/auth_web/`)
