import type { Language } from '#shared/contract/endpoint.ts'
import type { Db } from '../../platform/db.ts'
import { escapeLike, listPage, type PageQuery } from '../../platform/list.ts'
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

/** In the order in which people see them; deleted ones last. */
export function pageOfApplications(db: Db, filter: ApplicationFilter & { language: Language }, query: PageQuery) {
  const from = applicationRows(db, filter)
  return listPage(db, query, from, ({ asc, bounds, isReversed }) => {
    const deletedLast = isReversed ? db`a.deleted_at desc nulls last` : db`a.deleted_at nulls first`
    return db<Choice[]>`
      select a.id, ${localized(db, 'a', filter.language)} as name ${from}
      order by ${deletedLast}, a.position ${asc}, a.id ${asc} ${bounds}`
  })
}

const rangeRows = (db: Db, search: string) => db`from ip_ranges r where r.name ilike ${`%${escapeLike(search)}%`}`

/** A record stores the name of the range, so the name is searched for. */
export function pageOfRanges(db: Db, search: string, query: PageQuery) {
  const from = rangeRows(db, search)
  return listPage(
    db,
    query,
    from,
    ({ asc, bounds }) => db<Choice[]>`select r.name as id, r.name ${from} order by r.name ${asc} ${bounds}`,
  )
}
