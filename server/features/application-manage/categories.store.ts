import type { ApplicationCategory } from '#shared/contract/application-categories.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import type { Db } from '../../platform/db.ts'
import { localized } from '../../platform/localized.ts'
import { moveToCategory } from '../applications/index.ts'

export const MAX_CATEGORIES = 1000

export const listCategoryRows = (db: Db) => db<ApplicationCategory[]>`
  select c.id, c.code, c.name, c.names, c.parent_id, c.position,
    (select count(*)::int from applications a where a.category_id = c.id and a.deleted_at is null) as applications
  from application_categories c order by c.position, c.code limit ${MAX_CATEGORIES}`

export async function categoryExists(db: Db, id: string): Promise<boolean> {
  const rows = await db`select from application_categories where id = ${id}`
  return rows.length > 0
}

export async function categoryName(db: Db, id: string | null, language: Language): Promise<string | null> {
  if (id === null) return null
  const [row] = await db<{ name: string }[]>`
    select ${localized(db, 'c', language)} as name from application_categories c where c.id = ${id}`
  return row?.name ?? null
}

export type CategoryRow = Pick<ApplicationCategory, 'id' | 'code' | 'name' | 'names' | 'parentId' | 'position'>

/** Any constant: whoever adds a category waits for others who are adding one, since there is no row to lock yet. */
const CATEGORIES_LOCK = 7_402_143

/** Locks all categories: there are few, their codes are unique, and their tree must stay two levels deep. */
export async function lockCategories(db: Db): Promise<CategoryRow[]> {
  await db`select pg_advisory_xact_lock(${CATEGORIES_LOCK})`
  return [
    ...(await db<CategoryRow[]>`
      select id, code, name, names, parent_id, position from application_categories
      order by id limit ${MAX_CATEGORIES} for update`),
  ]
}

/** Current categories, each with its version. */
export const findCategoriesById = (db: Db, ids: readonly string[]) => db<(CategoryRow & { version: number })[]>`
  select id, code, name, names, parent_id, position, version from application_categories
  where id = any(${ids as string[]}::uuid[])`

export async function saveCategory(db: Db, row: CategoryRow): Promise<void> {
  const names = JSON.stringify(row.names)
  await db`
    insert into application_categories (id, code, name, names, parent_id, position)
    values (${row.id}, ${row.code}, ${row.name}, ${names}::text::jsonb, ${row.parentId}, ${row.position})
    on conflict (id) do update set name = excluded.name, names = excluded.names, parent_id = excluded.parent_id,
      position = excluded.position, version = application_categories.version + 1`
}

/** Writes categories, new and existing, in the order that a file gives them; existing ones stay where they are in the tree. */
export async function saveCategories(
  db: Db,
  rows: readonly (Omit<CategoryRow, 'names' | 'parentId'> & { names: object })[],
): Promise<void> {
  await db`
    insert into application_categories (id, code, name, names, position)
    select r.id, r.code, r.name, r.names, r.position
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id uuid, code text, name text, names jsonb, position int)
    on conflict (id) do update set name = excluded.name, names = excluded.names, position = excluded.position,
      version = application_categories.version + 1`
}

/** Its content moves up to its parent. */
export async function deleteCategory(db: Db, { id, parentId }: CategoryRow): Promise<void> {
  await moveToCategory(db, id, parentId)
  await db`update application_categories set parent_id = ${parentId}, version = version + 1 where parent_id = ${id}`
  await db`delete from application_categories where id = ${id}`
}
