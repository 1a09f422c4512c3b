import { z } from 'zod'
import { Empty, get, Id } from './endpoint.ts'

const count = z.number().int()

const Hour = z.object({ hour: z.iso.datetime(), logins: count, failures: count })

const Day = z.object({
  /** `2026-11-21`, in the institution's zone. */
  day: z.iso.date(),
  logins: count,
  failures: count,
  /** Distinct people who logged in. */
  people: count,
  visits: count,
})
export type OverviewDay = z.infer<typeof Day>

const Job = z.object({
  name: z.string(),
  /** `well`, its last run `failed`, or it is overdue (`late`). */
  state: z.enum(['well', 'failed', 'late']),
  lastRun: z.iso.datetime(),
  ms: count.nullable(),
  /** A code of the last failure, for the operator. */
  error: z.string().nullable(),
})

/** Open tasks; each has the messages `overview.todo.<name>`. */
export const TODOS = [
  'jobs',
  'gateways',
  'messages',
  'logouts',
  'tasks',
  'locked',
  'locked-by-failures',
  'grants',
  'appointments',
  'app-keys',
] as const

export const Overview = z.object({
  at: z.iso.datetime(),
  timeZone: z.string(),
  /** Up to when records are counted; null: not yet. */
  countedAt: z.iso.datetime().nullable(),
  today: z.iso.date(),
  /** Today from midnight so far; the whole of yesterday. */
  hours: z.object({ today: z.array(Hour), yesterday: z.array(Hour) }),
  active: z.object({ people: count, logins: count }),
  people: z
    .object({
      total: count,
      inactive: count,
      disabled: count,
      locked: count,
      frozen: count,
      dormant: count,
      expired: count,
    })
    .nullable(),
  /** Today's successful logins. */
  loginTypes: z.array(z.object({ authType: z.string(), provider: z.string().nullable(), logins: count })),
  places: z.object({ onCampus: count, offCampus: count }),
  /** The most visited applications today. */
  applications: z.array(
    z.object({
      id: Id,
      appId: z.string(),
      name: z.string(),
      picture: z.string().nullable(),
      visits: count,
      people: count,
    }),
  ),
  /** 30 whole days, and today. */
  trend: z.array(Day),
  jobs: z.array(Job),
  queues: z.object({
    messages: z.object({ waiting: count, failed: count }),
    logouts: z.object({ waiting: count, failed: count }),
    tasks: z.object({ waiting: count, failed: count }),
  }),
  facts: z.object({
    version: z.string(),
    node: z.string(),
    database: z.string(),
    databaseBytes: z.number(),
    /** The disk with the server's files; null: unknown. */
    disk: z.object({ freeBytes: z.number(), totalBytes: z.number() }).nullable(),
    /** Null: no signature has been requested yet. */
    signingKey: z.object({ createdAt: z.iso.datetime(), renewsAt: z.iso.datetime() }).nullable(),
  }),
  todos: z.array(z.object({ kind: z.enum(TODOS), count })),
})
export type Overview = z.infer<typeof Overview>

export const queryOverview = get('/overview/query/', 'superUser', Empty, Overview, {
  summary: 'The day at a glance, at most half a minute old',
})
