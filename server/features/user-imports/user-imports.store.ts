import type { ImportField, ImportOutcome, ImportState } from '#shared/contract/user-imports.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import { listPage, type PageQuery } from '../../platform/list.ts'
import type { CellNote } from '../../platform/spreadsheet/read-sheet.ts'
import type { CellProblem } from './import-values.rules.ts'

export type Counts = Record<ImportOutcome | 'accepted' | 'written', number>
export const NO_COUNTS: Counts = { new: 0, changed: 0, doubtful: 0, unchanged: 0, bad: 0, accepted: 0, written: 0 }
type UndoCounts = { undone: number; partly: number; kept: number }

export type RunRow = {
  id: string
  ownerId: string
  ownerName: string
  fileName: string
  format: 'csv' | 'xlsx'
  encoding: string
  separator: string
  state: ImportState
  headings: string[]
  mapping: (ImportField | null)[]
  rowCount: number
  counts: Partial<Counts>
  undo: UndoCounts | null
  version: number
  createdAt: Date
  finishedAt: Date | null
  taskId: string | null
  taskState: string | null
  taskDone: number | null
  taskTotal: number | null
  taskError: string | null
  taskErrorParams: Record<string, string | number> | null
}

const columns = (db: Db) => db`
  i.id, i.owner_id, u.name as owner_name, i.file_name, i.format, i.encoding, i.separator, i.state,
  i.headings, i.mapping, i.row_count, i.counts, i.undo_counts as undo, i.version, i.created_at,
  i.finished_at, t.id as task_id, t.state as task_state, t.done as task_done, t.total as task_total,
  t.error as task_error, t.error_params as task_error_params`

const runsFrom = (db: Db, ownerId: string | null) => db`
  from user_imports i join users u on u.id = i.owner_id left join background_tasks t on t.id = i.task_id
  where true ${ownerId ? db`and i.owner_id = ${ownerId}` : db``}`

/** @param ownerId null: any */
export async function findRun(
  db: Db,
  { id, ownerId, lock = false }: { id: string; ownerId: string | null; lock?: boolean },
): Promise<RunRow | null> {
  const [row] = await db<RunRow[]>`
    select ${columns(db)} ${runsFrom(db, ownerId)} and i.id = ${id} ${lock ? db`for update of i` : db``}`
  return row ?? null
}

type RunFilter = { ownerId: string | null; search: string }

const runsMatching = (db: Db, { ownerId, search }: RunFilter) => db`
  ${runsFrom(db, ownerId)} ${search ? db`and position(lower(${search}) in lower(i.file_name)) > 0` : db``}`

export function pageOfRuns(db: Db, filter: RunFilter & { oldestFirst: boolean }, query: PageQuery) {
  const from = runsMatching(db, filter)
  return listPage(db, query, from, ({ asc, desc, bounds }) => {
    const direction = filter.oldestFirst ? asc : desc
    return db<RunRow[]>`
      select ${columns(db)} ${from} order by i.created_at ${direction}, i.id ${direction} ${bounds}`
  })
}

type NewRun = Pick<RunRow, 'id' | 'ownerId' | 'fileName' | 'format' | 'encoding' | 'separator'> & { at: Date }

export async function insertRun(db: Db, run: NewRun): Promise<void> {
  await db`
    insert into user_imports (id, owner_id, file_name, format, encoding, separator, state, created_at, updated_at)
    values (${run.id}, ${run.ownerId}, ${run.fileName}, ${run.format}, ${run.encoding}, ${run.separator}, 'read', ${run.at},
      ${run.at})`
}

type Changes = {
  state?: ImportState
  headings?: string[]
  mapping?: (ImportField | null)[]
  rowCount?: number
  stagedBytes?: number
  counts?: Counts
  undo?: UndoCounts
  taskId?: string
  finishedAt?: Date
}

const json = (db: Db, value: unknown) => db`${JSON.stringify(value)}::text::jsonb`

export async function updateRun(db: Db, id: string, changes: Changes, now: Date): Promise<void> {
  const { state, headings, mapping, rowCount, stagedBytes, counts, undo, taskId, finishedAt } = changes
  await db`
    update user_imports set updated_at = ${now}, version = version + 1
      ${state ? db`, state = ${state}` : db``} ${rowCount === undefined ? db`` : db`, row_count = ${rowCount}`}
      ${stagedBytes === undefined ? db`` : db`, staged_bytes = ${stagedBytes}`}
      ${headings ? db`, headings = ${json(db, headings)}` : db``} ${mapping ? db`, mapping = ${json(db, mapping)}` : db``}
      ${counts ? db`, counts = ${json(db, counts)}` : db``} ${undo ? db`, undo_counts = ${json(db, undo)}` : db``}
      ${taskId ? db`, task_id = ${taskId}` : db``} ${finishedAt ? db`, finished_at = ${finishedAt}` : db``}
    where id = ${id}`
}

