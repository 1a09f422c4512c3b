import { z } from 'zod'
import { Done, Empty, get, Id, ListQuery, pageOf, post } from './endpoint.ts'
import { AddressFilter, AuthTypeFilter, ClientType, OnCampus } from './list-filters.ts'
import { LogoutDelivery } from './logout-deliveries.ts'
import { Permission } from './permissions.ts'
import { SECOND_FACTORS } from './second-factor-kinds.ts'

/** What the web application stores about the logged-in person. */
export const UserInformation = z.object({
  userId: Id,
  account: z.string(),
  name: z.string(),
  nick: z.string().nullable(),
  /** '1': super user. */
  isSuperUser: z.enum(['0', '1']),
  /** Their permissions in the organisations they administer; null: none. */
  permissions: z.array(Permission).nullable(),
  /** '1': the password must be changed before anything else works. */
  firstLogin: z.enum(['0', '1']),
  /** '1': a second factor must be set up or presented before anything else works. */
  secondFactorDue: z.enum(['0', '1']),
  /** A required field is missing: the portal can only be used to fill it in. */
  profileDue: z.enum(['0', '1']),
  picture: z.string().nullable(),
})
export type UserInformation = z.infer<typeof UserInformation>

/** Exchanges the hand-over code in the address (single use, 60 s, this browser only) for a portal session. */
export const loginPc = post(
  '/login/pc/',
  'public',
  z.strictObject({ jsessionid: z.string().min(1).max(200), serviceId: z.string().max(200).optional() }),
  z.object({ token: z.string(), fwkAuthUserInformation: UserInformation }),
  { summary: 'Open the portal session', errors: ['session.hand-over-invalid'] },
)

/**
 * Ends the sign-on session and the portal session. Acts only on a same-origin request, as shown by its fetch metadata,
 * `Origin`, `Referer` or the `token` header; others get a confirmation page. A browser that navigates here is
 * redirected to the page "signed out".
 */
export const logout = get('/login/logout/', 'public', z.looseObject({}), Done, { summary: 'Log out', signed: false })

/** The button of that confirmation page. */
export const confirmLogout = post('/login/logout/', 'public', z.looseObject({}), Done, {
  summary: 'Log out, from the confirmation page',
  signed: false,
  errors: ['request.cross-site'],
})

/**
 * Reports that the person is active: mouse, keys or scrolling in any tab. Automatic requests don't count. With the
 * header `x-background` it only queries. Returns the seconds since the last activity in any tab.
 */
export const reportActivity = post('/login/activity/', 'limited', Empty, z.object({ idleSeconds: z.number() }), {
  summary: 'Stay logged in: report activity',
})

export const CurrentLogin = z.object({
  id: Id,
  /** "Chrome 140"; empty when unknown. */
  browser: z.string(),
  /** "Windows 11", "iPhone"; empty when unknown. */
  device: z.string(),
  clientType: ClientType,
  ip: z.string(),
  onCampus: z.boolean(),
  authType: z.string(),
  /** The name of the third party; null for the portal's own methods. */
  provider: z.string().nullable(),
  remembered: z.boolean(),
  loginTime: z.iso.datetime(),
  lastSeen: z.iso.datetime(),
  /** The current session. */
  current: z.boolean(),
})

export type CurrentLogin = z.infer<typeof CurrentLogin>

export const listMyLogins = get('/certification_record/current_login/', 'user', ListQuery, pageOf(CurrentLogin), {
  summary: 'My current logins, this one first; `search`: part of a browser, device or address',
  errors: ['list.too-deep'],
})
const Ended = z.object({ ended: z.number().int() })
const Ids = z.strictObject({ ids: z.array(Id).min(1).max(1000) })
export const endMyLogins = post('/certification_record/current_login/end/', 'user', Ids, Ended, {
  summary: 'End some of my logins; logins of other people refuse the whole call',
  errors: ['session.not-yours', 'session.is-current'],
})
export const endMyOtherLogins = post('/certification_record/current_login/end_others/', 'user', Empty, Ended, {
  summary: 'End all my logins but this one',
})

export const ManagedLogin = CurrentLogin.extend({
  userId: Id,
  account: z.string(),
  name: z.string(),
  organization: z.string().nullable(),
  factor: z.enum(SECOND_FACTORS).nullable(),
})

export type ManagedLogin = z.infer<typeof ManagedLogin>

/** Minutes without a request after which a login counts as idle. */
export const IDLE_MINUTES = ['15', '60', '240', '1440'] as const

export const CurrentLoginFilters = z.strictObject({
  search: ListQuery.shape.search,
  userId: Id.optional(),
  organizationId: Id.optional(),
  ip: AddressFilter.optional(),
  /** The name of a range; if several contain an address the smallest network decides. */
  ipRange: z.string().min(1).max(200).optional(),
  clientType: ClientType.optional(),
  onCampus: OnCampus.optional(),
  authType: AuthTypeFilter.optional(),
  factor: z.enum(['none', ...SECOND_FACTORS]).optional(),
  /** An application entered with the login. */
  applicationId: Id.optional(),
  /** '1': a remembered login. */
  remembered: z.enum(['0', '1']).optional(),
  idleMinutes: z.enum(IDLE_MINUTES).optional(),
})
export type CurrentLoginFilters = z.infer<typeof CurrentLoginFilters>

export const listCurrentLogins = get(
  '/current_login_manage/query/',
  'superUser',
  ListQuery.extend({
    ...CurrentLoginFilters.shape,
    sort: z.enum(['loginTime', '-loginTime']).default('-loginTime'),
  }),
  pageOf(ManagedLogin),
  {
    summary:
      'Everyone who is logged in; `search`: the beginning of an account, part of a name, its pinyin, a phone number or email address',
    errors: ['list.too-deep'],
  },
)
/** The ended sessions, for querying their logout deliveries. */
export const EndedSessions = Ended.extend({ ids: z.array(Id) })
export const kickOut = post('/current_login_manage/kick_out/', 'superUser', Ids, EndedSessions, {
  summary: 'End logins of anyone, immediately on every node, with single logout',
  errors: ['session.is-current'],
})

export const KICK_OUT_TASK = 'sessions.kick-out'
/** The result of the task. */
export const KickedOut = z.strictObject({ ended: z.number().int() })

export const kickOutAll = post(
  '/current_login_manage/kick_out_all/',
  'superUser',
  z.strictObject({ filters: CurrentLoginFilters }),
  z.object({ taskId: Id }),
  { summary: 'End all logins that match the filters, as a background task, except the current one' },
)
export const kickOutDeliveries = get(
  '/current_login_manage/task_deliveries/',
  'superUser',
  z.strictObject({ taskId: Id }),
  z.array(LogoutDelivery),
  {
    summary: 'The logout deliveries of logins that a task ended, by application',
    errors: ['task.not-found'],
  },
)
