import { z } from 'zod'
import { isStorableMoment } from '../rules/moment-range.ts'
import { RULE_MODES, RULE_OUTCOMES } from './access-rules.ts'
import { get, Id, ListQuery, Moment, pageOf } from './endpoint.ts'
import { AddressFilter, AuthTypeFilter, ClientType, OnCampus } from './list-filters.ts'
import { LogoutDelivery } from './logout-deliveries.ts'
import { VisitRecord } from './records.ts'
import { SECOND_FACTORS } from './second-factor-kinds.ts'

/** Stands for the portal itself where an application is asked for. */
export const PORTAL = 'portal'

/** Values that can be kept out of a log, by the names of its filters. */
export const LOGIN_EXCLUDABLE = [
  'userId',
  'account',
  'ip',
  'ipRange',
  'session',
  'applicationId',
  'authType',
  'reason',
  'clientType',
  'browser',
  'device',
] as const
export const VISIT_EXCLUDABLE = [
  'userId',
  'ip',
  'ipRange',
  'session',
  'applicationId',
  'reason',
  'clientType',
  'way',
] as const

const MAX_EXCLUDED = 30
const Value = z.string().min(1).max(200)

/** `ip=10.0.0.8&reason=password.wrong`: written like a query, so that any value fits. */
const excluding = (names: readonly string[]) =>
  z
    .string()
    .max(4000)
    .transform((text) => [...new URLSearchParams(text)].map(([name, value]) => ({ name, value })))
    .pipe(z.array(z.strictObject({ name: z.enum(names), value: Value })).max(MAX_EXCLUDED))

/** A moment that there was or will be: `Date` takes the 31st of February for the 3rd of March, the database refuses it. */
function isMoment(text: string): boolean {
  const moment = new Date(text)
  return isStorableMoment(moment) && moment.toISOString().slice(0, 23) === text.slice(0, 23)
}

/** A line by its time and id, as `key` of a record has it; a search goes on behind it. */
export const LogKey = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z(_[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})?$/)
  .refine((text) => isMoment(text.slice(0, 27)))

const filters = {
  /** Of a person: number, name or its pinyin, phone number, mailbox. */
  search: z.string().trim().max(100).default(''),
  userId: Id.optional(),
  organizationId: Id.optional(),
  categoryId: Id.optional(),
  applicationId: z.union([Id, z.literal(PORTAL)]).optional(),
  ip: AddressFilter.optional(),
  /** What the range was called then. */
  ipRange: Value.optional(),
  onCampus: OnCampus.optional(),
  clientType: ClientType.optional(),
  session: Id.optional(),
  /** '1': let in. */
  result: z.enum(['0', '1']).optional(),
  reason: z
    .string()
    .regex(/^[a-z.-]{1,60}$/)
    .optional(),
  from: Moment.optional(),
  to: Moment.optional(),
}

/** What an access rule did, or in report only would have done. */
export const SAID_OUTCOMES = RULE_OUTCOMES.flatMap((outcome) => [outcome, `would-${outcome}`] as const)
export type SaidOutcome = (typeof SAID_OUTCOMES)[number]

export const LoginLogFilters = z.strictObject({
  ...filters,
  /** The beginning of what was typed. */
  account: z.string().trim().min(1).max(100).optional(),
  authType: AuthTypeFilter.optional(),
  factor: z.enum(['none', ...SECOND_FACTORS]).optional(),
  browser: Value.optional(),
  device: Value.optional(),
  /** The access rule that said something. */
  rule: Id.optional(),
  /** With `rule`: what this one said. */
  ruleOutcome: z.enum(SAID_OUTCOMES).optional(),
  without: excluding(LOGIN_EXCLUDABLE).optional(),
})
export const VisitLogFilters = z.strictObject({
  ...filters,
  way: VisitRecord.shape.way.optional(),
  protocol: z.enum(['cas', 'oauth2']).optional(),
  without: excluding(VISIT_EXCLUDABLE).optional(),
})

const page = {
  /** Where the search before stopped: its `next`. */
  after: LogKey.optional(),
  pageSize: z.coerce.number().int().min(1).max(200).default(50),
}

const line = {
  /** Time and id: what opens the line again. */
  key: LogKey,
  id: Id,
  at: z.iso.datetime(),
  userId: Id.nullable(),
  /** Null: nobody is known by what was typed, or the person is gone. */
  person: z.string().nullable(),
  /** The person's number. */
  personAccount: z.string().nullable(),
  organization: z.string().nullable(),
  category: z.string().nullable(),
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
  /** As typed; masked when it was nobody's. */
  account: z.string(),
  authType: z.string(),
  /** Of a third party, in the caller's language. */
  provider: z.string().nullable(),
  factor: z.enum(SECOND_FACTORS).nullable(),
  browser: z.string(),
  device: z.string(),
  /** What the access rules said, with their names of that time. */
  rules: z.array(z.object({ rule: Id, name: z.string(), outcome: z.enum(RULE_OUTCOMES), mode: z.enum(RULE_MODES) })),
  requestId: z.string(),
})
export type LoginLogLine = z.infer<typeof LoginLogLine>