export async function countOutcomes(db: Db, importId: string): Promise<Counts> {
  const rows = await db<{ outcome: ImportOutcome; count: number; accepted: number; written: number }[]>`
    select outcome, count(*)::int as count, count(*) filter (where written)::int as written,
      count(*) filter (where outcome = 'doubtful' and accepted)::int as accepted
    from user_import_rows where import_id = ${importId} and outcome is not null group by outcome`
  const counts = { ...NO_COUNTS }
  for (const { outcome, count, accepted, written } of rows) {
    counts[outcome] = count
    counts.accepted += accepted
    counts.written += written
  }
  return counts
}

export async function countUndone(db: Db, importId: string): Promise<UndoCounts> {
  const [row] = await db<UndoCounts[]>`
    select count(*) filter (where undo = 'undone')::int as undone, count(*) filter (where undo = 'partly')::int as partly,
      count(*) filter (where undo not in ('undone', 'partly'))::int as kept
    from user_import_rows where import_id = ${importId} and undo is not null`
  return row ?? { undone: 0, partly: 0, kept: 0 }
}

export type StagedRow = { row: number; cells: string; notes: Record<number, CellNote> | null }

/** The rows of a file after `after`, in their order. */
export const listStagedRows = (db: Db, importId: string, { after, most }: { after: number; most: number }) => db<
  StagedRow[]
>`
  select row, cells, notes from user_import_rows where import_id = ${importId} and row > ${after} order by row limit ${most}`

/** Rows after `after` that are valid or accepted, and not imported yet. */
export const listWaitingRows = (db: Db, importId: string, { after, most }: { after: number; most: number }) => db<
  StagedRow[]
>`
  select row, cells, notes from user_import_rows
  where import_id = ${importId} and row > ${after} 
    and (outcome in ('new', 'changed') or outcome = 'doubtful' and accepted) and not written
  order by row limit ${most}`

type CheckedRow = {
  row: number
  outcome: ImportOutcome
  problems: CellProblem[] | null
  keys: string[]
}

export async function updateCheckedRows(db: Db, importId: string, rows: readonly CheckedRow[]): Promise<void> {
  await db`
    update user_import_rows r set outcome = j.outcome, problems = j.problems, keys = j.keys, accepted = false, written = false, user_id = null,
      before = null, after = null, undo = null
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as j(row int, outcome text, problems jsonb, keys text[])
    where r.import_id = ${importId} and r.row = j.row`
}

/** @param rows null: all doubtful ones. */
export const updateAccepted = (db: Db, importId: string, rows: number[] | null, accepted: boolean) => db`
  update user_import_rows set accepted = ${accepted}
  where import_id = ${importId} and outcome = 'doubtful' ${rows ? db`and row = any(${rows}::int[])` : db``}`

/** A value in several rows is valid only in the first. */
export async function markRepeatedValues(db: Db, importId: string): Promise<void> {
  await db`
    with keyed as (
      select r.row, k.key, min(r.row) over (partition by k.key) as first
      from user_import_rows r cross join lateral unnest(r.keys) k(key) where r.import_id = ${importId}),
    repeated as (select row, min(first) as first, min(key) as key from keyed where row > first group by row)
    update user_import_rows r set outcome = 'bad', problems = coalesce(r.problems, '[]') || jsonb_build_array(
      jsonb_build_object('column', null, 'key', 'import-problem.repeated',
        'params', jsonb_build_object('row', p.first, 'word', p.key)))
    from repeated p where r.import_id = ${importId} and r.row = p.row and r.outcome <> 'bad'`
}

export type WrittenRow = {
  row: number
  outcome: ImportOutcome
  problems: CellProblem[] | null
  written: boolean
  userId: string | null
  before: unknown
  after: unknown
}

export async function updateWrittenRows(db: Db, importId: string, rows: readonly WrittenRow[]): Promise<void> {
  await db`
    update user_import_rows r set outcome = j.outcome, problems = coalesce(j.problems, r.problems), written = j.written,
      user_id = j."userId", before = j.before, after = j.after
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as j(row int, outcome text, problems jsonb, written boolean,
      "userId" uuid, before jsonb, after jsonb)
    where r.import_id = ${importId} and r.row = j.row`
}

