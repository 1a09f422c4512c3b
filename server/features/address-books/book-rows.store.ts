import type { SyncOutcome, SyncUndoOutcome } from '#shared/contract/sync-runs.ts'
import type { Db } from '../../platform/db.ts'
import type { RowPage } from '../sync-runs/index.ts'
import type { BookKind, BookProblem } from './book-plan.types.ts'
import { formerRuns } from './book-runs.store.ts'

export type BookRow = {
  row: number
  kind: BookKind
  localId: string
  externalId: string | null
  outcome: SyncOutcome
  /** Encrypted. */
  plan: string | null
  fields: string[]
  problem: BookProblem | null
  isAttempted: boolean
  isUndoAttempted: boolean
}

const CHUNK = 1000

export async function insertRows(
  db: Db,
  runId: string,
  rows: readonly Omit<BookRow, 'isAttempted' | 'isUndoAttempted'>[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += CHUNK) {
    await db`
      insert into book_rows (run_id, row, kind, local_id, external_id, outcome, plan, fields, problem)
      select ${runId}, g.row, g.kind, g."localId", g."externalId", g.outcome, g.plan, g.fields, g.problem
      from jsonb_to_recordset(${JSON.stringify(rows.slice(from, from + CHUNK))}::text::jsonb)
        as g(row int, kind text, "localId" uuid, "externalId" text, outcome text, plan text, fields text[], problem jsonb)`
  }
}

export const deleteRows = (db: Db, runId: string) => db`delete from book_rows where run_id = ${runId}`

/** Deletes the rows of all runs of a sync. */
export const deleteRowsOf = (db: Db, syncId: string) => db`
  delete from book_rows where run_id in (select id from book_runs where sync_id = ${syncId})`

/** Deletes the personal data of old plans; the audit records keep that it was done. */
export const deleteOldRows = (db: Db, before: Date) => db`
  delete from book_rows where run_id in (${formerRuns(db, before)})`

const columns = (db: Db) => db`
  row, kind, local_id, external_id, outcome, plan, fields, problem, is_attempted,
  is_undo_attempted`

/** Rows still to be written, in their order. */
export const listUnapplied = (db: Db, runId: string, most: number) => db<BookRow[]>`
  select ${columns(db)} from book_rows
  where run_id = ${runId} and outcome in ('new', 'changed', 'moved', 'leaver') and not is_applied order by row limit ${most}`

/** Written rows that are not undone yet, the last first. */
export const listUndoable = (db: Db, runId: string, most: number) => db<BookRow[]>`
  select ${columns(db)} from book_rows where run_id = ${runId} and is_applied and undo is null order by row desc limit ${most}`

/** How many there are. */
export async function countUndoable(db: Db, runId: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from book_rows where run_id = ${runId} and is_applied and undo is null`
  return row?.count ?? 0
}

export const markAttempted = (db: Db, runId: string, row: number) => db`
  update book_rows set is_attempted = true where run_id = ${runId} and row = ${row}`

export const markUndoAttempted = (db: Db, runId: string, row: number) => db`
  update book_rows set is_undo_attempted = true where run_id = ${runId} and row = ${row}`

export type RowMark = {
  outcome: SyncOutcome
  isApplied: boolean
  externalId: string | null
  problem: BookProblem | null
}

export const markRow = (db: Db, runId: string, row: number, mark: RowMark) => db`
  update book_rows set outcome = ${mark.outcome}, is_applied = ${mark.isApplied}, external_id = ${mark.externalId},
    problem = ${mark.problem && JSON.stringify(mark.problem)}::text::jsonb
  where run_id = ${runId} and row = ${row}`

export const markUndone = (db: Db, runId: string, row: number, undo: SyncUndoOutcome) => db`
  update book_rows set undo = ${undo} where run_id = ${runId} and row = ${row}`

export async function countRows(db: Db, runId: string): Promise<Partial<Record<SyncOutcome, number>>> {
  const rows = await db<{ outcome: SyncOutcome; count: number }[]>`
    select outcome, count(*)::int as count from book_rows where run_id = ${runId} group by outcome`
  return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]))
}

export async function countUndone(db: Db, runId: string): Promise<Partial<Record<SyncUndoOutcome, number>>> {
  const rows = await db<{ undo: SyncUndoOutcome; count: number }[]>`
    select undo, count(*)::int as count from book_rows where run_id = ${runId} and undo is not null group by undo`
  return Object.fromEntries(rows.map(({ undo, count }) => [undo, count]))
}

export const pageOfRows = (db: Db, { runId, outcome, undo, after, most }: RowPage) => db<
  (BookRow & {
    isApplied: boolean
    undo: SyncUndoOutcome | null
    account: string | null
    person: string | null
    code: string | null
    department: string | null
  })[]
>`
  select r.row, r.kind, r.local_id, r.external_id, r.outcome, r.plan, r.fields, r.problem,
    r.is_attempted, r.is_undo_attempted, r.is_applied, r.undo, u.account, u.name as person, o.code, o.name as department
  from book_rows r left join users u on r.kind = 'person' and u.id = r.local_id
    left join organizations o on r.kind = 'department' and o.id = r.local_id
  where r.run_id = ${runId} and r.row > ${after} ${outcome ? db`and r.outcome = ${outcome}` : db``}
    ${undo ? db`and r.undo = ${undo}` : db``} order by r.row limit ${most}`
