import { redirect, type StaticDataRouteOption } from '@tanstack/react-router'
import { loginPc, type UserInformation } from '#shared/contract/sessions.ts'
import { call } from '../platform/api.ts'
import { interrupt } from '../platform/interruption.ts'
import { cleanAddress, leaveFor, pageIsLeft } from '../platform/login-address.ts'
import { administrationQuery, gatewayQuery, languagesQuery, messagesQuery, queryClient } from '../platform/queries.ts'
import { Refusal } from '../platform/refusal.ts'
import { mustChangePassword, removeSession, sessionToken, sessionUser, storeSession } from '../platform/session.ts'
import { mayOpen } from './menu.ts'

/** Where no login is asked for. */
const LOGIN_FREE = [
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

type Target = { pathname: string; search: Record<string, string>; page: StaticDataRouteOption }

/**
 * The rules before each navigation (specification, section 2), in this order: the institution, a login carried by the address,
 * login-free pages, the first-login flag, no person, a back-office page for somebody else.
 */
export async function beforeNavigation({ pathname, search, page }: Target): Promise<void> {
  const path = pathname.replace(/(.)\/$/, '$1')
  // Not awaited for longer than it takes to ask: a page without the institution's name is better than no page.
  const gateway = queryClient.ensureQueryData({ ...gatewayQuery(), revalidateIfStale: true }).catch(() => null)
  if (search['jsessionid']) await takeOver(search['jsessionid'], path, search)
  await gateway
  if (path === '/forgot-password') return beforeFirstPassword(path, search)
  if (LOGIN_FREE.includes(path)) return
  if (mustChangePassword()) throw redirect({ to: '/forgot-password', search: { type: '2' } })
  const user = sessionUser()
  if (!user || !sessionToken()) {
    removeSession()
    leaveFor('toLoginUrl', addressOf(path, search))
    return pageIsLeft()
  }
  if (user.secondFactorDue === '1' && path !== '/second-factor') throw redirect({ to: '/second-factor' })
  if (isManage(path) && !(await mayOpenNow(user, page))) throw redirect({ to: '/401' })
  if (!isManage(path)) loadWording()
}

/** As the person knows it, checked behind their back; who is not let in by that is asked about first. */
async function mayOpenNow(user: UserInformation, page: Target['page']): Promise<boolean> {
  const learned = queryClient.fetchQuery(administrationQuery()).catch(() => null)
  if (mayOpen(user, page)) return true
  await learned
  const now = sessionUser()
  return now !== null && mayOpen(now, page)
}

/** Login-free by its path and for a forgotten password; but a first password belongs to a session: without one the login comes first. */
function beforeFirstPassword(path: string, search: Record<string, string>): Promise<never> | undefined {
  if (search['type'] !== '2') return
  if (sessionToken() && sessionUser()) return
  removeSession()
  leaveFor('toLoginUrl', addressOf(path, search))
  return pageIsLeft()
}

const isManage = (path: string): boolean => path === '/manage' || path.startsWith('/manage/')

const addressOf = (path: string, search: Record<string, string>): string =>
  cleanAddress(
    `${location.origin}/auth_web${path}${Object.keys(search).length > 0 ? `?${new URLSearchParams(search)}` : ''}`,
  )

/** Pages of the home area show the language list, the institution's wording and the way to the back office; none holds the page up. */
function loadWording(): void {
  void queryClient.prefetchQuery(languagesQuery())
  void queryClient.prefetchQuery(messagesQuery())
  void queryClient.prefetchQuery({ ...administrationQuery(), staleTime: 60_000 })
}

/** Tabs that log in at once take turns: the token that is kept must be the one of the cookie that came last. */
const inTurn = async (work: () => Promise<void>): Promise<void> =>
  'locks' in navigator ? await navigator.locks.request('gatehouse.take-over', work) : await work()

const RESTARTED = 'gatehouse.login-restarted'

/**
 * Logs in with the hand-over code of the address, then goes on at the same address without it. A code that is used up or
 * too old (a reload, a bookmark) silently starts the login again, once; a second refusal is told in the dialog "Prompt".
 * A call that gets no answer at all leads to /404.
 */
async function takeOver(jsessionid: string, path: string, search: Record<string, string>): Promise<void> {
  const { jsessionid: _, ticket: __, ...kept } = search
  try {
    await inTurn(async () => {
      const { token, fwkAuthUserInformation } = await call(loginPc, { body: { jsessionid, serviceId: SERVICE_ID } })
      sessionStorage.removeItem(RESTARTED)
      storeSession(token, fwkAuthUserInformation)
    })
  } catch (error) {
    if (!(error instanceof Refusal) || error.state === 0) throw redirect({ to: '/404', replace: true })
    if (error.code === 'session.hand-over-invalid' && !sessionStorage.getItem(RESTARTED)) {
      sessionStorage.setItem(RESTARTED, '1')
      leaveFor('toLogin', addressOf(path, kept))
      return pageIsLeft()
    }
    interrupt({ kind: 'refused', message: error.message, requestId: error.requestId })
    return pageIsLeft()
  }
  throw redirect({ to: path, search: kept, replace: true })
}