export type UndoableRow = {
  row: number
  outcome: 'new' | 'changed'
  userId: string
  /** Null: deleted, or no longer in the caller's scope. */
  account: string | null
  /** Neither the person nor anybody else has touched the account since it was created. */
  isUntouched: boolean
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

/** Rows that are imported and not undone, the last first, so that a person changed twice is restored in the right order. */
export const listUndoableRows = (db: Db, importId: string, most: number, isSeen: SqlFragment) => db<UndoableRow[]>`
  select r.row, r.outcome, r.user_id, u.account, r.before, r.after,
    coalesce(u.version = 1 and u.last_login_at is null and not u.activated, false) as is_untouched
  from user_import_rows r left join users u on u.id = r.user_id and u.deleted_at is null and ${isSeen}
  where r.import_id = ${importId} and r.written and r.undo is null order by r.row desc limit ${most}`

export async function updateUndoneRows(
  db: Db,
  importId: string,
  rows: readonly { row: number; undo: string }[],
): Promise<void> {
  await db`
    update user_import_rows r set undo = j.undo
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as j(row int, undo text)
    where r.import_id = ${importId} and r.row = j.row`
}

export const listRolesByPerson = (db: Db, ids: string[]) => db<{ userId: string; roleIds: string[] }[]>`
  select user_id, array_agg(role_id) as role_ids from role_members where user_id = any(${ids}::uuid[])
  group by user_id`

export type ReportRow = StagedRow & {
  outcome: ImportOutcome
  accepted: boolean
  written: boolean
  problems: CellProblem[] | null
  undo: string | null
}

const reportRowsFrom = (db: Db, importId: string, outcome: ImportOutcome | null) => db`
  from user_import_rows where import_id = ${importId} and outcome is not null ${outcome ? db`and outcome = ${outcome}` : db``}`

/** What needs attention comes first. */
const attentionRank = (db: Db) => db`case outcome when 'bad' then 0 when 'doubtful' then 1 else 2 end`

export function pageOfReport(db: Db, importId: string, outcome: ImportOutcome | null, query: PageQuery) {
  const from = reportRowsFrom(db, importId, outcome)
  return listPage(
    db,
    query,
    from,
    ({ asc, bounds }) => db<ReportRow[]>`
      select row, cells, notes, outcome, accepted, written, problems, undo ${from}
      order by ${attentionRank(db)} ${asc}, row ${asc} ${bounds}`,
  )
}

export const listReportRows = (
  db: Db,
  importId: string,
  { onlyBad, after, most }: { onlyBad: boolean; after: number; most: number },
) => db<ReportRow[]>`
  select row, cells, notes, outcome, accepted, written, problems, undo from user_import_rows
  where import_id = ${importId} and row > ${after} 
    ${onlyBad ? db`and (outcome = 'bad' or outcome = 'doubtful' and not accepted)` : db``} order by row limit ${most}`

export async function loadSavedColumns(db: Db, ownerId: string): Promise<Map<string, string | null>> {
  const rows = await db<{ heading: string; field: string | null }[]>`
    select heading, field from user_import_columns where owner_id = ${ownerId} order by updated_at desc limit 1000`
  return new Map(rows.map(({ heading, field }) => [heading, field]))
}

export async function upsertSavedColumns(
  db: Db,
  ownerId: string,
  runColumns: readonly { heading: string; field: string | null }[],
  now: Date,
): Promise<void> {
  await db`
    insert into user_import_columns (owner_id, heading, field, updated_at)
    select ${ownerId}, c.heading, c.field, ${now}
    from jsonb_to_recordset(${JSON.stringify(runColumns)}::text::jsonb) as c(heading text, field text)
    on conflict (owner_id, heading) do update set field = excluded.field, updated_at = excluded.updated_at`
}

export async function hasRows(db: Db, importId: string): Promise<boolean> {
  const [row] = await db`select 1 from user_import_rows where import_id = ${importId} limit 1`
  return row !== undefined
}

/** SQL condition: the file is unused, or nothing of it is left; a check that failed left nothing either. */
const isDiscardable = (db: Db) => db`
  (i.state in ('read', 'checked', 'undone') or i.state = 'checking' and not exists (
    select from background_tasks t where t.id = i.task_id and t.state in ('queued', 'running')))`

/** The size of a person's staged rows per import, the oldest first. */
export const listStagedSizes = (db: Db, ownerId: string) => db<{ id: string; bytes: number; isOpen: boolean }[]>`
  select i.id, i.staged_bytes::float8 as bytes, ${isDiscardable(db)} as is_open from user_imports i
  where owner_id = ${ownerId} and staged_bytes > 0 order by created_at, id`

/** Deletes the rows of an unused file. @returns false: it has been used since. */
export async function deleteDiscardableRows(db: Db, importId: string): Promise<boolean> {
  const { count } = await db`
    update user_imports i set staged_bytes = 0, version = version + 1 where i.id = ${importId} and ${isDiscardable(db)}`
  if (count > 0) await db`delete from user_import_rows where import_id = ${importId}`
  return count > 0
}

/**
 * Deletes the rows of files read before this time, one file at a time; the import itself and its counts stay. @returns false: nothing is
 * left.
 */
export async function deleteRowsBefore(db: Db, before: Date): Promise<boolean> {
  const { count } = await db`
    with old as (
      select i.id from user_imports i where i.updated_at < ${before}
        and exists (select from user_import_rows r where r.import_id = i.id) limit 1),
    deleted as (delete from user_import_rows where import_id = (select id from old))
    update user_imports set staged_bytes = 0 where id = (select id from old)`
  return count > 0
}
