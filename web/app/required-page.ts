/** An address of the portal, below the base path. */
export type PortalLocation = { path: string; search: Record<string, string>; hash: string }

/** As written in the address bar, after the base path. */
export function toPath({ path, search, hash }: PortalLocation): string {
  const query = Object.keys(search).length > 0 ? `?${new URLSearchParams(search)}` : ''
  return path + query + (hash && `#${hash}`)
}

/** The default page, and the pages that interrupt others: no return address is kept for them. */
const PATHS_WITHOUT_RETURN = ['/', '/my-apps', '/forgot-password', '/second-factor', '/complete-profile']

/** `next`: the page to return to, for `useGoOn`. */
const nextParam = (place: PortalLocation): { next?: string } =>
  PATHS_WITHOUT_RETURN.includes(place.path) ? {} : { next: toPath(place) }

/** To the page for the first password, which must come before any other. */
export const firstPasswordRedirect = (place: PortalLocation) =>
  ({ to: '/forgot-password', search: { type: '2', ...nextParam(place) } }) as const

/** To the page that sets up a second factor which is due. */
export const secondFactorRedirect = (place: PortalLocation) =>
  ({ to: '/second-factor', search: nextParam(place) }) as const

/** To the page that asks for required fields that are missing. */
export const completeProfileRedirect = (place: PortalLocation) =>
  ({ to: '/complete-profile', search: nextParam(place) }) as const
