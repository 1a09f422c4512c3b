import { createRunStore, type RunRowBase } from '../sync-runs/index.ts'

export type BookRunRow = RunRowBase

const store = createRunStore({
  runs: 'book_runs',
  syncs: 'book_syncs',
  lockedBy: 'sync_id',
  underWay: ['reading', 'applying', 'undoing'],
  more: {},
})

export const { findRun, listRunsOf, insertRun, updateRun, endInterrupted, settleFormerRuns, formerRuns } = store
export const { isBusy, findLastGoodRows } = store
