import type { z } from 'zod'
import type { ApplicationFilters, ManagedApplication } from '#shared/contract/application-manage.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import type { Db } from '../../platform/db.ts'
import { countUpTo10000, escapeLike, listPage, type Page, type PageQuery, type Total } from '../../platform/list.ts'
import { localized } from '../../platform/localized.ts'

export type ApplicationListFilter = z.output<typeof ApplicationFilters>

type ListRow = Omit<z.infer<typeof ManagedApplication>, 'state' | 'updatedAt' | 'name'> & {
  enabled: boolean
  name: string
  names: Record<Language, string>
  updatedAt: Date
}

const STATES = {
  enabled: (db: Db) => db`a.enabled`,
  disabled: (db: Db) => db`not a.enabled and a.deleted_at is null`,
  deleted: (db: Db) => db`a.deleted_at is not null`,
}

function matchingApplications(db: Db, { search, protocol, type, categoryId, state }: ApplicationListFilter) {
  const typed = search.normalize('NFKC').toLowerCase()
  const part = `%${escapeLike(typed)}%`
  return db`
    from applications a
    where ${state ? STATES[state](db) : db`a.deleted_at is null`}
      ${protocol ? db`and a.protocol = ${protocol}` : db``}
      ${type ? db`and a.type = ${type}` : db``}
      ${categoryId ? db`and a.category_id in (select id from application_categories where id = ${categoryId} or parent_id = ${categoryId})` : db``}
      ${
        typed
          ? db`and (lower(a.name) like ${part} or a.name_pinyin like ${part} or a.name_initials like ${part}
              or lower(a.app_id) like ${part} or lower(a.client_id) like ${part} or lower(a.url) like ${part}
              or exists (select from jsonb_each_text(a.names) n where lower(n.value) like ${part})
              or exists (select from unnest(a.service_urls || a.redirect_uris) u where lower(u) like ${part}))`
          : db``
      }`
}

export const countApplications = (db: Db, wanted: ApplicationListFilter): Promise<Total> =>
  countUpTo10000(db, db`select 1 ${matchingApplications(db, wanted)}`)

export async function listApplicationIds(db: Db, wanted: ApplicationListFilter, limit: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`select a.id ${matchingApplications(db, wanted)} order by a.id limit ${limit}`
  return rows.map(({ id }) => id)
}

const MAX_COUNTED_VISITS = 1000

type Order = { column: 'name' | 'updatedAt'; descending: boolean; language: Language; since: Date }

/** A page, with the visits since a time, counted up to 1,000 each. */
export function pageOfApplications(
  db: Db,
  wanted: ApplicationListFilter,
  { column, descending, language, since }: Order,
  query: PageQuery,
): Promise<Page<ListRow>> {
  const from = matchingApplications(db, wanted)
  return listPage(db, query, from, ({ asc, desc, bounds }) => {
    const direction = descending ? desc : asc
    const by =
      column === 'name'
        ? db`a.name_pinyin ${direction}, a.name ${direction}, a.id ${direction}`
        : db`a.updated_at ${direction}, a.id ${direction}`
    return db<ListRow[]>`
      with page as (select a.* ${from} order by ${by} ${bounds})
      select a.id, a.app_id, a.name, a.names, a.picture, a.url, a.enabled, a.deleted_at is not null as deleted,
        a.built_in, a.protocol, a.type, ${localized(db, 'c', language)} as category_name,
        v.visits, a.updated_at, a.version
      from page a left join application_categories c on c.id = a.category_id
        cross join lateral (
          select count(*)::int as visits from (
            select 1 from visit_records where application_id = a.id and at > ${since} and refusal is null limit ${MAX_COUNTED_VISITS}
          ) counted) v
      order by ${by}`
  })
}
