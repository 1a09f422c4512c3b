import type { Db } from '../../platform/db.ts'
import { createRunStore, type RunRowBase } from '../sync-runs/index.ts'

export type RunObjects = 'people' | 'departments'

export type RunMode = 'full' | 'incremental'

type OwnColumns = {
  sourceId: string
  objects: RunObjects
  mode: RunMode
  cursorBefore: string | null
  cursorAfter: string | null
  isComplete: boolean
  sourceVersion: number
  /** Covers the people named by events up to this one; null: reads what its mode says. */
  eventsUntil: string | null
}
export type RunRow = RunRowBase & OwnColumns

const store = createRunStore<OwnColumns>({
  runs: 'directory_sync_runs',
  syncs: 'directory_syncs',
  lockedBy: 'source_id',
  underWay: ['reading', 'planning', 'applying', 'undoing'],
  more: {
    ...{ sourceId: 'source_id', objects: 'objects', mode: 'mode', cursorBefore: 'cursor_before' },
    ...{ cursorAfter: 'cursor_after', isComplete: 'is_complete', sourceVersion: 'source_version' },
    eventsUntil: 'events_until',
  },
})

export const { findRun, listRunsOf, insertRun, updateRun, endInterrupted, settleFormerRuns, formerRuns } = store
export const isSourceBusy = store.isBusy

/** How many rows a full run is expected to read, from those that were applied completely; null: there is none. */
export const findExpectedRows = (db: Db, syncId: string, now: Date, objects: RunObjects): Promise<number | null> =>
  store.findExpectedRows(db, syncId, now, db`r.objects = ${objects} and r.is_complete and r.mode = 'full'`)
