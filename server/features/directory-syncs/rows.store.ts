import type { SyncOutcome, SyncUndoOutcome } from '#shared/contract/sync-runs.ts'
import type { Db } from '../../platform/db.ts'
import type { RowPage } from '../sync-runs/index.ts'
import type { Taken } from './leavers.rules.ts'
import { formerRuns } from './runs.store.ts'

export type Problem = { key: string; params?: Record<string, string | number> }

export type StoredRow = {
  row: number
  externalId: string
  cells: string | null
  outcome: SyncOutcome | null
  userId: string | null
  organizationId: string | null
  isApplied: boolean
  before: object | null
  after: object | null
  problems: readonly Problem[] | null
}

export const deleteRows = (db: Db, runId: string) => db`delete from directory_sync_rows where run_id = ${runId}`

/** Deletes the personal data of old runs; the audit records keep what was done. */
export const deleteOldRows = (db: Db, before: Date) => db`
  delete from directory_sync_rows where run_id in (${formerRuns(db, before)})`

type ReadRow = {
  row: number
  externalId: string
  /** Sealed; empty if the row needs no plan. */
  cells: string
  /** Of a row that says about this person what it said before. */
  userId: string | null
  /** Of a row that says how this department is. */
  organizationId: string | null
  /** What is said of such a row. */
  problems: readonly Problem[]
}

export async function insertRows(db: Db, runId: string, rows: readonly ReadRow[]): Promise<void> {
  await db`
    insert into directory_sync_rows (run_id, row, external_id, cells, user_id, organization_id, problems, outcome)
    select ${runId}, g.row, g.external_id, g.cells, g.user_id, g.organization_id, g.problems::jsonb, case when coalesce(g.user_id, g.organization_id) is not null then 'unchanged' end
    from unnest(${rows.map(({ row }) => row)}::int[], ${rows.map(({ externalId }) => externalId)}::text[],
      ${rows.map(({ cells }) => cells)}::text[], ${rows.map(({ userId }) => userId)}::uuid[],
      ${rows.map(({ organizationId }) => organizationId)}::uuid[],
      ${rows.map(({ problems }) => (problems.length > 0 ? JSON.stringify(problems) : null))}::text[])
      as g(row, external_id, cells, user_id, organization_id, problems)`
}

