import { redirect, type StaticDataRouteOption } from '@tanstack/react-router'
import { loginPc, type UserInformation } from '#shared/contract/sessions.ts'
import { call } from '../platform/api.ts'
import { interrupt } from '../platform/interruption.ts'
import { cleanUrl, redirectToLogin, untilUnload } from '../platform/login-url.ts'
import { administrationQuery, gatewayQuery, languagesQuery, queryClient } from '../platform/queries.ts'
import { Refusal } from '../platform/refusal.ts'
import { mustChangePassword, removeSession, sessionToken, sessionUser, storeSession } from '../platform/session.ts'
import { continueAddress } from '../ui/use-continue.ts'
import { mayOpen } from './menu.ts'
import {
  completeProfileRedirect,
  firstPasswordRedirect,
  type PortalLocation,
  secondFactorRedirect,
  toPath,
} from './required-page.ts'

/** Paths that need no login. */
const PUBLIC_PATHS = [
  '/login',
  '/401',
  '/404',
  '/forgot-password',
  '/forgot-password-success',
  '/activation',
  '/outbox',
  '/setup',
]

/** The id under which the portal itself is registered as a service. */
const SERVICE_ID = 'portal'

type NavigationTarget = { pathname: string; search: Record<string, string>; hash: string; page: StaticDataRouteOption }

/**
 * The checks before each navigation (specification, section 2), in this order: the institution, a login code in the
 * address, public pages, the first-login flag, no person, a back-office page without permission.
 */
export async function beforeNavigation({ pathname, search, hash, page }: NavigationTarget): Promise<void> {
  const path = pathname.replace(/(.)\/$/, '$1')
  // Never delays the page: a page without the institution's name is better than none.
  const gateway = queryClient.ensureQueryData({ ...gatewayQuery(), revalidateIfStale: true }).catch(() => null)
  if (search['jsessionid']) await exchangeLoginCode(search['jsessionid'], { path, search, hash })
  await gateway
  if (path === '/forgot-password') return checkFirstPassword({ path, search, hash })
  if (PUBLIC_PATHS.includes(path)) return
  if (mustChangePassword()) throw redirect(firstPasswordRedirect({ path, search, hash }))
  const user = sessionUser()
  if (!user || !sessionToken()) {
    removeSession()
    redirectToLogin('toLoginUrl', toUrl({ path, search, hash }))
    return untilUnload()
  }
  checkDueSteps(user, { path, search, hash })
  if (isManage(path) && !(await mayOpenNow(user, page))) throw redirect({ to: '/401' })
  if (!isManage(path)) prefetchMenus(user)
}

/** A second factor comes before a profile that must be completed. */
function checkDueSteps({ secondFactorDue, profileDue }: UserInformation, place: PortalLocation): void {
  if (place.path === '/second-factor') return
  if (secondFactorDue === '1') throw redirect(secondFactorRedirect(place))
  if (profileDue === '1' && place.path !== '/complete-profile') throw redirect(completeProfileRedirect(place))
}

/** Uses the cached user and refreshes in the background; waits for the server only before denying access. */
async function mayOpenNow(user: UserInformation, page: NavigationTarget['page']): Promise<boolean> {
  const learned = queryClient.fetchQuery(administrationQuery()).catch(() => null)
  if (mayOpen(user, page)) return true
  await learned
  const now = sessionUser()
  return now !== null && mayOpen(now, page)
}

/**
 * /forgot-password is public for a forgotten password, but a first password belongs to a session: without one the login
 * comes first.
 */
function checkFirstPassword(place: PortalLocation): Promise<never> | undefined {
  if (place.search['type'] !== '2') return
  if (!sessionToken() || !sessionUser()) {
    removeSession()
    redirectToLogin('toLoginUrl', toUrl(place))
    return untilUnload()
  }
  if (mustChangePassword()) return
  // Nothing is due (a bookmark, the back button): continue to where the change would have led.
  const address = continueAddress(place.search)
  if (!address) throw redirect({ to: '/my-apps', replace: true })
  location.replace(address)
  return untilUnload()
}

const isManage = (path: string): boolean => path === '/manage' || path.startsWith('/manage/')

const toUrl = (place: PortalLocation): string => cleanUrl(`${location.origin}/auth_web${toPath(place)}`)

/** Home pages show the language list and the link to the back office; neither delays the page. */
function prefetchMenus({ secondFactorDue, profileDue }: UserInformation): void {
  void queryClient.prefetchQuery(languagesQuery())
  // Refused until what is due is done.
  if (secondFactorDue === '1' || profileDue === '1') return
  void queryClient.prefetchQuery({ ...administrationQuery(), staleTime: 60_000 })
}

/** Tabs that log in at the same time take turns: the stored token must match the cookie that was set last. */
const withSessionLock = async (work: () => Promise<void>): Promise<void> =>
  'locks' in navigator ? await navigator.locks.request('gatehouse.take-over', work) : await work()

const LOGIN_RESTARTED_KEY = 'gatehouse.login-restarted'

/**
 * Logs in with the code in the address, then continues at the same address without it. A used or expired code (a
 * reload, a bookmark) silently restarts the login, once; a second refusal is shown in the dialog "Prompt". A call
 * without any answer leads to /404.
 */
async function exchangeLoginCode(jsessionid: string, { path, search, hash }: PortalLocation): Promise<void> {
  const { jsessionid: _, ticket: __, ...kept } = search
  try {
    await withSessionLock(async () => {
      const { token, fwkAuthUserInformation } = await call(loginPc, { body: { jsessionid, serviceId: SERVICE_ID } })
      sessionStorage.removeItem(LOGIN_RESTARTED_KEY)
      storeSession(token, fwkAuthUserInformation)
    })
  } catch (error) {
    if (!(error instanceof Refusal) || error.state === 0) throw redirect({ to: '/404', replace: true })
    if (error.code === 'session.hand-over-invalid' && !sessionStorage.getItem(LOGIN_RESTARTED_KEY)) {
      sessionStorage.setItem(LOGIN_RESTARTED_KEY, '1')
      redirectToLogin('toLogin', toUrl({ path, search: kept, hash }))
      return untilUnload()
    }
    interrupt({ kind: 'refused', message: error.message, requestId: error.requestId })
    return untilUnload()
  }
  throw redirect({ to: path, search: kept, hash, replace: true })
}
