import { loginUrl, ssoLoginUrl } from '../../platform/login-url.ts'

/** The login, on the way to the application that the person came for; the server decides whether it is one. */
export const returnToLoginUrl = (service: string | undefined): string =>
  service ? ssoLoginUrl(service) : loginUrl(`${location.origin}/auth_web/`)
