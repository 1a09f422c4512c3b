import type { Db } from '../../platform/db.ts'

export type OrganizationRow = {
  id: string
  code: string
  name: string
  names: Record<string, string>
  parentId: string | null
  ancestorIds: string[]
  attribute: string | null
  position: number
  enabled: boolean
}

const MOST_ORGANIZATIONS = 100_000

export const allOrganizations = (db: Db) => db<OrganizationRow[]>`
  select id, code, name, names, parent_id as "parentId", ancestor_ids as "ancestorIds", attribute, position, enabled
  from organizations order by ancestor_ids limit ${MOST_ORGANIZATIONS}`

const rowsOf = (db: Db, rows: readonly OrganizationRow[]) => db`
  jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id uuid, code text, name text, names jsonb,
    "parentId" uuid, "ancestorIds" uuid[], attribute text, position int, enabled boolean)`

/** One statement, so that a child may stand before its parent. */
export async function insertOrganizations(db: Db, rows: readonly OrganizationRow[], now: Date): Promise<void> {
  if (rows.length === 0) return
  await db`
    insert into organizations (id, code, name, names, parent_id, ancestor_ids, attribute, position, enabled, created_at, updated_at)
    select r.id, r.code, r.name, r.names, r."parentId", r."ancestorIds", r.attribute, r.position, r.enabled, ${now}, ${now}
    from ${rowsOf(db, rows)}`
}

export async function updateOrganizations(db: Db, rows: readonly OrganizationRow[], now: Date): Promise<void> {
  if (rows.length === 0) return
  await db`
    update organizations o set name = r.name, names = r.names, parent_id = r."parentId", attribute = r.attribute,
      position = r.position, enabled = r.enabled, version = o.version + 1, updated_at = ${now}
    from ${rowsOf(db, rows)} where o.id = r.id`
}

/** Moves a subtree: derived values, so neither version nor time change. */
export async function updateAncestors(db: Db, rows: readonly OrganizationRow[]): Promise<void> {
  if (rows.length === 0) return
  await db`update organizations o set ancestor_ids = r."ancestorIds" from ${rowsOf(db, rows)} where o.id = r.id`
}
