import type { Language } from '#shared/contract/endpoint.ts'
import type { Db } from '../../platform/db.ts'
import { countUpTo10000, escapeLike, type PageWindow, type Total } from '../../platform/list.ts'
import { localized } from '../../platform/localized.ts'

type Choice = { id: string; name: string }
type ApplicationFilter = { search: string; id: string | null }

function applicationRows(db: Db, { search, id }: ApplicationFilter) {
  const anywhere = `%${escapeLike(search)}%`
  return db`
    from applications a where not a.built_in ${id ? db`and a.id = ${id}` : db``}
      and (a.name ilike ${anywhere} or a.app_id ilike ${anywhere} or a.name_initials ilike ${anywhere}
        or a.name_pinyin ilike ${anywhere} or exists (select from jsonb_each_text(a.names) n where n.value ilike ${anywhere}))`
}

export const countApplications = (db: Db, filter: ApplicationFilter): Promise<Total> =>
  countUpTo10000(db, db`select 1 ${applicationRows(db, filter)}`)

/** In the order in which people see them; deleted ones last. */
export const pageOfApplications = (
  db: Db,
  filter: ApplicationFilter & { language: Language },
  { limit, offset }: PageWindow,
) => db<Choice[]>`
  select a.id, ${localized(db, 'a', filter.language)} as name ${applicationRows(db, filter)}
  order by a.deleted_at nulls first, a.position, a.id limit ${limit} offset ${offset}`

const rangeRows = (db: Db, search: string) => db`from ip_ranges r where r.name ilike ${`%${escapeLike(search)}%`}`

export const countRanges = (db: Db, search: string): Promise<Total> =>
  countUpTo10000(db, db`select 1 ${rangeRows(db, search)}`)

/** A record stores the name of the range, so the name is searched for. */
export const pageOfRanges = (db: Db, search: string, { limit, offset }: PageWindow) => db<Choice[]>`
  select r.name as id, r.name ${rangeRows(db, search)} order by r.name limit ${limit} offset ${offset}`
