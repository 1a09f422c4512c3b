import type { Language } from '#shared/contract/endpoint.ts'
import {
  type FoundApplication,
  type FoundOrganization,
  type FoundPerson,
  MAX_FOUND,
} from '#shared/contract/global-search.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import { localized } from '../../platform/localized.ts'
import { rowMatchesAny, type SearchPredicate, searchPredicates } from '../name-search/index.ts'

/** The input in lower case; `latin`: only its letters and digits, empty unless it is Latin. */
export type SearchTerms = { text: string; beginning: string; part: string; latin: string; language: Language }

/** People read by each predicate; the best of these are returned, however common a surname is. */
const MAX_CANDIDATES = 200

/** One more than is returned shows that there are more. */
const MAX_READ = MAX_FOUND + 1

/** The people to search among: null for everybody; those of a table; or those of `users` for whom a condition is true. */
export type PeopleScope = { table: SqlFragment } | { visible: SqlFragment } | null

/** SQL query: the ids of people who match a search; among everybody, the first by each predicate. */
function candidates(db: Db, text: string, among: PeopleScope, exact: readonly SearchPredicate[]): SqlFragment {
  const predicates = [...searchPredicates(db, text, '1'), ...searchPredicates(db, text, '2'), ...exact]
  if (among && 'table' in among) {
    return db`select u.id from ${among.table} u where ${rowMatchesAny(db, predicates)}`
  }
  return predicates
    .map(({ condition, order }) => {
      // In the order of its index each stops at its limit, where "2" would otherwise collect everybody whose account begins with it. If
      // most of these are not visible, the order would keep it from stopping.
      const narrowed = among ? db`and ${among.visible}` : order ? db`order by ${order}` : db``
      return db`
        (select u.id from users u where u.deleted_at is null and ${condition} ${narrowed} limit ${MAX_CANDIDATES})`
    })
    .reduce((all, predicate) => db`${all} union ${predicate}`)
}

/** People by account prefix or by name in any form; exact matches by `exact` come first. */
export async function findBestPeople(
  db: Db,
  wanted: SearchTerms,
  among: PeopleScope,
  exact: readonly SearchPredicate[],
): Promise<FoundPerson[]> {
  const { text, beginning, latin, language } = wanted
  return await db<FoundPerson[]>`
    select u.id, u.account, u.name, ${localized(db, 'o', language)} as organization
    from (${candidates(db, text, among, exact)}) found join users u on u.id = found.id left join organizations o on o.id = u.organization_id
    order by not ${rowMatchesAny(db, exact)}, lower(u.name) <> ${text}, not lower(u.account) like ${beginning},
      not lower(u.name) like ${beginning}, u.name_pinyin <> ${latin}, length(u.name_pinyin), u.account
    limit ${MAX_READ}`
}

/** Organisations by code, any part of a name, pinyin or initials; those higher in the tree first. */
export async function findBestOrganizations(
  db: Db,
  wanted: SearchTerms,
  visible: SqlFragment,
): Promise<FoundOrganization[]> {
  const { text, beginning, part, latin, language } = wanted
  return await db<FoundOrganization[]>`
    with best as (
      select o.id, o.name, o.names, o.ancestor_ids, row_number() over (
        order by lower(o.code) <> ${text}, lower(o.name) <> ${text}, not lower(o.name) like ${beginning},
          cardinality(o.ancestor_ids), o.position, o.code) as place
      from organizations o
      where ${visible} and (lower(o.code) like ${beginning} or lower(o.name) like ${part}
        or lower(o.names->>${language}) like ${part}
        or ${latin} <> '' and (o.name_pinyin like ${`${latin}%`} or o.name_initials like ${`${latin}%`}))
      order by place limit ${MAX_READ})
    select best.id, ${localized(db, 'best', language)} as name, coalesce((
      select array_agg(${localized(db, 'o', language)} order by cardinality(o.ancestor_ids)) from organizations o
      where o.id = any(best.ancestor_ids) and o.id <> best.id and ${visible}), '{}') as within
    from best order by best.place`
}

/** Applications by any part of their name or id, by pinyin or initials. */
export const findBestApplications = async (db: Db, wanted: SearchTerms): Promise<FoundApplication[]> => {
  const { text, beginning, part, latin, language } = wanted
  return await db<FoundApplication[]>`
    select a.id, a.app_id, ${localized(db, 'a', language)} as name from applications a
    where a.deleted_at is null and (lower(a.app_id) like ${part} or lower(a.name) like ${part}
      or lower(a.names->>${language}) like ${part}
      or ${latin} <> '' and (a.name_pinyin like ${`${latin}%`} or a.name_initials like ${`${latin}%`}))
    order by lower(a.app_id) <> ${text}, not lower(a.name) like ${beginning}, a.position, a.app_id
    limit ${MAX_READ}`
}
