import { z } from 'zod'
import { isStorableMoment } from '../rules/moment-range.ts'
import { RULE_MODES, RULE_OUTCOMES } from './access-rules.ts'
import { get, Id, ListQuery, Moment, pageOf } from './endpoint.ts'
import { AddressFilter, AuthTypeFilter, ClientType, OnCampus } from './list-filters.ts'
import { LogoutDelivery } from './logout-deliveries.ts'
import { VisitRecord } from './records.ts'
import { SECOND_FACTORS } from './second-factor-kinds.ts'

/** Stands for the portal itself in application filters. */
export const PORTAL = 'portal'

/** Values that can be excluded from a log, by filter name. */
export const LOGIN_EXCLUDABLE = [
  'userId',
  'organizationId',
  'categoryId',
  'account',
  'accountIs',
  'ip',
  'ipRange',
  'session',
  'applicationId',
  'authType',
  'factor',
  'reason',
  'clientType',
  'browser',
  'device',
  'rule',
  'requestId',
] as const
export const VISIT_EXCLUDABLE = [
  'userId',
  'organizationId',
  'categoryId',
  'ip',
  'ipRange',
  'session',
  'applicationId',
  'reason',
  'clientType',
  'entry',
  'protocol',
] as const

const MAX_EXCLUDED = 30
const Value = z.string().min(1).max(200)

/** Of a filter that leaves values out: `ip=10.0.0.8&reason=password.wrong`, encoded like a query, so that any value fits. */
export const excluding = (names: readonly string[]) =>
  z
    .string()
    .max(4000)
    .transform((text) => [...new URLSearchParams(text)].map(([name, value]) => ({ name, value })))
    .pipe(z.array(z.strictObject({ name: z.enum(names), value: Value })).max(MAX_EXCLUDED))

/** An existing date: `Date` turns 31 February into 3 March, the database refuses it. */
function isMoment(text: string): boolean {
  const moment = new Date(text)
  return isStorableMoment(moment) && moment.toISOString().slice(0, 23) === text.slice(0, 23)
}

/** A record's time and id, as in `key`; a search continues after it. */
export const LogKey = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z(_[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})?$/)
  .refine((text) => isMoment(text.slice(0, 27)))

const filters = {
  /** Of a person: account, name or its pinyin, phone number, email address. */
  search: z.string().trim().max(100).default(''),
  userId: Id.optional(),
  organizationId: Id.optional(),
  categoryId: Id.optional(),
  applicationId: z.union([Id, z.literal(PORTAL)]).optional(),
  ip: AddressFilter.optional(),
  /** The range's name at that time. */
  ipRange: Value.optional(),
  onCampus: OnCampus.optional(),
  clientType: ClientType.optional(),
  session: Id.optional(),
  /** '1': allowed. */
  result: z.enum(['0', '1']).optional(),
  reason: z
    .string()
    .regex(/^[a-z.-]{1,60}$/)
    .optional(),
  from: Moment.optional(),
  to: Moment.optional(),
}

/** The effect of an access rule, enforced or in report only. */
export const SAID_OUTCOMES = RULE_OUTCOMES.flatMap((outcome) => [outcome, `would-${outcome}`] as const)
export type SaidOutcome = (typeof SAID_OUTCOMES)[number]

export const LoginLogFilters = z.strictObject({
  ...filters,
  /** The beginning of the typed name. */
  account: z.string().trim().min(1).max(100).optional(),
  /** The name exactly as in a record. */
  accountIs: Value.optional(),
  authType: AuthTypeFilter.optional(),
  factor: z.enum(['none', ...SECOND_FACTORS]).optional(),
  browser: Value.optional(),
  device: Value.optional(),
  /** As an error page or the server's log shows it. */
  requestId: z.string().trim().min(1).max(100).optional(),
  /** An access rule that applied. */
  rule: Id.optional(),
  /** With `rule`: its effect. */
  ruleOutcome: z.enum(SAID_OUTCOMES).optional(),
  without: excluding(LOGIN_EXCLUDABLE).optional(),
})
export const VisitLogFilters = z.strictObject({
  ...filters,
  entry: VisitRecord.shape.entry.optional(),
  protocol: z.enum(['cas', 'oauth2']).optional(),
  without: excluding(VISIT_EXCLUDABLE).optional(),
})

/** Continues a search of a log. */
export const logPage = {
  /** `next` of the previous search. */
  after: LogKey.optional(),
  pageSize: z.coerce.number().int().min(1).max(200).default(50),
}

/** What a line of any log tells of its person. */
export const linePerson = {
  userId: Id.nullable(),
  /** Null: the typed name is unknown, or the person was deleted. */
  person: z.string().nullable(),
  /** The person's account. */
  personAccount: z.string().nullable(),
  organizationId: Id.nullable(),
  organization: z.string().nullable(),
  categoryId: Id.nullable(),
  category: z.string().nullable(),
}

const line = {
  /** Time and id, to open the record again. */
  key: LogKey,
  id: Id,
  at: z.iso.datetime(),
  ...linePerson,
  succeeded: z.boolean(),
  /** Why it was refused. */
  reason: z.string().nullable(),
  applicationId: Id.nullable(),
  application: z.string().nullable(),
  ip: z.string(),
  ipRange: z.string().nullable(),
  onCampus: z.boolean(),
  clientType: ClientType,
  session: Id.nullable(),
}

