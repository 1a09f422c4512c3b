import type { Db } from '../../platform/db.ts'
import type { OrganizationSnapshot } from './organizations.store.ts'

export type BulkOrganization = OrganizationSnapshot & {
  id: string
  version: number
  /** It is being merged or deleted in the background. */
  isEnding: boolean
}

/** Every organisation, for work on the whole tree. */
export const listAllOrganizations = (db: Db) => db<BulkOrganization[]>`
  select o.id, o.code, o.name, o.names, o.parent_id, o.attribute, o.position, o.enabled, o.version,
    exists (select from organization_endings e join background_tasks t on t.id = e.task_id
      where e.organization_id = o.id and t.state in ('queued', 'running') and e.result is null) as is_ending
  from organizations o order by cardinality(o.ancestor_ids), o.position, o.code`

export type BulkValues = OrganizationSnapshot & { id: string; pinyin: string; initials: string }

const values = (rows: readonly BulkValues[]) => JSON.stringify(rows)

/** In the order of the rows, parents before children; call `updatePaths` afterwards. */
export async function insertOrganizations(db: Db, rows: readonly BulkValues[], now: Date): Promise<void> {
  await db`
    insert into organizations (id, code, name, names, name_pinyin, name_initials, parent_id, ancestor_ids, attribute, position,
      enabled, created_at, updated_at)
    select g.id, g.code, g.name, g.names, g.pinyin, g.initials, g."parentId", array[g.id], g.attribute, g.position, g.enabled, ${now}, ${now}
    from jsonb_to_recordset(${values(rows)}::text::jsonb) as g(id uuid, code text, name text, names jsonb, pinyin text,
      initials text, "parentId" uuid, attribute text, position int, enabled boolean)`
}

export async function updateOrganizations(db: Db, rows: readonly BulkValues[], now: Date): Promise<void> {
  // For two that exchange their codes: neither code is free before both are.
  await db`
    update organizations o set code = o.id::text from jsonb_to_recordset(${values(rows)}::text::jsonb) as g(id uuid, code text)
    where o.id = g.id and o.code <> g.code`
  await db`
    update organizations o set code = g.code, name = g.name, names = g.names, name_pinyin = g.pinyin, name_initials = g.initials,
      parent_id = g."parentId", attribute = g.attribute, position = g.position, enabled = g.enabled, version = o.version + 1,
      updated_at = ${now}
    from jsonb_to_recordset(${values(rows)}::text::jsonb) as g(id uuid, code text, name text, names jsonb, pinyin text,
      initials text, "parentId" uuid, attribute text, position int, enabled boolean)
    where o.id = g.id`
}

/** Sets every path to that of its parent plus itself. @returns false if some parents form a cycle */
export async function updatePaths(db: Db): Promise<boolean> {
  const line = db`with recursive line as (
    select id, array[id] as path from organizations where parent_id is null
    union all
    select o.id, line.path || o.id from organizations o join line on o.parent_id = line.id)`
  const [row] = await db<{ isTree: boolean; isOutdated: boolean }[]>`
    ${line}
    select (select count(*) from line) = (select count(*) from organizations) as is_tree,
      exists (select from organizations o join line on line.id = o.id where o.ancestor_ids <> line.path) as is_outdated`
  // An update that changes no row has everybody's access checked again, by the trigger for moved organisations.
  if (row?.isOutdated)
    await db`
      ${line} update organizations o set ancestor_ids = line.path from line
      where line.id = o.id and o.ancestor_ids <> line.path`
  return row?.isTree ?? false
}

/**
 * Writes organisations, new and existing, wherever their parents are among them; the caller holds the tree lock.
 * @returns false if some parents form a cycle; then the transaction must be rolled back
 */
export async function saveOrganizations(
  db: Db,
  { inserted, updated }: { inserted: readonly BulkValues[]; updated: readonly BulkValues[] },
  now: Date,
): Promise<boolean> {
  if (inserted.length > 0) await insertOrganizations(db, inserted, now)
  if (updated.length > 0) await updateOrganizations(db, updated, now)
  return await updatePaths(db)
}

/** Those of these without people, children and grants; others are still needed. Deleted people don't keep an organisation alive. */
export async function listEmpty(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db<{ id: string }[]>`
    select o.id from organizations o where o.id = any(${ids as string[]}::uuid[])
      and not exists (select from users u where u.organization_id = o.id and u.deleted_at is null)
      and not exists (select from user_organizations m join users u on u.id = m.user_id
        where m.organization_id = o.id and u.deleted_at is null)
      and not exists (select from organizations c where c.parent_id = o.id)
      and not exists (select from appointments a where a.organization_id = o.id)
      and not exists (select from role_member_groups g where g.kind = 'organization' and g.subject_id = o.id)
      and not exists (select from application_grants a where a.subject_kind = 'organization' and a.subject_id = o.id)`
  return new Set(rows.map(({ id }) => id))
}

export const deleteOrganizations = (db: Db, ids: readonly string[]) =>
  db`delete from organizations where id = any(${ids as string[]}::uuid[])`
