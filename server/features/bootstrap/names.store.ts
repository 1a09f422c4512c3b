import type { Db } from '../../platform/db.ts'

export type NameTable =
  | 'roles'
  | 'organization_attributes'
  | 'user_categories'
  | 'personnel_natures'
  | 'application_categories'

/** Tables whose rows are also edited in the back office. */
const VERSIONED_TABLES: readonly NameTable[] = ['organization_attributes', 'user_categories', 'personnel_natures']

/** `position` is 0 for roles, which have none. */
export type NameRow = { id: string; code: string; name: string; names: Record<string, string>; position: number }

const MAX_NAMES = 10_000

export const listNames = (db: Db, table: NameTable) => db<NameRow[]>`
  select id, code, name, names, ${table === 'roles' ? db`0` : db`position`} as position
  from ${db(table)} order by code limit ${MAX_NAMES}`

const rowsOf = (db: Db, rows: readonly NameRow[]) => db`
  jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id uuid, code text, name text, names jsonb, position int)`

export async function insertNames(db: Db, table: NameTable, rows: readonly NameRow[]): Promise<void> {
  if (rows.length === 0) return
  if (table === 'roles') {
    await db`insert into roles (id, code, name, names) select r.id, r.code, r.name, r.names from ${rowsOf(db, rows)}`
    return
  }
  await db`
    insert into ${db(table)} (id, code, name, names, position)
    select r.id, r.code, r.name, r.names, r.position from ${rowsOf(db, rows)}`
}

export async function updateNames(db: Db, table: NameTable, rows: readonly NameRow[]): Promise<void> {
  if (rows.length === 0) return
  const version = VERSIONED_TABLES.includes(table) ? db`, version = t.version + 1` : db``
  const rest = table === 'roles' ? db`version = t.version + 1` : db`position = r.position ${version}`
  await db`
    update ${db(table)} t set name = r.name, names = r.names, ${rest} from ${rowsOf(db, rows)} where t.id = r.id`
}