export const LoginLogLine = z.object({
  ...line,
  logoutAt: z.iso.datetime().nullable(),
  /** As typed; masked if it was nobody's. */
  account: z.string(),
  authType: z.string(),
  /** The third party, in the caller's language. */
  provider: z.string().nullable(),
  factor: z.enum(SECOND_FACTORS).nullable(),
  browser: z.string(),
  device: z.string(),
  /** The rules that applied, with their names at that time. */
  rules: z.array(z.object({ rule: Id, name: z.string(), outcome: z.enum(RULE_OUTCOMES), mode: z.enum(RULE_MODES) })),
  requestId: z.string(),
})
export type LoginLogLine = z.infer<typeof LoginLogLine>

export const VisitLogLine = z.object({
  ...line,
  entry: VisitRecord.shape.entry,
  protocol: z.string().nullable(),
})
export type VisitLogLine = z.infer<typeof VisitLogLine>

/**
 * `searchedBackTo`: how far this search looked, with `next` to continue; both null: to the end of the log, or of the
 * period.
 */
const found = <T extends z.ZodType>(row: T) =>
  z.object({
    records: z.array(row),
    searchedBackTo: z.iso.datetime().nullable(),
    next: LogKey.nullable(),
    /** The names of the ids in the filters, as far as the caller may see them. */
    names: z.record(z.string(), z.string()),
  })

const SUMMARY = 'newest first; a search is bounded in work: it says how far back it looked, and `next` continues it'

export const searchLogins = get(
  '/login_log/query/',
  'administrator',
  LoginLogFilters.extend(logPage),
  found(LoginLogLine),
  {
    summary: `Logins and refused attempts of everybody, ${SUMMARY}`,
  },
)
export const searchVisits = get(
  '/app_visit_log/query/',
  'administrator',
  VisitLogFilters.extend(logPage),
  found(VisitLogLine),
  { summary: `Visits to applications, including refused ones, ${SUMMARY}` },
)

/** What became of a record's session. */
const Aftermath = z.object({
  sessionState: z
    .object({ openedAt: z.iso.datetime(), endedAt: z.iso.datetime().nullable(), endReason: z.string().nullable() })
    .nullable(),
  /** Single logout, by application; only for super users. */
  deliveries: z.array(LogoutDelivery),
})
const byKey = z.strictObject({ key: LogKey })
const extra = { errors: ['record.not-found'] }

export const getLoginLine = get('/login_log/details/', 'administrator', byKey, LoginLogLine.extend(Aftermath.shape), {
  summary: 'All details of a login',
  ...extra,
})
export const getVisitLine = get(
  '/app_visit_log/details/',
  'administrator',
  byKey,
  VisitLogLine.extend(Aftermath.shape),
  {
    summary: 'All details of a visit',
    ...extra,
  },
)

/** Records by result. */
const Counts = { succeeded: z.number().int(), refused: z.number().int() }

/** The number of records, over time and by value. */
export const LogFigures = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  /** Length of a part of the period, in milliseconds. */
  partMs: z.number().int(),
  /** The non-empty parts; `at` is their index from `from`. */
  parts: z.array(z.object({ at: z.number().int(), ...Counts })),
  /** The most frequent values, by filter name. */
  facets: z.array(
    z.object({
      name: z.string(),
      values: z.array(z.object({ value: z.string(), label: z.string().nullable(), ...Counts })),
      /** Number of further values. */
      more: z.number().int(),
    }),
  ),
  /** Null: `parts` cover the whole period; otherwise only records after this time were counted. */
  partsSince: z.iso.datetime().nullable(),
  /** The same for `facets`. */
  facetsSince: z.iso.datetime().nullable(),
  /** Incomplete roll-ups, as after an update, reach to this time; null: they are complete. */
  countedUntil: z.iso.datetime().nullable(),
})
export type LogFigures = z.infer<typeof LogFigures>

const FIGURES =
  'over time and by value; records without roll-ups are counted back in time for a second, and the answer says how far'
export const loginFigures = get('/login_log/figures/', 'administrator', LoginLogFilters, LogFigures, {
  summary: `The number of logins and refused attempts, ${FIGURES}`,
})
export const visitFigures = get('/app_visit_log/figures/', 'administrator', VisitLogFilters, LogFigures, {
  summary: `The number of visits, ${FIGURES}`,
})

const Choice = z.object({ id: z.string(), name: z.string() })

/** The applications that a log can be filtered by. `id`: only this one, for its name. */
export const listLogApplications = get(
  '/log_choice/application/',
  'administrator',
  ListQuery.extend({
    id: z.union([Id, z.literal(PORTAL)]).optional(),
    /** '1': including the portal. */
    portal: z.enum(['0', '1']).default('1'),
  }),
  pageOf(Choice),
  { summary: 'Applications that a log can be filtered by, including deleted ones', errors: ['list.too-deep'] },
)
export const listLogRanges = get('/log_choice/ip_range/', 'administrator', ListQuery, pageOf(Choice), {
  summary: 'Names of IP ranges that a log can be filtered by',
  errors: ['list.too-deep'],
})
