/** Where the server's own pages live; everything absolute is built from the origin people see. */
const HOME = '/auth_web/'
const CALLBACK = '/auth_service/cas/login/'

/** Marks that this page is being left for the login, so that ten failing calls send the person there once. */
let leaving = false

/** Cleared after each navigation (the specification's residence flag). */
export function clearLeaving(): void {
  leaving = false
}

/** The portal's own service: what a ticket for this person is sent to, with the page to go on to. */
export const serviceFor = (redirectUrl: string): string =>
  `${location.origin}${CALLBACK}?casParameter=${encodeURIComponent(JSON.stringify({ redirectUrl }))}`

/** The current address without what a login left in it. */
export function cleanAddress(address = location.href): string {
  const url = new URL(address)
  url.searchParams.delete('jsessionid')
  url.searchParams.delete('ticket')
  return url.href
}

export const loginAddress = (redirectUrl: string): string =>
  `/fwk_cas_service/login?service=${encodeURIComponent(serviceFor(redirectUrl))}`

export const logoutAddress = (): string =>
  `/fwk_cas_service/logout?service=${encodeURIComponent(serviceFor(location.origin + HOME))}`

/**
 * The specification's redirect helper. `toLoginUrl`: to the login and back to where the person is · `toLogin`: to the login and on to
 * `target` · `logout`: out of everything, then to the login.
 */
export function leaveFor(mode: 'toLoginUrl' | 'toLogin' | 'logout', target = cleanAddress()): void {
  if (leaving && mode !== 'logout') return
  leaving = true
  location.assign(mode === 'logout' ? logoutAddress() : loginAddress(target))
}

/** Never settles: for work that must not go on because the page is being left. */
export const pageIsLeft = (): Promise<never> => new Promise(() => {})
