import type { HeldReason, SyncOutcome, SyncRunState, SyncUndoOutcome } from '#shared/contract/directory-syncs.ts'
import type { Db } from '../../platform/db.ts'

export type RunObjects = 'people' | 'departments'

export type RunMode = 'full' | 'incremental'

export type RunRow = {
  id: string
  syncId: string
  sourceId: string
  syncName: string
  objects: RunObjects
  state: SyncRunState
  dryRun: boolean
  mode: RunMode
  cursorBefore: string | null
  cursorAfter: string | null
  isComplete: boolean
  syncVersion: number
  sourceVersion: number
  rowsRead: number
  counts: Partial<Record<SyncOutcome, number>>
  undo: Partial<Record<SyncUndoOutcome, number>> | null
  heldFor: HeldReason[]
  problem: string | null
  words: string
  reason: string | null
  startedBy: string | null
  decidedBy: string | null
  startedAt: Date
  finishedAt: Date | null
}

/** Its task has ended without it: killed too often, or stopped by an error that nobody foresaw. */
const isInterrupted = (db: Db) => db`(r.state in ('reading', 'planning', 'applying', 'undoing')
  and not exists (select from background_tasks t where t.id = r.task_id and t.state in ('queued', 'running')))`

/** An undo that was cut off for good can be asked for again. */
const interruptedState = (db: Db) => db`case r.state when 'undoing' then 'done' else 'failed' end`

const columns = (db: Db) => db`
  r.id, r.sync_id as "syncId", r.source_id as "sourceId", y.name as "syncName", r.objects, r.dry_run as "dryRun", r.mode, r.cursor_before as "cursorBefore", r.cursor_after as "cursorAfter",
  case when ${isInterrupted(db)} then ${interruptedState(db)} else r.state end as state,
  r.is_complete as "isComplete", r.sync_version as "syncVersion", r.source_version as "sourceVersion", r.rows_read as "rowsRead",
  r.counts, r.undo, r.held_for as "heldFor", case when ${isInterrupted(db)} then 'interrupted' else r.problem end as problem, r.words, r.reason, a.name as "startedBy", b.name as "decidedBy",
  r.started_at as "startedAt", r.finished_at as "finishedAt"`
const tables = (db: Db) => db`
  directory_sync_runs r join directory_syncs y on y.id = r.sync_id left join users a on a.id = r.started_by
  left join users b on b.id = r.decided_by`

export async function findRun(db: Db, id: string, lock = false): Promise<RunRow | null> {
  const [row] = await db<RunRow[]>`
    select ${columns(db)} from ${tables(db)} where r.id = ${id} ${lock ? db`for update of r` : db``}`
  return row ?? null
}

export const listRunsOf = (db: Db, syncId: string) => db<RunRow[]>`
  select ${columns(db)} from ${tables(db)} where r.sync_id = ${syncId} order by r.started_at desc, r.id desc limit 50`

type NewRun = {
  id: string
  syncId: string
  sourceId: string
  objects: RunObjects
  dryRun: boolean
  mode: RunMode
  cursorBefore: string | null
  syncVersion: number
  sourceVersion: number
  startedBy: string | null
  at: Date
}

/** @returns false when another run of the source is under way. */
export async function insertRun(db: Db, run: NewRun): Promise<boolean> {
  const { count } = await db`
    insert into directory_sync_runs (id, sync_id, source_id, objects, state, dry_run, mode, cursor_before, sync_version, source_version, started_by, started_at)
    values (${run.id}, ${run.syncId}, ${run.sourceId}, ${run.objects}, 'reading', ${run.dryRun}, ${run.mode}, ${run.cursorBefore}, ${run.syncVersion}, ${run.sourceVersion},
      ${run.startedBy}, ${run.at})
    on conflict (source_id) where state in ('reading', 'planning', 'applying', 'undoing') do nothing`
  return count > 0
}

type RunChange = Partial<
  Pick<
    RunRow,
    | 'state'
    | 'cursorAfter'
    | 'undo'
    | 'isComplete'
    | 'rowsRead'
    | 'counts'
    | 'heldFor'
    | 'problem'
    | 'words'
    | 'reason'
    | 'finishedAt'
  >
> & { taskId?: string; decidedBy?: string }

const given = <Value>(value: Value | undefined) => value ?? null

/** Only while it is in one of the states `from`. @returns false when it is not. */
export async function updateRun(
  db: Db,
  id: string,
  from: readonly SyncRunState[],
  change: RunChange,
): Promise<boolean> {
  const { counts, heldFor, undo } = change
  const { count } = await db`
    update directory_sync_runs set
      state = coalesce(${given(change.state)}, state), is_complete = coalesce(${given(change.isComplete)}, is_complete),
      cursor_after = coalesce(${given(change.cursorAfter)}, cursor_after), rows_read = coalesce(${given(change.rowsRead)}, rows_read),
      counts = coalesce(${counts ? JSON.stringify(counts) : null}::text::jsonb, counts),
      undo = coalesce(${undo ? JSON.stringify(undo) : null}::text::jsonb, undo),
      held_for = coalesce(${heldFor ? JSON.stringify(heldFor) : null}::text::jsonb, held_for),
      problem = coalesce(${given(change.problem)}, problem), words = coalesce(${given(change.words)}, words),
      reason = coalesce(${given(change.reason)}, reason), finished_at = coalesce(${given(change.finishedAt)}, finished_at),
      task_id = coalesce(${given(change.taskId)}::uuid, task_id), decided_by = coalesce(${given(change.decidedBy)}::uuid, decided_by)
    where id = ${id} and state = any(${from as string[]})`
  return count > 0
}

/** Runs whose task has ended without them, and plans that a newer run replaces. */
export async function settleFormerRuns(
  db: Db,
  { id: syncId, sourceId }: { id: string; sourceId: string },
  at: Date,
): Promise<void> {
  await db`
    update directory_sync_runs r set state = ${interruptedState(db)}, problem = 'interrupted', finished_at = ${at}
    where r.source_id = ${sourceId} and ${isInterrupted(db)}`
  await db`
    update directory_sync_runs set state = 'discarded', problem = 'superseded', finished_at = ${at}
    where sync_id = ${syncId} and state in ('planned', 'held')`
}

/** Is a run of the source under way? Whoever asks holds no lock: a run that begins at the same moment fails by its index. */
export async function isSourceBusy(db: Db, sourceId: string): Promise<boolean> {
  const [row] = await db`
    select 1 from directory_sync_runs where source_id = ${sourceId} and state in ('reading', 'planning', 'applying', 'undoing')`
  return row !== undefined
}

/** Rows of the last run of the sync that was applied as a whole; null: there was none. */
export async function findLastGoodRows(db: Db, syncId: string, objects: RunObjects): Promise<number | null> {
  const [row] = await db<{ rows: number }[]>`
    select rows_read as rows from directory_sync_runs where sync_id = ${syncId} and objects = ${objects} and state = 'done' and is_complete and mode = 'full'
    order by started_at desc limit 1`
  return row?.rows ?? null
}

/** What people were read from a source is forgotten; what was done with them stays in the audit records. */
export async function deleteOldRows(db: Db, before: Date): Promise<void> {
  await db`
    delete from directory_sync_rows where run_id in (select id from directory_sync_runs where started_at < ${before}
      and state not in ('reading', 'planning', 'applying', 'undoing'))`
}
