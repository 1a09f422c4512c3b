import { z } from 'zod'
import { Done, get, Id, post } from './endpoint.ts'
import { EntryName } from './organizations.ts'
import { resourceCalls } from './resource-calls.ts'
import { DepartmentSyncFields, SYNC_OBJECTS } from './sync-departments.ts'
import { isOneOfEach, MatchBy, mappingEntry } from './sync-mappings.ts'
import { Outcome, SyncRow, SyncRunBase, SyncRunState, UndoOutcome } from './sync-runs.ts'
import { ImportField } from './user-imports.ts'

const Percent = z.number().int().min(0).max(100)

/** What happens to people missing in the source; nobody is ever deleted. */
export const LEAVER_ACTIONS = ['none', 'freeze', 'disable', 'end-date', 'move'] as const

/** A sync never writes roles, which are managed here. */
const SyncField = ImportField.refine((field) => field !== 'roles')

export const SyncSchedule = z.strictObject({
  /** Five fields: minute, hour, day, month, weekday. */
  cron: z.string().trim().min(9).max(100),
  /** An IANA time zone, such as Asia/Shanghai. */
  zone: z.string().trim().min(1).max(60),
})
export type SyncSchedule = z.infer<typeof SyncSchedule>

export const DirectorySyncFields = z.strictObject({
  name: EntryName,
  sourceId: Id,
  objects: z.enum(SYNC_OBJECTS).default('people'),
  /** Required unless only people are read. */
  departments: DepartmentSyncFields.nullable().default(null),
  /** The following fields are for people. A table or view; empty for an uploaded file. */
  table: z.string().trim().max(200).default(''),
  /** A permanent identifier of a person in the source. */
  keyColumn: z.string().trim().max(200).default(''),
  mapping: z.array(mappingEntry(SyncField)).max(50).refine(isOneOfEach).default([]),
  matchBy: MatchBy.default(['account']),
  /** A run above one of these, in percent of the linked people, is held. */
  thresholds: z
    .strictObject({
      missing: Percent.default(5),
      changed: Percent.default(20),
      created: Percent.default(20),
      /** Of one field. */
      field: Percent.default(10),
      /** Unusable rows, in percent of all. */
      bad: Percent.default(10),
      /** Fewer rows than this percentage of the most that good runs read in the past 30 days. */
      rows: Percent.default(80),
    })
    .prefault({}),
  leavers: z
    .strictObject({
      action: z.enum(LEAVER_ACTIONS).default('none'),
      /** The target of `move`. */
      organizationId: Id.nullable().default(null),
      /** Days until the end of validity set by `end-date`. */
      graceDays: z.number().int().min(0).max(365).default(30),
      /** Consecutive complete runs, and days, without them. */
      runs: z.number().int().min(1).max(100).default(2),
      days: z.number().int().min(0).max(365).default(3),
    })
    .prefault({}),
  /** If several syncs fill the same field of a person, the lowest wins. */
  rank: z.number().int().min(1).max(100).default(50),
  /** The column that indicates changes; null: every run reads everything. */
  cursorColumn: z.string().trim().min(1).max(200).nullable().default(null),
  /** Super users notified when a run is held or fails. */
  responsibleIds: z.array(Id).max(20).default([]),
  /** Null: only manually. */
  schedule: SyncSchedule.nullable().default(null),
  note: z.string().trim().max(500).default(''),
})
export type DirectorySyncFields = z.output<typeof DirectorySyncFields>

const SyncRun = SyncRunBase.extend({
  objects: z.enum(['people', 'departments']),
  /** `incremental`: only rows changed since the cursor, so it does not know who is missing. */
  mode: z.enum(['full', 'incremental']),
  cursorBefore: z.string().nullable(),
  cursorAfter: z.string().nullable(),
  /** Every row could be read and identified: only such a run knows who is missing. */
  isComplete: z.boolean(),
})
export type SyncRun = z.infer<typeof SyncRun>

/** A super user notified when a run is held or fails. */
export const SyncResponsible = z.object({ id: Id, account: z.string(), name: z.string() })

