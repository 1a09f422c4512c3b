import { createRunStore, type RunRowBase } from '../sync-runs/index.ts'

export type BookRunRow = RunRowBase

export const { findRun, listRunsOf, insertRun, updateRun, settleFormerRuns, isBusy, findLastGoodRows, formerRuns } =
  createRunStore({
    runs: 'book_runs',
    syncs: 'book_syncs',
    lockedBy: 'sync_id',
    underWay: ['reading', 'applying', 'undoing'],
    more: {},
  })
