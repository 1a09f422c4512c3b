import { logout } from '#shared/contract/sessions.ts'
import { call } from './api.ts'
import { redirectToLogin } from './login-url.ts'
import { removeSession } from './session.ts'

/**
 * Logs out everywhere: portal session, sign-on session, applications. Continues even when the server does not answer.
 */
export async function logOut(): Promise<void> {
  await call(logout).catch(() => null)
  removeSession()
  redirectToLogin('logout')
}