const DirectorySync = DirectorySyncFields.extend({
  id: Id,
  version: z.number().int(),
  sourceName: z.string(),
  nextRunAt: z.iso.datetime().nullable(),
  /** People linked to the source. */
  linked: z.number().int(),
  linkedDepartments: z.number().int(),
  /** The name of the department for leavers. */
  leaverDepartment: z.string().nullable(),
  responsible: z.array(SyncResponsible),
  /** Rows waiting for a decision. */
  openMatches: z.number().int(),
  /** The position of the last applied run; null: the next run reads everything. */
  cursor: z.string().nullable(),
  lastRun: z.object({ id: Id, state: SyncRunState, startedAt: z.iso.datetime() }).nullable(),
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
    'directory-sync.no-account',
    'directory-sync.no-table',
    'directory-sync.no-key',
    'directory-sync.no-parent',
    'directory-sync.no-departments',
    'directory-sync.no-department-name',
    'directory-sync.no-root',
    'directory-sync.no-leaver-department',
    'directory-sync.not-responsible',
    'directory-sync.no-cursor',
    'directory-sync.bad-schedule',
    'directory-sync.bad-zone',
  ],
})

const RunPath = z.strictObject({ id: Id })

export const startSync = post(
  '/directory_sync/{id}/start/',
  'superUser',
  /** `dryRun`: stops after planning; the plan can then be applied. `incremental`: from the cursor, if there is one. */
  z.strictObject({ dryRun: z.boolean(), incremental: z.boolean().default(false) }),
  SyncRun,
  {
    query: RunPath,
    summary: 'Read the source and plan; then, unless it is a dry run or held, apply. One run per source at a time',
    errors: ['resource.not-found', 'directory-sync.running', 'directory-sync.paused'],
  },
)

export const resetSyncCursor = post('/directory_sync/{id}/reset_cursor/', 'superUser', z.strictObject({}), Done, {
  query: RunPath,
  summary: 'Reset the cursor: the next run reads everything',
  errors: ['resource.not-found'],
})

export const listSyncRuns = get(
  '/directory_sync_run/query/',
  'superUser',
  z.strictObject({ syncId: Id }),
  z.object({ records: z.array(SyncRun) }),
  { summary: 'The last fifty runs of a sync, newest first', errors: ['resource.not-found'] },
)

export const syncRunDetails = get(
  '/directory_sync_run/{id}/details/',
  'superUser',
  RunPath.extend({
    outcome: Outcome.optional(),
    /** What an undo did to them. */
    undo: UndoOutcome.optional(),
    /** The number of the previous page's last row. */
    after: z.coerce.number().int().min(0).default(0),
  }),
  z.object({ run: SyncRun, rows: z.array(SyncRow) }),
  { summary: 'A run, and a hundred of its rows', errors: ['directory-sync.no-run'] },
)

const DECISION_ERRORS = ['directory-sync.no-run', 'directory-sync.not-waiting']

const Why = z.strictObject({ reason: z.string().trim().min(1).max(500) })

export const approveSyncRun = post('/directory_sync_run/{id}/approve/', 'superUser', Why, SyncRun, {
  query: RunPath,
  summary: 'Apply exactly the reviewed plan; rows that no longer match it are left unchanged and listed',
  errors: [
    ...DECISION_ERRORS,
    'directory-sync.too-old',
    'directory-sync.changed',
    'directory-sync.running',
    'directory-sync.paused',
  ],
})

export const discardSyncRun = post('/directory_sync_run/{id}/discard/', 'superUser', z.strictObject({}), Done, {
  query: RunPath,
  summary: 'Discard a plan; nothing of it was written',
  errors: DECISION_ERRORS,
})

export const undoSyncRun = post('/directory_sync_run/{id}/undo/', 'superUser', Why, SyncRun, {
  query: RunPath,
  summary: 'Undo a run, row by row, where nobody has changed anything since; created and unused people are deleted',
  errors: ['directory-sync.no-run', 'directory-sync.not-done', 'directory-sync.running'],
})
