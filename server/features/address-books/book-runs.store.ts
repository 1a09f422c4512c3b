import type { HeldReason, SyncOutcome, SyncRunState, SyncUndoOutcome } from '#shared/contract/directory-syncs.ts'
import type { Db } from '../../platform/db.ts'

export type BookRunRow = {
  id: string
  syncId: string
  syncName: string
  state: SyncRunState
  dryRun: boolean
  syncVersion: number
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

/** Its task has ended without it. */
const isInterrupted = (db: Db) => db`(r.state in ('reading', 'applying', 'undoing')
  and not exists (select from background_tasks t where t.id = r.task_id and t.state in ('queued', 'running')))`
/** An undo that was cut off for good can be asked for again. */
const stateThen = (db: Db) => db`case r.state when 'undoing' then 'done' else 'failed' end`

const columns = (db: Db) => db`
  r.id, r.sync_id as "syncId", s.name as "syncName", r.dry_run as "dryRun",
  case when ${isInterrupted(db)} then ${stateThen(db)} else r.state end as state, r.sync_version as "syncVersion",
  r.rows_read as "rowsRead", r.counts, r.undo, r.held_for as "heldFor",
  case when ${isInterrupted(db)} then 'interrupted' else r.problem end as problem, r.words, r.reason,
  a.name as "startedBy", b.name as "decidedBy", r.started_at as "startedAt", r.finished_at as "finishedAt"`
const tables = (db: Db) => db`
  book_runs r join book_syncs s on s.id = r.sync_id left join users a on a.id = r.started_by left join users b on b.id = r.decided_by`

export async function findRun(db: Db, id: string, lock = false): Promise<BookRunRow | null> {
  const [row] = await db<BookRunRow[]>`
    select ${columns(db)} from ${tables(db)} where r.id = ${id} ${lock ? db`for update of r` : db``}`
  return row ?? null
}

export const listRunsOf = (db: Db, syncId: string) => db<BookRunRow[]>`
  select ${columns(db)} from ${tables(db)} where r.sync_id = ${syncId} order by r.started_at desc, r.id desc limit 50`

type NewRun = { id: string; syncId: string; dryRun: boolean; syncVersion: number; startedBy: string | null; at: Date }

/** @returns false when another run of the sync is under way. */
export async function insertRun(db: Db, run: NewRun): Promise<boolean> {
  const { count } = await db`
    insert into book_runs (id, sync_id, state, dry_run, sync_version, started_by, started_at)
    values (${run.id}, ${run.syncId}, 'reading', ${run.dryRun}, ${run.syncVersion}, ${run.startedBy}, ${run.at})
    on conflict (sync_id) where state in ('reading', 'applying', 'undoing') do nothing`
  return count > 0
}

type RunChange = Partial<
  Pick<BookRunRow, 'state' | 'undo' | 'rowsRead' | 'counts' | 'heldFor' | 'problem' | 'words' | 'reason' | 'finishedAt'>
> & { taskId?: string; decidedBy?: string }

const given = <Value>(value: Value | undefined) => value ?? null
const json = (value: unknown) => (value ? JSON.stringify(value) : null)

/** Only while it is in one of the states `from`. @returns false when it is not. */
export async function updateRun(
  db: Db,
  id: string,
  from: readonly SyncRunState[],
  change: RunChange,
): Promise<boolean> {
  const { count } = await db`
    update book_runs set state = coalesce(${given(change.state)}, state), rows_read = coalesce(${given(change.rowsRead)}, rows_read),
      counts = coalesce(${json(change.counts)}::text::jsonb, counts), undo = coalesce(${json(change.undo)}::text::jsonb, undo),
      held_for = coalesce(${json(change.heldFor)}::text::jsonb, held_for), problem = coalesce(${given(change.problem)}, problem),
      words = coalesce(${given(change.words)}, words), reason = coalesce(${given(change.reason)}, reason),
      finished_at = coalesce(${given(change.finishedAt)}, finished_at), task_id = coalesce(${given(change.taskId)}::uuid, task_id),
      decided_by = coalesce(${given(change.decidedBy)}::uuid, decided_by)
    where id = ${id} and state = any(${from as string[]})`
  return count > 0
}

/** Runs whose task has ended without them, and plans that a newer run replaces. */
export async function settleFormerRuns(db: Db, syncId: string, at: Date): Promise<void> {
  await db`
    update book_runs r set state = ${stateThen(db)}, problem = 'interrupted', finished_at = ${at}
    where r.sync_id = ${syncId} and ${isInterrupted(db)}`
  await db`
    update book_runs set state = 'discarded', problem = 'superseded', finished_at = ${at}
    where sync_id = ${syncId} and state in ('planned', 'held')`
}

export async function isUnderWay(db: Db, syncId: string): Promise<boolean> {
  const [row] =
    await db`select 1 from book_runs r where r.sync_id = ${syncId} and r.state in ('reading', 'applying', 'undoing')`
  return row !== undefined
}

/** How many rows the last run had that was written as a whole; null: there was none. */
export async function findLastGoodRows(db: Db, syncId: string): Promise<number | null> {
  const [row] = await db<{ rows: number }[]>`
    select rows_read as rows from book_runs where sync_id = ${syncId} and state = 'done' order by started_at desc limit 1`
  return row?.rows ?? null
}

/** What was planned of people is forgotten; that it was done stays in the audit records. */
export const deleteOldRows = (db: Db, before: Date) => db`
  delete from book_rows where run_id in (select id from book_runs where started_at < ${before}
    and state not in ('reading', 'applying', 'undoing'))`
