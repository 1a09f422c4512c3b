import type { Db } from '../../platform/db.ts'
import { createRunStore, incrementRun, type RunRowBase } from '../sync-runs/index.ts'

type Writes = {
  /** Rows of the plan to be written. */
  toWrite: number
  /** Those of them that were tried so far, whatever came of it. */
  tried: number
}
export type BookRunRow = RunRowBase & Writes

const store = createRunStore<Writes>({
  runs: 'book_runs',
  syncs: 'book_syncs',
  lockedBy: 'sync_id',
  underWay: ['reading', 'applying', 'undoing'],
  more: { toWrite: 'to_write', tried: 'tried' },
})

export const { findRun, listRunsOf, insertRun, updateRun, endInterrupted, settleFormerRuns, formerRuns } = store
export const { isBusy, findExpectedRows } = store

/** Counts a row that was tried, in the transaction of its mark. */
export const countTried = (db: Db, id: string) => incrementRun(db, 'book_runs', 'tried', id)
