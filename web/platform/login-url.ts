/** Where the server's own pages live; everything absolute is built from the origin people see. */
export const PORTAL_PATH = '/auth_web/'
const CALLBACK_PATH = '/auth_service/cas/login/'

/** Marks that this page is being left for the login, so that ten failing calls send the person there once. */
let isRedirecting = false

/** Cleared after each navigation (the specification's residence flag). */
export function clearRedirecting(): void {
  isRedirecting = false
}

/** The portal's own service: what a ticket for this person is sent to, with the page to go on to. */
export const portalServiceUrl = (redirectUrl: string): string =>
  `${location.origin}${CALLBACK_PATH}?casParameter=${encodeURIComponent(JSON.stringify({ redirectUrl }))}`

/** The current address without what a login left in it. */
export function cleanUrl(address = location.href): string {
  const url = new URL(address)
  url.searchParams.delete('jsessionid')
  url.searchParams.delete('ticket')
  return url.href
}

/** The login on the way to an application; without one that is registered, the server says so. */
export const ssoLoginUrl = (service: string): string => `/fwk_cas_service/login?service=${encodeURIComponent(service)}`

export const loginUrl = (redirectUrl: string): string => ssoLoginUrl(portalServiceUrl(redirectUrl))

export const ssoLogoutUrl = (): string =>
  `/fwk_cas_service/logout?service=${encodeURIComponent(portalServiceUrl(location.origin + PORTAL_PATH))}`

/**
 * The specification's redirect helper. `toLoginUrl`: to the login and back to where the person is · `toLogin`: to the login and on to
 * `target` · `logout`: out of everything, then to the login.
 */
export function redirectToLogin(mode: 'toLoginUrl' | 'toLogin' | 'logout', target = cleanUrl()): void {
  if (isRedirecting && mode !== 'logout') return
  isRedirecting = true
  location.assign(mode === 'logout' ? ssoLogoutUrl() : loginUrl(target))
}

/** Never settles: for work that must not go on because the page is being left. */
export const untilUnload = (): Promise<never> => new Promise(() => {})
