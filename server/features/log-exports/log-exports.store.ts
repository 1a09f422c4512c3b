import type { Language } from '#shared/contract/endpoint.ts'
import type { Db } from '../../platform/db.ts'

export type ExportRow = {
  id: string
  ownerId: string
  taskId: string
  log: 'login' | 'visit'
  filters: unknown
  columns: string[]
  format: 'csv' | 'xlsx'
  timeZone: string
  language: Language
  state: 'reading' | 'writing' | 'ready'
  rows: number
  next: string | null
  parts: number
  cutAt: Date | null
  bytes: number | null
  sha256: string | null
  createdAt: Date
}

type NewExport = Pick<
  ExportRow,
  'id' | 'ownerId' | 'taskId' | 'log' | 'filters' | 'columns' | 'format' | 'timeZone' | 'language' | 'createdAt'
>

export async function insertExport(db: Db, one: NewExport): Promise<void> {
  await db`
    insert into log_exports (id, owner_id, task_id, log, filters, columns, format, time_zone, language, created_at)
    values (${one.id}, ${one.ownerId}, ${one.taskId}, ${one.log}, ${JSON.stringify(one.filters)}::text::jsonb, ${one.columns},
      ${one.format}, ${one.timeZone}, ${one.language}, ${one.createdAt})`
}

/** Serialised per person. */
export async function countExports(db: Db, ownerId: string): Promise<number> {
  await db`select pg_advisory_xact_lock(hashtextextended('log-export ' || ${ownerId}, 0))`
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from log_exports where owner_id = ${ownerId}`
  return row?.count ?? 0
}

const columns = (db: Db) => db`
  e.id, e.owner_id, e.task_id, e.log, e.filters, e.columns, e.format, e.time_zone, e.language,
  e.state, e.rows, e.next, e.parts, e.cut_at, e.bytes::float8 as bytes, e.sha256, e.created_at`

/** @param ownerId null: any */
export async function findExport(db: Db, id: string, ownerId: string | null): Promise<ExportRow | null> {
  const [row] = await db<ExportRow[]>`
    select ${columns(db)} from log_exports e where e.id = ${id} ${ownerId ? db`and e.owner_id = ${ownerId}` : db``}`
  return row ?? null
}

/** Until the transaction ends, nobody can delete the export. @returns false if it is deleted already */
export async function lockExport(db: Db, id: string): Promise<boolean> {
  const found = await db`select from log_exports where id = ${id} for no key update`
  return found.length > 0
}

type ListedRow = ExportRow & { taskState: string | null; percent: number | null }

export const listExports = (db: Db, ownerId: string, log: ExportRow['log'], limit: number) => db<ListedRow[]>`
  select ${columns(db)}, t.state as task_state, t.done as percent
  from log_exports e left join background_tasks t on t.id = e.task_id
  where e.owner_id = ${ownerId} and e.log = ${log} order by e.created_at desc, e.id desc limit ${limit}`

export async function insertPart(
  db: Db,
  exportId: string,
  { kind, part, data }: { kind: 'rows' | 'file'; part: number; data: Buffer },
): Promise<void> {
  await db`insert into log_export_parts (export_id, kind, part, data) values (${exportId}, ${kind}, ${part}, ${data})`
}

export async function findPart(
  db: Db,
  exportId: string,
  { kind, part }: { kind: 'rows' | 'file'; part: number },
): Promise<Buffer | null> {
  const [row] = await db<{ data: Buffer }[]>`
    select data from log_export_parts where export_id = ${exportId} and kind = ${kind} and part = ${part}`
  return row?.data ?? null
}

export async function deleteParts(db: Db, exportId: string, kind: 'rows' | 'file'): Promise<void> {
  await db`delete from log_export_parts where export_id = ${exportId} and kind = ${kind}`
}

type Step = { rows: number; next: string | null; parts: number; state: 'reading' | 'writing'; cutAt: Date | null }

export async function updateStep(db: Db, id: string, step: Step): Promise<void> {
  await db`
    update log_exports set rows = ${step.rows}, next = ${step.next}, parts = ${step.parts}, state = ${step.state},
      cut_at = ${step.cutAt} where id = ${id}`
}

/** Marks the file as complete and deletes the rows it was made from. */
export async function finishExport(
  db: Db,
  id: string,
  { bytes, sha256, now }: { bytes: number; sha256: string; now: Date },
): Promise<void> {
  await db`update log_exports set state = 'ready', bytes = ${bytes}, sha256 = ${sha256}, ready_at = ${now} where id = ${id}`
  await deleteParts(db, id, 'rows')
}

export async function deleteExport(db: Db, id: string): Promise<void> {
  await db`delete from log_exports where id = ${id}`
}

export async function deleteExportsBefore(db: Db, time: Date): Promise<void> {
  await db`delete from log_exports where created_at < ${time}`
}
