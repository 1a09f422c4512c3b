import type { Language } from '#shared/contract/endpoint.ts'
import type { Db } from '../../platform/db.ts'
import { escapeLike } from '../../platform/list.ts'
import { grantHolds } from '../access/index.ts'

export type MyAppRow = {
  appId: string
  name: string
  names: Record<Language, string>
  pinyin: string
  initials: string
  description: string
  descriptions: Record<Language, string>
  picture: string | null
  url: string
  categoryId: string | null
  categoryName: string | null
  categoryNames: Record<Language, string> | null
  visitedAt: Date | null
  total: number
}

type MyAppsQuery = {
  userId: string
  search: string
  categoryId: string | null
  /** A category with those below it. */
  pcategoryId: string | null
  limit: number
  offset: number
  now: Date
  /** Older visits are not "recent", and older partitions need not be read. */
  since: Date
}

const isAvailable = (db: Db, now: Date) =>
  db`a.enabled and not a.built_in and a.url is not null and ${grantHolds(db, now)}`

/** The applications that a person may open, in the institution's order, with the time of their last visit. */
export const pageOfMyApps = (
  db: Db,
  { userId, search, categoryId, pcategoryId, limit, offset, now, since }: MyAppsQuery,
) => db<MyAppRow[]>`
  select a.app_id, a.name, a.names, a.name_pinyin as pinyin, a.name_initials as initials, a.description,
    a.descriptions, a.picture, a.url, a.category_id, c.name as category_name, c.names as category_names,
    v.at as visited_at, (count(*) over ())::int as total
  from users u
  left join organizations o on o.id = u.organization_id
  cross join applications a
  left join application_categories c on c.id = a.category_id
  left join (
    select application_id, max(at) as at from visit_records where user_id = ${userId} and at > ${since} and refusal is null group by 1
  ) v on v.application_id = a.id
  where u.id = ${userId} and u.deleted_at is null and ${isAvailable(db, now)}
    and (${categoryId}::uuid is null or a.category_id = ${categoryId})
    and (${pcategoryId}::uuid is null or ${pcategoryId} in (c.id, c.parent_id))
    and (${search} = '' or a.name || ' ' || a.description ilike ${`%${escapeLike(search)}%`}
      or exists (select from jsonb_each_text(a.names) as n where n.value ilike ${`%${escapeLike(search)}%`})
      or a.name_pinyin like ${`%${escapeLike(search.toLowerCase())}%`}
      or a.name_initials like ${`%${escapeLike(search.toLowerCase())}%`})
  order by c.position nulls last, c.code, a.position, a.app_id
  limit ${limit} offset ${offset}`

/** The application with this `appId` if the person may open it now. */
export const findAvailableApplication = (db: Db, userId: string, appId: string, now: Date) => db<{ id: string }[]>`
  select a.id
  from users u
  left join organizations o on o.id = u.organization_id
  join applications a on a.app_id = ${appId}
  where u.id = ${userId} and u.deleted_at is null and ${isAvailable(db, now)}`
