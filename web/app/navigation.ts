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

/** Where no login is asked for. */
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

/** The name under which the portal itself is registered. */
const SERVICE_ID = 'portal'

type NavigationTarget = { pathname: string; search: Record<string, string>; hash: string; page: StaticDataRouteOption }

/**
 * The rules before each navigation (specification, section 2), in this order: the institution, a login carried by the address,
 * login-free pages, the first-login flag, no person, a back-office page for somebody else.
 */
export async function beforeNavigation({ pathname, search, hash, page }: NavigationTarget): Promise<void> {
  const path = pathname.replace(/(.)\/$/, '$1')
  // Not awaited for longer than it takes to ask: a page without the institution's name is better than no page.
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
  if (!isManage(path)) prefetchMenus()
}

/** A second factor comes before a profile that must be completed. */
function checkDueSteps({ secondFactorDue, profileDue }: UserInformation, place: PortalLocation): void {
  if (place.path === '/second-factor') return
  if (secondFactorDue === '1') throw redirect(secondFactorRedirect(place))
  if (profileDue === '1' && place.path !== '/complete-profile') throw redirect(completeProfileRedirect(place))
}

/** As the person knows it, checked behind their back; who is not let in by that is asked about first. */
async function mayOpenNow(user: UserInformation, page: NavigationTarget['page']): Promise<boolean> {
  const learned = queryClient.fetchQuery(administrationQuery()).catch(() => null)
  if (mayOpen(user, page)) return true
  await learned
  const now = sessionUser()
  return now !== null && mayOpen(now, page)
}

/** Login-free by its path and for a forgotten password; but a first password belongs to a session: without one the login comes first. */
function checkFirstPassword(place: PortalLocation): Promise<never> | undefined {
  if (place.search['type'] !== '2') return
  if (!sessionToken() || !sessionUser()) {
    removeSession()
    redirectToLogin('toLoginUrl', toUrl(place))
    return untilUnload()
  }
  if (mustChangePassword()) return
  // Nothing is to be changed (a bookmark, the way back): on to where the change would have led.
  const address = continueAddress(place.search)
  if (!address) throw redirect({ to: '/my-apps', replace: true })
  location.replace(address)
  return untilUnload()
}

const isManage = (path: string): boolean => path === '/manage' || path.startsWith('/manage/')

const toUrl = (place: PortalLocation): string => cleanUrl(`${location.origin}/auth_web${toPath(place)}`)

/** Pages of the home area show the language list and the way to the back office; neither holds the page up. */
function prefetchMenus(): void {
  void queryClient.prefetchQuery(languagesQuery())
  void queryClient.prefetchQuery({ ...administrationQuery(), staleTime: 60_000 })
}

/** Tabs that log in at once take turns: the token that is kept must be the one of the cookie that came last. */
const withSessionLock = async (work: () => Promise<void>): Promise<void> =>
  'locks' in navigator ? await navigator.locks.request('gatehouse.take-over', work) : await work()

const LOGIN_RESTARTED_KEY = 'gatehouse.login-restarted'

/**
 * Logs in with the hand-over code of the address, then goes on at the same address without it. A code that is used up or
 * too old (a reload, a bookmark) silently starts the login again, once; a second refusal is told in the dialog "Prompt".
 * A call that gets no answer at all leads to /404.
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