/** How many there are. */
export async function countStaged(db: Db, runId: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from directory_sync_rows where run_id = ${runId}`
  return row?.count ?? 0
}

/** Leaves all rows to be planned. */
export const unmarkRows = (db: Db, runId: string) => db`
  update directory_sync_rows set outcome = null, organization_id = null, problems = null where run_id = ${runId} and outcome = 'unchanged'`

export async function hasUnplannedRows(db: Db, runId: string): Promise<boolean> {
  const [row] = await db`
    select from directory_sync_rows where run_id = ${runId} and outcome is distinct from 'unchanged' limit 1`
  return row !== undefined
}

/** Marks rows without a key or with a repeated one as bad. @returns how many. */
export async function markUnkeyedRows(db: Db, runId: string): Promise<number> {
  const { count } = await db`
    update directory_sync_rows r set outcome = 'bad', user_id = null, organization_id = null,
      problems = case when r.external_id = '' then '[{"key": "directory-sync-problem.no-key"}]'::jsonb
        else '[{"key": "directory-sync-problem.repeated-key"}]'::jsonb end
    where r.run_id = ${runId} and (r.external_id = '' or exists (select from directory_sync_rows o
      where o.run_id = r.run_id and o.external_id = r.external_id and o.row <> r.row))`
  return count
}

const columns = (db: Db) => db`
  row, external_id, cells, outcome, user_id, organization_id,
  is_applied, before, after, problems`

type Step = { after: number; most: number }

/** By the number of the row, because rows that are done are still in the index for a while. */
export const listUnplannedRows = (db: Db, runId: string, { after, most }: Step) => db<StoredRow[]>`
  select ${columns(db)} from directory_sync_rows
  where run_id = ${runId} and row > ${after} and outcome is null order by row limit ${most}`

export const listAllRows = (db: Db, runId: string) => db<StoredRow[]>`
  select ${columns(db)} from directory_sync_rows where run_id = ${runId} order by row`

export const listUnappliedRows = (db: Db, runId: string, { after, most }: Step) => db<StoredRow[]>`
  select ${columns(db)} from directory_sync_rows
  where run_id = ${runId} and row > ${after} and outcome in ('new', 'changed', 'leaver') and not is_applied order by row limit ${most}`

export type PlannedRow = {
  row: number
  outcome: SyncOutcome
  userId: string | null
  organizationId?: string | null
  before: object | null
  after: object | null
  problems: readonly Problem[] | null
  isApplied?: boolean
  /** What it gives back to a returning person. */
  taken?: Taken | null
}

export async function updateRows(db: Db, runId: string, rows: readonly PlannedRow[]): Promise<void> {
  if (rows.length === 0) return
  const marks = rows.map(
    ({ row, outcome, userId, organizationId, before, after, problems, isApplied, taken }): PlannedRow => ({
      ...{ row, outcome, userId, before, after, problems },
      ...(organizationId && { organizationId }),
      ...(isApplied && { isApplied }),
      ...(taken && { taken }),
    }),
  )
  await db`
    update directory_sync_rows r set outcome = g.outcome, user_id = g."userId", organization_id = g."organizationId", before = g.before, after = g.after,
      problems = g.problems, is_applied = coalesce(g."isApplied", false), taken = g.taken
    from jsonb_to_recordset(${JSON.stringify(marks)}::text::jsonb)
      as g(row int, outcome text, "userId" uuid, "organizationId" uuid, before jsonb, after jsonb, problems jsonb, "isApplied" boolean, taken jsonb)
    where r.run_id = ${runId} and r.row = g.row`
}

type AppliedRow = { row: number; userId: string }

/** Rows that were written as they were planned. */
export async function markApplied(db: Db, runId: string, rows: readonly AppliedRow[]): Promise<void> {
  await db`
    update directory_sync_rows r set is_applied = true, user_id = g.user_id
    from unnest(${rows.map(({ row }) => row)}::int[], ${rows.map(({ userId }) => userId)}::uuid[]) as g(row, user_id)
    where r.run_id = ${runId} and r.row = g.row`
}

export type NewRow = Omit<PlannedRow, 'userId' | 'isApplied'> & { externalId: string }

/** Rows for what the source no longer has. */
export async function insertPlannedRows(db: Db, runId: string, rows: readonly NewRow[]): Promise<void> {
  await db`
    insert into directory_sync_rows (run_id, row, external_id, outcome, organization_id, before, after, problems)
    select ${runId}, g.row, g."externalId", g.outcome, g."organizationId", g.before, g.after, g.problems
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      as g(row int, "externalId" text, outcome text, "organizationId" uuid, before jsonb, after jsonb, problems jsonb)`
}

type LeaverRule = { runs: number; at: Date; since: Date; isKept: boolean }

/**
 * Adds a row for each linked person missing from the run; those missing long enough remain to be planned, unless the rule keeps them. A
 * person whom another sync has is no leaver.
 */
export async function insertMissing(
  db: Db,
  { runId, syncId, rule }: { runId: string; syncId: string; rule: LeaverRule },
): Promise<void> {
  await db`
    insert into directory_sync_rows (run_id, row, external_id, outcome, user_id)
    select ${runId}, (select coalesce(max(row), 0) from directory_sync_rows where run_id = ${runId})
        + row_number() over (order by l.external_id),
      l.external_id, case when not m.is_due then 'missing' end, l.user_id
    from directory_links l join users u on u.id = l.user_id and u.deleted_at is null
    cross join lateral (select not ${rule.isKept} and l.missing_runs + 1 >= ${rule.runs}
      and coalesce(l.missing_since, ${rule.at}) <= ${rule.since} and l.taken is null
      and not u.is_super_user and not exists (select from appointments a where a.user_id = u.id)
      and not exists (select from directory_links o where o.user_id = l.user_id and o.sync_id <> l.sync_id and o.missing_since is null)
        as is_due) m
    where l.sync_id = ${syncId} and not exists (select from directory_sync_rows r
      where r.run_id = ${runId} and r.external_id = l.external_id)`
}

export async function countRows(db: Db, runId: string): Promise<Partial<Record<SyncOutcome, number>>> {
  const rows = await db<{ outcome: SyncOutcome; count: number }[]>`
    select outcome, count(*)::int as count from directory_sync_rows where run_id = ${runId} and outcome is not null group by outcome`
  return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]))
}

/** How many missing people were present in the last run. */
export async function countNewlyMissing(db: Db, runId: string, syncId: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from directory_sync_rows r
    join directory_links l on l.sync_id = ${syncId} and l.external_id = r.external_id and l.missing_runs = 0
    where r.run_id = ${runId} and r.outcome in ('missing', 'leaver')`
  return row?.count ?? 0
}