export const VisitLogLine = z.object({
  ...line,
  way: VisitRecord.shape.way,
  protocol: z.string().nullable(),
})
export type VisitLogLine = z.infer<typeof VisitLogLine>

/** `searchedBackTo`: how far this search looked, with `next` to go on from there; both null: to the end of the log, or of the period. */
const found = <T extends z.ZodType>(row: T) =>
  z.object({ records: z.array(row), searchedBackTo: z.iso.datetime().nullable(), next: LogKey.nullable() })

const SUMMARY =
  'the newest first; a search is bounded in work: it says how far back it looked, and `next` goes on from there'

export const searchLogins = get(
  '/login_log/query/',
  'administrator',
  LoginLogFilters.extend(page),
  found(LoginLogLine),
  {
    summary: `Logins and refused attempts of everybody, ${SUMMARY}`,
  },
)
export const searchVisits = get(
  '/app_visit_log/query/',
  'administrator',
  VisitLogFilters.extend(page),
  found(VisitLogLine),
  { summary: `Applications that people entered, or were kept out of, ${SUMMARY}` },
)

/** What became of the session of a line. */
const Aftermath = z.object({
  sessionState: z
    .object({ openedAt: z.iso.datetime(), endedAt: z.iso.datetime().nullable(), endReason: z.string().nullable() })
    .nullable(),
  /** Single logout, by application; told to super users. */
  deliveries: z.array(LogoutDelivery),
})
const byKey = z.strictObject({ key: LogKey })
const extra = { errors: ['record.not-found'] }

export const getLoginLine = get('/login_log/details/', 'administrator', byKey, LoginLogLine.extend(Aftermath.shape), {
  summary: 'Everything about a login',
  ...extra,
})
export const getVisitLine = get(
  '/app_visit_log/details/',
  'administrator',
  byKey,
  VisitLogLine.extend(Aftermath.shape),
  {
    summary: 'Everything about a visit',
    ...extra,
  },
)

/** Lines by how they ended. */
const Counts = { succeeded: z.number().int(), refused: z.number().int() }

/** How many lines there are, over time and by value. */
export const LogFigures = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  /** Length of a part of the period, in milliseconds. */
  partMs: z.number().int(),
  /** The parts from `from` on that have lines: `at` counts them. */
  parts: z.array(z.object({ at: z.number().int(), ...Counts })),
  /** By the name of a filter its values, the most frequent ones. */
  facets: z.array(
    z.object({
      name: z.string(),
      values: z.array(z.object({ value: z.string(), label: z.string().nullable(), ...Counts })),
      /** Values there are beside. */
      more: z.number().int(),
    }),
  ),
  /** Null: `parts` hold everything in the period; else only what is later than this was counted. */
  partsSince: z.iso.datetime().nullable(),
  /** The same of `facets`. */
  facetsSince: z.iso.datetime().nullable(),
  /** Roll-ups that are not through yet, as after an update, reach to this moment; null: they are. */
  countedUntil: z.iso.datetime().nullable(),
})
export type LogFigures = z.infer<typeof LogFigures>

const FIGURES = 'over time and by value; what no roll-up covers is counted back in time for a second, and says how far'
export const loginFigures = get('/login_log/figures/', 'administrator', LoginLogFilters, LogFigures, {
  summary: `How many logins and refused attempts there were, ${FIGURES}`,
})
export const visitFigures = get('/app_visit_log/figures/', 'administrator', VisitLogFilters, LogFigures, {
  summary: `How many visits there were, ${FIGURES}`,
})

const Choice = z.object({ id: z.string(), name: z.string() })

/** What a log can be asked for by name. `id`: that one alone, for its name. */
export const listLogApplications = get(
  '/log_choice/application/',
  'administrator',
  ListQuery.extend({
    id: z.union([Id, z.literal(PORTAL)]).optional(),
    /** '1': the portal too. */
    portal: z.enum(['0', '1']).default('1'),
  }),
  pageOf(Choice),
  { summary: 'Applications that a log can be narrowed down to, deleted ones too', errors: ['list.too-deep'] },
)
export const listLogRanges = get('/log_choice/ip_range/', 'administrator', ListQuery, pageOf(Choice), {
  summary: 'Names of IP ranges that a log can be narrowed down to',
  errors: ['list.too-deep'],
})
