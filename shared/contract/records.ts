import { z } from 'zod'
import { ACCOUNT_ACTIONS, PASSWORD_ACTIONS, SHOWN_FIELDS } from './audit-actions.ts'
import { get, Id, ListQuery, Moment, pageOf, post } from './endpoint.ts'
import { AddressFilter, ClientType, OnCampus, Period } from './list-filters.ts'

/** The most rows of an export; the newest if there are more. */
export const MAX_EXPORTED_ROWS = 100_000
/** The response header of a truncated export. */
export const EXPORT_TRUNCATED_HEADER = 'x-export-cut'

/** An export takes the filters of its list, without paging. */
const exportQuery = {
  search: ListQuery.shape.search,
  format: z.enum(['csv', 'xlsx']),
  /** IANA time zone of the times. */
  timeZone: z.string().min(1).max(60),
}
const EXPORT_ANSWER = {
  errors: ['export.busy', 'export.time-zone-unknown'],
  answers: 'text/csv, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

// Logins ---------------------------------------------------------------------------------------------------------------

/** Built-in login types; the messages are `auth-type.<name>`. Any other is the key of a third-party provider. */
export const OWN_AUTH_TYPES = ['user', 'captcha', 'passkey'] as const
/** Filter values; `third-party` means all providers. */
export const AUTH_TYPES = [...OWN_AUTH_TYPES, 'third-party'] as const

export const AuthenticationRecord = z.object({
  id: Id,
  loginTime: z.iso.datetime(),
  /** Null: not logged out, or the login failed. */
  logoutTime: z.iso.datetime().nullable(),
  /** The typed login name. */
  account: z.string(),
  authType: z.string(),
  /** The third party, in the caller's language; null for built-in types and removed providers. */
  provider: z.string().nullable(),
  succeeded: z.boolean(),
  /** Why it was refused: a code such as `password.wrong`; null after a success. */
  reason: z.string().nullable(),
  browser: z.string(),
  device: z.string(),
  clientType: ClientType,
  ip: z.string(),
  onCampus: z.boolean(),
  /** The range's name at that time. */
  ipRange: z.string().nullable(),
  /** The target of the login, in the caller's language; null: the portal. */
  application: z.string().nullable(),
  /** A login from a kind of device that is not among this person's recent logins. */
  unusual: z.boolean(),
  /** The current login. */
  current: z.boolean(),
})
export type AuthenticationRecord = z.infer<typeof AuthenticationRecord>

const authenticationFilters = {
  ...Period,
  ip: AddressFilter.optional(),
  clientType: ClientType.optional(),
  authType: z.enum(AUTH_TYPES).optional(),
  /** '1': logged in. */
  result: z.enum(['0', '1']).optional(),
  onCampus: OnCampus.optional(),
  sort: z.enum(['loginTime', '-loginTime']).default('-loginTime'),
}

export const listMyAuthentications = get(
  '/certification_record/account/',
  'user',
  ListQuery.extend(authenticationFilters),
  pageOf(AuthenticationRecord),
  {
    summary: 'My logins and refused attempts; `search`: part of the typed name, browser, device or application',
    errors: ['list.too-deep'],
  },
)
export const exportMyAuthentications = get(
  '/certification_record/account/export/',
  'user',
  z.strictObject({ ...exportQuery, ...authenticationFilters }),
  z.null(),
  { summary: 'The same as a file, in the language of the caller', ...EXPORT_ANSWER },
)
export const disownLogin = post(
  '/certification_record/account/not_me/',
  'user',
  z.strictObject({ id: Id, loginTime: Moment }),
  z.object({ ended: z.number().int() }),
  {
    summary: 'Report a login as not mine: ends every login but this one, and records the report in my account history',
    errors: ['record.not-found', 'session.is-current'],
  },
)

// Account history
// ------------------------------------------------------------------------------------------------------

export const MaintenanceRecord = z.object({
  id: Id,
  maintenanceTime: z.iso.datetime(),
  /** Its message is `action.<name>`. */
  action: z.string(),
  /** `system`: nobody was logged in. `other`: an administrator. */
  by: z.enum(['self', 'other', 'system']),
  maintainer: z.string().nullable(),
  ip: z.string().nullable(),
  browser: z.string(),
  device: z.string(),
  /** Values before and after, masked. */
  changes: z.array(
    z.object({ field: z.enum(SHOWN_FIELDS), before: z.string().nullable(), after: z.string().nullable() }),
  ),
  reason: z.string().nullable(),
})
export type MaintenanceRecord = z.infer<typeof MaintenanceRecord>

const maintenanceFilters = (actions: readonly string[]) => ({
  ...Period,
  ip: AddressFilter.optional(),
  operation: z.enum(actions).optional(),
  by: z.enum(['self', 'other', 'system']).optional(),
  sort: z.enum(['maintenanceTime', '-maintenanceTime']).default('-maintenanceTime'),
})
const passwordFilters = maintenanceFilters(PASSWORD_ACTIONS)
const accountFilters = maintenanceFilters(ACCOUNT_ACTIONS)

export const listMyPasswordMaintenance = get(
  '/certification_record/password/',
  'user',
  ListQuery.extend(passwordFilters),
  pageOf(MaintenanceRecord),
  {
    summary: 'Changes of my password; `search`: part of the action or of the person who did it',
    errors: ['list.too-deep'],
  },
)
export const exportMyPasswordMaintenance = get(
  '/certification_record/password/export/',
  'user',
  z.strictObject({ ...exportQuery, ...passwordFilters }),
  z.null(),
  { summary: 'The same as a file, in the language of the caller', ...EXPORT_ANSWER },
)
export const listMyAccountMaintenance = get(
  '/certification_record/account_maintenance/',
  'user',
  ListQuery.extend(accountFilters),
  pageOf(MaintenanceRecord),
  {
    summary: 'All changes of my account; `search`: part of the action or of the person who did it',
    errors: ['list.too-deep'],
  },
)
export const exportMyAccountMaintenance = get(
  '/certification_record/account_maintenance/export/',
  'user',
  z.strictObject({ ...exportQuery, ...accountFilters }),
  z.null(),
  { summary: 'The same as a file, in the language of the caller', ...EXPORT_ANSWER },
)

// Visits ---------------------------------------------------------------------------------------------------------------

export const VisitRecord = z.object({
  id: Id,
  accessTime: z.iso.datetime(),
  /** In the caller's language; null for a deleted application. */
  application: z.string().nullable(),
  /** Opened from the portal, or entered by single sign-on. */
  entry: z.enum(['portal', 'sign-on', 'application']),
  clientType: ClientType,
  ip: z.string(),
  onCampus: z.boolean(),
})
export type VisitRecord = z.infer<typeof VisitRecord>

const visitFilters = {
  ...Period,
  ip: AddressFilter.optional(),
  clientType: ClientType.optional(),
  entry: VisitRecord.shape.entry.optional(),
  onCampus: OnCampus.optional(),
  sort: z.enum(['accessTime', '-accessTime']).default('-accessTime'),
}

export const listMyVisits = get(
  '/certification_record/application/',
  'user',
  ListQuery.extend(visitFilters),
  pageOf(VisitRecord),
  { summary: 'The applications I opened; `search`: part of the name', errors: ['list.too-deep'] },
)
export const exportMyVisits = get(
  '/certification_record/application/export/',
  'user',
  z.strictObject({ ...exportQuery, ...visitFilters }),
  z.null(),
  { summary: 'The same as a file, in the language of the caller', ...EXPORT_ANSWER },
)