/** How many people each field changes for. */
export const countFields = (db: Db, runId: string) => db<{ field: string; count: number }[]>`
  select k as field, count(*)::int as count from directory_sync_rows r, jsonb_object_keys(r.after) k
  where r.run_id = ${runId} and r.outcome in ('changed', 'moved') group by k order by 2 desc, 1`

export const pageOfRows = (db: Db, { runId, outcome, undo, after, most }: RowPage) => db<
  (Omit<StoredRow, 'cells' | 'problems'> & {
    /** Empty without a person or department. */
    account: string
    name: string
    code: string
    department: string
    undo: SyncUndoOutcome | null
    problems: Problem[] | null
  })[]
>`
  select r.row, r.external_id, r.outcome, r.user_id, r.organization_id, r.before, r.after,
    r.is_applied, r.undo, r.problems, coalesce(u.account, '') as account, coalesce(u.name, '') as name,
    coalesce(o.code, r.after->>'code', r.before->>'code', '') as code, coalesce(o.name, r.after->>'name', r.before->>'name', '') as department
  from directory_sync_rows r left join users u on u.id = r.user_id left join organizations o on o.id = r.organization_id
  where r.run_id = ${runId} and r.row > ${after} ${outcome ? db`and r.outcome = ${outcome}` : db``}
    ${undo ? db`and r.undo = ${undo}` : db``} order by r.row limit ${most}`

/** Names of departments by the rows of a run, which may only plan them. */
export const listPlannedNames = (db: Db, runId: string, ids: readonly string[]) => db<{ id: string; name: string }[]>`
  select organization_id as id, after->>'name' as name from directory_sync_rows
  where run_id = ${runId} and outcome = 'new' and organization_id = any(${ids as string[]}::uuid[])`

export type UndoableRow = Pick<StoredRow, 'row' | 'externalId' | 'outcome' | 'before' | 'after'> & {
  userId: string
  /** What it gave back. */
  taken: Taken | null
  /** Null: deleted since. */
  account: string | null
  /** Neither changed nor used since it was created, and no other sync has them. */
  isUntouched: boolean
}

/** Rows written by a run and not undone yet, the last ones first. */
export const listUndoableRows = (db: Db, runId: string, { before, most }: { before: number; most: number }) => db<
  UndoableRow[]
>`
  select r.row, r.external_id, r.outcome, r.user_id, u.account, r.before, r.after, r.taken,
    coalesce(u.version = 1 and u.last_login_at is null and not u.activated, false) and not exists (select from directory_links l
      join directory_sync_runs d on d.id = r.run_id where l.user_id = u.id and l.sync_id <> d.sync_id) as is_untouched
  from directory_sync_rows r left join users u on u.id = r.user_id and u.deleted_at is null
  where r.run_id = ${runId} and r.is_applied and r.undo is null and r.user_id is not null and r.row < ${before} order by r.row desc limit ${most}`

/** How many there are. */
export async function countUndoable(db: Db, runId: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from directory_sync_rows where run_id = ${runId} and is_applied and undo is null`
  return row?.count ?? 0
}

export type UndoneRow = { row: number; undo: SyncUndoOutcome }

export async function updateUndoneRows(db: Db, runId: string, rows: readonly UndoneRow[]): Promise<void> {
  await db`
    update directory_sync_rows r set undo = g.undo
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as g(row int, undo text)
    where r.run_id = ${runId} and r.row = g.row`
}

export async function countUndone(db: Db, runId: string): Promise<Partial<Record<SyncUndoOutcome, number>>> {
  const rows = await db<{ undo: SyncUndoOutcome; count: number }[]>`
    select undo, count(*)::int as count from directory_sync_rows where run_id = ${runId} and undo is not null group by undo`
  return Object.fromEntries(rows.map(({ undo, count }) => [undo, count]))
}
