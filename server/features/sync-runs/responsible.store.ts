import type { Db } from '../../platform/db.ts'

/** How many of these are super users. */
export async function countSuperUsers(db: Db, ids: readonly string[]): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from users
    where id = any(${ids as string[]}::uuid[]) and is_super_user and deleted_at is null`
  return row?.count ?? 0
}

/** The people responsible for the sync `alias`, with their names. */
export const responsibleOf = (db: Db, alias: string) => db`
  (select coalesce(jsonb_agg(jsonb_build_object('id', u.id, 'account', u.account, 'name', u.name) order by u.account), '[]') from users u
    where u.id = any(${db(alias)}.responsible_ids) and u.deleted_at is null)`
