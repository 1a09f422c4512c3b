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

/** With its search keys for a Latin keyboard. */
export type SearchableOrganizationRow = OrganizationRow & { pinyin: string; initials: string }

const MAX_ORGANIZATIONS = 100_000

export const listOrganizations = (db: Db) => db<OrganizationRow[]>`
  select id, code, name, names, parent_id, ancestor_ids, attribute, position, enabled
  from organizations order by ancestor_ids limit ${MAX_ORGANIZATIONS}`

const rowsOf = (db: Db, rows: readonly SearchableOrganizationRow[]) => db`
  jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id uuid, code text, name text, names jsonb, pinyin text,
    initials text, "parentId" uuid, "ancestorIds" uuid[], attribute text, position int, enabled boolean)`

/** One statement, so that a child may precede its parent. */
export async function insertOrganizations(
  db: Db,
  rows: readonly SearchableOrganizationRow[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return
  await db`
    insert into organizations (id, code, name, names, name_pinyin, name_initials, parent_id, ancestor_ids, attribute, position,
      enabled, created_at, updated_at)
    select r.id, r.code, r.name, r.names, r.pinyin, r.initials, r."parentId", r."ancestorIds", r.attribute, r.position, r.enabled, ${now}, ${now}
    from ${rowsOf(db, rows)}`
}

export async function updateOrganizations(
  db: Db,
  rows: readonly SearchableOrganizationRow[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return
  await db`
    update organizations o set name = r.name, names = r.names, name_pinyin = r.pinyin, name_initials = r.initials, parent_id = r."parentId", attribute = r.attribute,
      position = r.position, enabled = r.enabled, version = o.version + 1, updated_at = ${now}
    from ${rowsOf(db, rows)} where o.id = r.id`
}

/** Recomputes the path of every organisation from the parents. @returns false if some parents form a cycle */
export async function updateAncestors(db: Db): Promise<boolean> {
  const wrong = await db<{ id: string; ancestorIds: string[] | null }[]>`
    with recursive tree (id, ancestor_ids) as (
      select id, array[id] from organizations where parent_id is null
      union all
      select o.id, t.ancestor_ids || o.id from organizations o join tree t on o.parent_id = t.id)
    select o.id, t.ancestor_ids from organizations o left join tree t on t.id = o.id
    where t.ancestor_ids is distinct from o.ancestor_ids`
  if (wrong.some(({ ancestorIds }) => ancestorIds === null)) return false
  if (wrong.length === 0) return true
  await db`
    update organizations o set ancestor_ids = r."ancestorIds"
    from jsonb_to_recordset(${JSON.stringify(wrong)}::text::jsonb) as r(id uuid, "ancestorIds" uuid[]) where o.id = r.id`
  return true
}

/** Adds attributes that organisations use and that have no name yet. */
export async function insertUnknownAttributes(db: Db, codes: readonly string[]): Promise<void> {
  if (codes.length === 0) return
  await db`
    insert into organization_attributes (id, code, name, position)
    select gen_random_uuid(), c.code, c.code, (select coalesce(max(position), 0) from organization_attributes) + 1024 * c.place
    from unnest(${codes as string[]}::text[]) with ordinality c (code, place) on conflict (code) do nothing`
}
