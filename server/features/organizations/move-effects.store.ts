import type { Db } from '../../platform/db.ts'

/** Is anybody in the organisation or below it, by the first department or a secondary one? */
export async function hasPeopleWithin(db: Db, id: string): Promise<boolean> {
  const below = db`select b.id from organizations b where b.ancestor_ids @> array[${id}::uuid]`
  const [row] = await db<{ some: boolean }[]>`
    select exists (select from users u where u.organization_id in (${below}) and u.deleted_at is null)
      or exists (select from user_organizations s where s.organization_id in (${below})) as some`
  return row?.some ?? false
}
