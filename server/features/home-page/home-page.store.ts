import type { Db } from '../../platform/db.ts'

/** What determines a person's home page, including their own choices. */
export type HomePerson = {
  /** Code of their user category. */
  category: string | null
  /** Their departments with all ancestors. */
  organizations: string[]
  /** `appId`s, in their order. */
  favourites: string[]
  /** Ids of announcements. */
  read: string[]
}

export async function findHomePerson(db: Db, userId: string): Promise<HomePerson | null> {
  const [row] = await db<HomePerson[]>`
    select g.code as category, coalesce(c.read_announcements::text[], '{}') as read,
      array(
        select distinct ancestor::text from organizations o, unnest(o.ancestor_ids) ancestor
        where o.id = u.organization_id
          or o.id in (select uo.organization_id from user_organizations uo where uo.user_id = u.id)
      ) as organizations,
      array(
        select a.app_id from unnest(c.favourites) with ordinality f(id, position)
        join applications a on a.id = f.id order by f.position
      ) as favourites
    from users u
    left join user_categories g on g.id = u.category_id
    left join home_page_choices c on c.user_id = u.id
    where u.id = ${userId}`
  return row ?? null
}

export type Favourite = { id: string; appId: string }

/** A person's favourites, locked until the transaction ends; deleted applications are left out. */
export async function lockFavourites(db: Db, userId: string, at: Date): Promise<Favourite[]> {
  await db`
    insert into home_page_choices (user_id, updated_at) values (${userId}, ${at})
    on conflict (user_id) do update set updated_at = excluded.updated_at`
  return await db<Favourite[]>`
    select a.id, a.app_id
    from home_page_choices c, unnest(c.favourites) with ordinality f(id, position)
    join applications a on a.id = f.id
    where c.user_id = ${userId} order by f.position`
}

export async function saveFavourites(db: Db, userId: string, favourites: readonly Favourite[]): Promise<void> {
  await db`
    update home_page_choices set favourites = ${favourites.map(({ id }) => id)}::text[]::uuid[] where user_id = ${userId}`
}

/** Marks announcements as read by a person; deleted ones are dropped. */
export async function addReadAnnouncements(db: Db, userId: string, ids: readonly string[], at: Date): Promise<void> {
  await db`
    insert into home_page_choices as c (user_id, read_announcements, updated_at)
    select ${userId}, coalesce(array_agg(n.id), '{}'), ${at} from announcements n where n.id = any(${ids as string[]}::uuid[])
    on conflict (user_id) do update set updated_at = excluded.updated_at, read_announcements = array(
      select n.id from announcements n where n.id = any(c.read_announcements) or n.id = any(excluded.read_announcements)
    )`
}
