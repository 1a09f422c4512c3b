import type { SyncOutcome, SyncRunState } from '../contract/sync-runs.ts'
import { DAY_MS } from './durations.ts'

/** So long the rows of a run are stored, which an undo needs. */
export const RUN_ROWS_KEPT_DAYS = 30

/** States of a run that may have written, and on which nobody works. */
export const UNDOABLE_STATES = ['done', 'failed', 'cancelled'] as const satisfies readonly SyncRunState[]
export type UndoableState = (typeof UNDOABLE_STATES)[number]

/** Outcomes that are written. */
export const WRITTEN_OUTCOMES: readonly SyncOutcome[] = ['new', 'changed', 'moved', 'leaver']

type Run = { state: SyncRunState; counts: Partial<Record<SyncOutcome, number>> }

/** Can a run be undone? One that was cut off in the middle can: what it wrote by then is taken back. */
export const isUndoable = <R extends Run>(run: R): run is R & { state: UndoableState } =>
  UNDOABLE_STATES.some((state) => state === run.state) && WRITTEN_OUTCOMES.some((outcome) => run.counts[outcome])

/** Whether the rows of a run are deleted by now, so that it can't be undone any more. @param now in ms */
export const areRowsForgotten = ({ startedAt }: { startedAt: string }, now: number): boolean =>
  now - Date.parse(startedAt) > RUN_ROWS_KEPT_DAYS * DAY_MS
