import { z } from 'zod'
import { Id } from './endpoint.ts'
import { ShownValues } from './user-imports.ts'

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
  'undoing',
  'undone',
] as const
export const SyncRunState = z.enum(SYNC_RUN_STATES)
export type SyncRunState = z.infer<typeof SyncRunState>

/** `changed-since`: no longer matched the plan, so it was left unchanged. */
export const SYNC_OUTCOMES = [
  'new',
  'changed',
  /** A department with a new parent. */
  'moved',
  'unchanged',
  'bad',
  'conflict',
  /** Somebody decided to leave the row out. */
  'ignored',
  'protected',
  'missing',
  'leaver',
  'changed-since',
] as const
export const Outcome = z.enum(SYNC_OUTCOMES)
export type SyncOutcome = z.infer<typeof Outcome>

/** Why a run is held. */
const HeldReason = z.object({
  kind: z.enum(['first-run', 'fewer-rows', 'missing', 'changed', 'created', 'field', 'bad']),
  /** For `field`. */
  field: z.string().nullable(),
  count: z.number().int(),
  of: z.number().int(),
  /** The threshold in percent; null: none. */
  threshold: z.number().nullable(),
})
export type HeldReason = z.infer<typeof HeldReason>

/**
 * The result of undoing a row: what the run created is `removed`, or `disabled` if it is a mailbox; `touched`, somebody has changed it since,
 * so it was left.
 */
export const SYNC_UNDO_OUTCOMES = [
  'undone',
  'removed',
  'disabled',
  'partly',
  'touched',
  'gone',
  'protected',
  'refused',
] as const
export const UndoOutcome = z.enum(SYNC_UNDO_OUTCOMES)
export type SyncUndoOutcome = z.infer<typeof UndoOutcome>

/** How far a run is with writing or undoing, in rows; null while it does neither, or in a single step. */
export const RunProgress = z.object({ done: z.number().int(), total: z.number().int() }).nullable()
export type RunProgress = z.infer<typeof RunProgress>

/** The common fields of runs in both directions. */
export const SyncRunBase = z.object({
  id: Id,
  syncId: Id,
  syncName: z.string(),
  state: SyncRunState,
  dryRun: z.boolean(),
  rowsRead: z.number().int(),
  counts: z.partialRecord(Outcome, z.number().int()),
  /** The numbers of rows of an undo. */
  undo: z.partialRecord(UndoOutcome, z.number().int()).nullable(),
  progress: RunProgress,
  heldFor: z.array(HeldReason),
  /** Why it failed, in words. */
  problem: z.string().nullable(),
  /** Why it was approved. */
  reason: z.string().nullable(),
  startedBy: z.string().nullable(),
  /** Who approved or discarded it. */
  decidedBy: z.string().nullable(),
  undoneBy: z.string().nullable(),
  undoReason: z.string().nullable(),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
})
export type SyncRunBase = z.infer<typeof SyncRunBase>

export const SyncRow = z.object({
  row: z.number().int(),
  externalId: z.string(),
  outcome: Outcome.nullable(),
  /** The person here. */
  person: z.object({ id: Id, account: z.string(), name: z.string() }).nullable(),
  /** The name of somebody who is to be created. */
  newName: z.string().nullable(),
  /** The department, or the one to be created. */
  department: z.object({ id: Id, code: z.string(), name: z.string() }).nullable(),
  /** What changes about something that exists here, in words, contacts masked. */
  changes: z.array(z.object({ field: z.string(), values: ShownValues.nullable() })),
  isApplied: z.boolean(),
  undo: UndoOutcome.nullable(),
  problems: z.array(z.string()),
})
export type SyncRow = z.infer<typeof SyncRow>
