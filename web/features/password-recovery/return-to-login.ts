import { loginUrl, ssoLoginUrl } from '../../platform/login-url.ts'

/** The login for the application that the person came for; the server validates it. */
export const returnToLoginUrl = (service: string | undefined): string =>
  service ? ssoLoginUrl(service) : loginUrl(`${location.origin}/auth_web/`)
