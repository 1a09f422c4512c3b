import { z } from 'zod'
import { Done, Empty, get, Id, post } from './endpoint.ts'
import { ClientType, Period } from './list-filters.ts'
import { LogKey } from './log-centre.ts'
import { MESSAGE_CHANNELS } from './message-routes.ts'

/** Unusual activity in the logs. */
export const INSIGHT_KINDS = [
  'spraying',
  'failing-account',
  'new-range',
  'new-device',
  'range-hop',
  'refusals',
  'lost-codes',
] as const
export type InsightKind = (typeof INSIGHT_KINDS)[number]

const Kinds = z
  .array(z.enum(INSIGHT_KINDS))
  .max(INSIGHT_KINDS.length)
  .refine((kinds) => new Set(kinds).size === kinds.length, 'each kind once')
const number = (least: number, most: number, usual: number) => z.number().int().min(least).max(most).default(usual)
const minutes = (usual: number) => number(1, 240, usual)

/** Settings document `logInsights`. */
export const LogInsightSettings = z.strictObject({
  /** The kinds that are detected. */
  insightKinds: Kinds.default([...INSIGHT_KINDS]),
  /** The kinds that super users are notified of. A first login is too common for mail. */
  insightMessages: Kinds.default(['spraying', 'failing-account', 'range-hop', 'refusals', 'lost-codes']),
  /** An address that tries so many names … */
  sprayNames: number(2, 1000, 20),
  /** … in so many minutes. */
  sprayMinutes: minutes(15),
  /** A person with so many failed logins … */
  failedLogins: number(2, 1000, 20),
  /** … in so many hours. */
  failedHours: number(1, 72, 24),
  /** A range or a kind of device is new if a person has not used it for so many days … */
  newAfterDays: number(1, 180, 90),
  /** … with so many logins in that time. */
  newAfterLogins: number(2, 200, 5),
  /** Two ranges that nobody can get between in so many minutes. */
  hopMinutes: minutes(10),
  /** An application that refuses so many visits … */
  refusedVisits: number(2, 10_000, 50),
  /** … in so many minutes. */
  refusedMinutes: minutes(60),
  /** So many codes that were not delivered by one channel … */
  lostCodes: number(2, 1000, 5),
  /** … in so many minutes. */
  lostMinutes: minutes(60),
  /** Days that insights are kept. */
  keepInsightDays: number(7, 400, 90),
})
export type LogInsightSettings = z.infer<typeof LogInsightSettings>
export type InsightKey = keyof LogInsightSettings
export const INSIGHT_KEYS = Object.keys(LogInsightSettings.shape) as InsightKey[]
const KeyName = z.enum(INSIGHT_KEYS as [InsightKey, ...InsightKey[]])

const SomeOfSettings = z.strictObject(
  Object.fromEntries(Object.entries(LogInsightSettings.shape).map(([key, field]) => [key, field.unwrap().optional()])),
) as unknown as z.ZodType<Partial<LogInsightSettings>>

/** The values of an insight's sentence, besides its number. */
export const InsightFacts = z.object({
  address: z.string().optional(),
  range: z.string().optional(),
  /** The previous range. */
  formerRange: z.string().optional(),
  clientType: ClientType.optional(),
  channel: z.enum(MESSAGE_CHANNELS).optional(),
  minutes: z.number().int().optional(),
  hours: z.number().int().optional(),
  /** The number of records that were counted. */
  records: z.number().int().optional(),
  /** The time of the first of these records. */
  from: z.iso.datetime().optional(),
  /** Just after the time of the last one: exclusive. */
  to: z.iso.datetime().optional(),
})
export type InsightFacts = z.infer<typeof InsightFacts>

export const LogInsight = z.object({
  id: Id,
  kind: z.enum(INSIGHT_KINDS),
  /** The times of its first and last record. */
  firstAt: z.iso.datetime(),
  lastAt: z.iso.datetime(),
  count: z.number().int(),
  ...InsightFacts.shape,
  userId: Id.nullable(),
  person: z.string().nullable(),
  personAccount: z.string().nullable(),
  applicationId: Id.nullable(),
  application: z.string().nullable(),
  /** Null: open. */
  dismissedAt: z.iso.datetime().nullable(),
  dismissedBy: z.string().nullable(),
})
export type LogInsight = z.infer<typeof LogInsight>

export const searchInsights = get(
  '/log_insight/query/',
  'administrator',
  z.strictObject({
    kind: z.enum(INSIGHT_KINDS).optional(),
    state: z.enum(['open', 'dismissed']).optional(),
    ...Period,
    /** `next` of the previous page. */
    after: LogKey.optional(),
    pageSize: z.coerce.number().int().min(1).max(200).default(50),
  }),
  z.object({
    records: z.array(LogInsight),
    next: LogKey.nullable(),
    /** Up to when the logs were examined; null: not yet. */
    lookedUntil: z.iso.datetime().nullable(),
  }),
  { summary: 'Insights from the logs, newest first; administrators see those about their people' },
)

const ofInsight = { query: z.strictObject({ id: Id }), errors: ['log-insight.not-found'] }
export const dismissInsight = post('/log_insight/{id}/dismiss/', 'administrator', Empty, Done, {
  summary: 'Dismiss an insight',
  ...ofInsight,
})
export const reopenInsight = post('/log_insight/{id}/reopen/', 'administrator', Empty, Done, {
  summary: 'Reopen a dismissed insight',
  ...ofInsight,
})

const StoredInsightSettings = z.object({
  version: z.number().int(),
  /** The stored values; missing ones have their default. */
  values: SomeOfSettings,
  setByFile: z.array(KeyName),
})
export type StoredInsightSettings = z.infer<typeof StoredInsightSettings>

export const insightSettings = get('/log_insight_settings/details/', 'superUser', Empty, StoredInsightSettings, {
  summary: 'The kinds of insights and their thresholds',
})
export const updateInsightSettings = post(
  '/log_insight_settings/update/',
  'superUser',
  z.strictObject({
    version: z.number().int().min(0),
    changes: SomeOfSettings,
    reset: z.array(KeyName).max(INSIGHT_KEYS.length).default([]),
  }),
  StoredInsightSettings,
  {
    summary: 'Change kinds and thresholds of insights; a conflict returns the stored document as `current`',
    errors: ['version.conflict', 'settings.set-by-file'],
  },
)
