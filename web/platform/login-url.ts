/** The base path of the portal; absolute addresses are built from the public origin. */
export const PORTAL_PATH = '/auth_web/'
const CALLBACK_PATH = '/auth_service/cas/login/'

/** The page is being left for the login: several failing calls redirect only once. */
let isRedirecting = false

/** Cleared after each navigation (the specification's residence flag). */
export function clearRedirecting(): void {
  isRedirecting = false
}

/** The portal's own service URL, which receives the ticket, with the page to continue at. */
export const portalServiceUrl = (redirectUrl: string): string =>
  `${location.origin}${CALLBACK_PATH}?casParameter=${encodeURIComponent(JSON.stringify({ redirectUrl }))}`

/** The current address without the parameters of a login. */
export function cleanUrl(address = location.href): string {
  const url = new URL(address)
  url.searchParams.delete('jsessionid')
  url.searchParams.delete('ticket')
  return url.href
}

/** The login for an application; the server refuses an unregistered one. */
export const ssoLoginUrl = (service: string): string => `/fwk_cas_service/login?service=${encodeURIComponent(service)}`

export const loginUrl = (redirectUrl: string): string => ssoLoginUrl(portalServiceUrl(redirectUrl))

export const ssoLogoutUrl = (): string =>
  `/fwk_cas_service/logout?service=${encodeURIComponent(portalServiceUrl(location.origin + PORTAL_PATH))}`

/**
 * The specification's redirect helper. `toLoginUrl`: to the login and back here · `toLogin`: to the login and on to
 * `target` · `logout`: logs out everywhere, then to the login.
 */
export function redirectToLogin(mode: 'toLoginUrl' | 'toLogin' | 'logout', target = cleanUrl()): void {
  if (isRedirecting && mode !== 'logout') return
  isRedirecting = true
  location.assign(mode === 'logout' ? ssoLogoutUrl() : loginUrl(target))
}

/** Never settles: for code that must not continue because the page is being left. */
export const untilUnload = (): Promise<never> => new Promise(() => {})
