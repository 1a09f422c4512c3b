import { z } from 'zod'
import { Done, get, Id, post } from './endpoint.ts'
import { EntryName } from './organizations.ts'
import { resourceCalls } from './resource-calls.ts'
import { ImportField } from './user-imports.ts'

const Percent = z.number().int().min(0).max(100)

/** By what somebody who is not linked yet is known here, in order. */
export const MATCH_FIELDS = ['account', 'mailbox', 'phone'] as const

/** What becomes of somebody whom the source has no longer; nobody is ever deleted. */
export const LEAVER_ACTIONS = ['none', 'disable'] as const

const columnName = z.string().trim().min(1).max(200)

/** What a sync never writes: who belongs to a role is decided here. */
const SyncField = ImportField.refine((field) => field !== 'roles')

export const DirectorySyncFields = z.strictObject({
  name: EntryName,
  sourceId: Id,
  /** A table or view; empty of an uploaded file. */
  table: z.string().trim().max(200).default(''),
  /** What tells one person of the source from another, for ever. */
  keyColumn: columnName,
  mapping: z
    .array(z.strictObject({ column: columnName, field: SyncField }))
    .min(1)
    .max(50)
    .refine((entries) => new Set(entries.map(({ field }) => field)).size === entries.length),
  matchBy: z.array(z.enum(MATCH_FIELDS)).max(3).default(['account']),
  /** Over one of these, in percent of the people who are linked, a run is held. */
  thresholds: z
    .strictObject({
      missing: Percent.default(5),
      changed: Percent.default(20),
      created: Percent.default(20),
      /** Of one field. */
      field: Percent.default(10),
      /** Rows that can't be used, in percent of all. */
      bad: Percent.default(10),
      /** Fewer rows than so many percent of the last good run. */
      rows: Percent.default(80),
    })
    .prefault({}),
  leavers: z
    .strictObject({
      action: z.enum(LEAVER_ACTIONS).default('none'),
      /** Complete runs in a row, and days, without them. */
      runs: z.number().int().min(1).max(100).default(2),
      days: z.number().int().min(0).max(365).default(3),
    })
    .prefault({}),
  note: z.string().trim().max(500).default(''),
})
export type DirectorySyncFields = z.output<typeof DirectorySyncFields>

export const SYNC_RUN_STATES = [
  'reading',
  'planning',
  'planned',
  'held',
  'applying',
  'done',
  'failed',
  'cancelled',
  'discarded',
] as const
const RunState = z.enum(SYNC_RUN_STATES)
export type SyncRunState = z.infer<typeof RunState>

/** `changed-since`: not as it was planned any more, so it was left alone. */
export const SYNC_OUTCOMES = [
  'new',
  'changed',
  'unchanged',
  'bad',
  'conflict',
  'protected',
  'missing',
  'leaver',
  'changed-since',
] as const
const Outcome = z.enum(SYNC_OUTCOMES)
export type SyncOutcome = z.infer<typeof Outcome>

/** Why a run waits for somebody to look at it. */
const HeldReason = z.object({
  kind: z.enum(['first-run', 'fewer-rows', 'missing', 'changed', 'created', 'field', 'bad']),
  /** Of `field`. */
  field: z.string().nullable(),
  count: z.number().int(),
  of: z.number().int(),
  /** The threshold in percent; null: it has none. */
  threshold: z.number().nullable(),
})
export type HeldReason = z.infer<typeof HeldReason>

const SyncRun = z.object({
  id: Id,
  syncId: Id,
  syncName: z.string(),
  state: RunState,
  dryRun: z.boolean(),
  /** Every row could be read and told from the others: only such a run knows who is missing. */
  isComplete: z.boolean(),
  rowsRead: z.number().int(),
  counts: z.partialRecord(Outcome, z.number().int()),
  heldFor: z.array(HeldReason),
  /** Why it failed, in words. */
  problem: z.string().nullable(),
  reason: z.string().nullable(),
  startedBy: z.string().nullable(),
  decidedBy: z.string().nullable(),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
})
export type SyncRun = z.infer<typeof SyncRun>

const DirectorySync = DirectorySyncFields.extend({
  id: Id,
  version: z.number().int(),
  sourceName: z.string(),
  /** People who are linked to the source. */
  linked: z.number().int(),
  lastRun: z.object({ id: Id, state: RunState, startedAt: z.iso.datetime() }).nullable(),
  updatedAt: z.iso.datetime(),
})
export type DirectorySync = z.infer<typeof DirectorySync>

export const directorySyncs = resourceCalls({
  path: '/directory_sync',
  one: 'a directory sync',
  many: 'directory syncs',
  searched: 'part of a name or note',
  fields: DirectorySyncFields,
  row: DirectorySync,
  filters: { sourceId: Id.optional() },
  sorts: ['name', '-name', 'updatedAt', '-updatedAt'],
  errors: [
    'directory-sync.name-taken',
    'directory-sync.no-source',
    'directory-sync.source-taken',
    'directory-sync.no-account',
    'directory-sync.no-table',
  ],
})

const RunPath = z.strictObject({ id: Id })

export const startSync = post(
  '/directory_sync/{id}/start/',
  'superUser',
  /** `dryRun`: stops when the plan is there; that plan can then be applied. */
  z.strictObject({ dryRun: z.boolean() }),
  SyncRun,
  {
    query: RunPath,
    summary: 'Read the source and plan; then, unless it is a dry run or held, apply. One run of a source at a time',
    errors: ['resource.not-found', 'directory-sync.running'],
  },
)

export const listSyncRuns = get(
  '/directory_sync_run/query/',
  'superUser',
  z.strictObject({ syncId: Id }),
  z.object({ records: z.array(SyncRun) }),
  { summary: 'The last fifty runs of a sync, the latest first', errors: ['resource.not-found'] },
)

const SyncRow = z.object({
  row: z.number().int(),
  externalId: z.string(),
  outcome: Outcome.nullable(),
  /** Who it is here. */
  person: z.object({ id: Id, account: z.string(), name: z.string() }).nullable(),
  /** The names of the fields that change. */
  fields: z.array(z.string()),
  isApplied: z.boolean(),
  problems: z.array(z.string()),
})
export type SyncRow = z.infer<typeof SyncRow>

export const syncRunDetails = get(
  '/directory_sync_run/{id}/details/',
  'superUser',
  RunPath.extend({
    outcome: Outcome.optional(),
    /** The number of the last row of the page before. */
    after: z.coerce.number().int().min(0).default(0),
  }),
  z.object({ run: SyncRun, rows: z.array(SyncRow) }),
  { summary: 'A run, and a hundred of its rows', errors: ['directory-sync.no-run'] },
)

const DECISION_ERRORS = ['directory-sync.no-run', 'directory-sync.not-waiting']

export const approveSyncRun = post(
  '/directory_sync_run/{id}/approve/',
  'superUser',
  z.strictObject({ reason: z.string().trim().min(1).max(500) }),
  SyncRun,
  {
    query: RunPath,
    summary: 'Apply exactly the plan that was looked at; what is not as planned any more is left alone and named',
    errors: [...DECISION_ERRORS, 'directory-sync.changed', 'directory-sync.running'],
  },
)

export const discardSyncRun = post('/directory_sync_run/{id}/discard/', 'superUser', z.strictObject({}), Done, {
  query: RunPath,
  summary: 'Throw a plan away; nothing of it was written',
  errors: DECISION_ERRORS,
})
