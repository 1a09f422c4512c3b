import type { PendingQuery, Row } from 'postgres'
import type { Language } from '#shared/contract/endpoint.ts'
import {
  type FoundApplication,
  type FoundOrganization,
  type FoundPerson,
  MOST_FOUND,
} from '#shared/contract/global-search.ts'
import type { Db } from '../../platform/db.ts'

type Sql = PendingQuery<Row[]>

/** What was typed, in lower case; `latin`: its letters and digits alone, empty when it is something else than Latin. */
export type Wanted = { text: string; beginning: string; part: string; latin: string; language: Language }

/** People looked at by each way to find them; the best of these are answered, however many a common surname has. */
const MOST_LOOKED_AT = 200

/**
 * People by the beginning of their number, by any part of their name, by the beginning of its pinyin or of its initials. Each
 * way has an index of its own (migration 0015), which a single condition with `or` would not use. `visible` null: everybody is.
 */
export async function bestPeople(db: Db, wanted: Wanted, visible: Sql | null): Promise<FoundPerson[]> {
  const { text, beginning, part, latin, language } = wanted
  const isLatin = latin !== '' && /^\p{ASCII}+$/u.test(text)
  // In the order of its index each stops at its limit, where "2" would first gather everybody whose number begins so. Where most
  // of these are not visible the order would keep it from stopping.
  const ways = [
    { fits: db`lower(u.account) like ${beginning}`, order: db`order by lower(u.account) using ~<~` },
    ...(isLatin
      ? [
          { fits: db`u.name_pinyin like ${`${latin}%`}`, order: db`order by u.name_pinyin using ~<~` },
          { fits: db`u.name_initials like ${`${latin}%`}`, order: db`order by u.name_initials using ~<~` },
        ]
      : []),
    // Without a character that a name is found by, the array would be empty, and everybody would have it.
    ...(/[a-z0-9]|\P{ASCII}/u.test(text)
      ? [{ fits: db`name_grams(u.name) @> name_grams(${text}) and lower(u.name) like ${part}`, order: db`` }]
      : []),
  ]
  const found = ways
    .map(
      ({ fits, order }) => db`
        (select u.id from users u where u.deleted_at is null and ${fits} ${visible ? db`and ${visible}` : order} limit ${MOST_LOOKED_AT})`,
    )
    .reduce((all, way) => db`${all} union ${way}`)
  return await db<FoundPerson[]>`
    select u.id, u.account, u.name, coalesce(o.names->>${language}, o.name) as organization
    from (${found}) found join users u on u.id = found.id left join organizations o on o.id = u.organization_id
    order by lower(u.account) <> ${text}, lower(u.name) <> ${text}, not lower(u.account) like ${beginning},
      not lower(u.name) like ${beginning}, u.name_pinyin <> ${latin}, length(u.name_pinyin), u.account
    limit ${MOST_FOUND}`
}

/** Organisations by code, by any part of a name, by its pinyin or initials; those that stand higher first. */
export async function bestOrganizations(db: Db, wanted: Wanted, visible: Sql): Promise<FoundOrganization[]> {
  const { text, beginning, part, latin, language } = wanted
  const nameOf = (row: Sql) => db`coalesce(${row}.names->>${language}, ${row}.name)`
  return await db<FoundOrganization[]>`
    with best as (
      select o.id, o.name, o.names, o.ancestor_ids, row_number() over (
        order by lower(o.code) <> ${text}, lower(o.name) <> ${text}, not lower(o.name) like ${beginning},
          cardinality(o.ancestor_ids), o.position, o.code) as place
      from organizations o
      where ${visible} and (lower(o.code) like ${beginning} or lower(o.name) like ${part}
        or lower(o.names->>${language}) like ${part}
        or ${latin} <> '' and (o.name_pinyin like ${`${latin}%`} or o.name_initials like ${`${latin}%`}))
      order by place limit ${MOST_FOUND})
    select best.id, ${nameOf(db`best`)} as name, coalesce((
      select array_agg(${nameOf(db`o`)} order by cardinality(o.ancestor_ids)) from organizations o
      where o.id = any(best.ancestor_ids) and o.id <> best.id and ${visible}), '{}') as within
    from best order by best.place`
}

/** Applications by any part of their name or number, by pinyin or initials. */
export const bestApplications = async (db: Db, wanted: Wanted): Promise<FoundApplication[]> => {
  const { text, beginning, part, latin, language } = wanted
  return await db<FoundApplication[]>`
    select a.id, a.app_id as "appId", coalesce(a.names->>${language}, a.name) as name from applications a
    where a.deleted_at is null and (lower(a.app_id) like ${part} or lower(a.name) like ${part}
      or lower(a.names->>${language}) like ${part}
      or ${latin} <> '' and (a.name_pinyin like ${`${latin}%`} or a.name_initials like ${`${latin}%`}))
    order by lower(a.app_id) <> ${text}, not lower(a.name) like ${beginning}, a.position, a.app_id
    limit ${MOST_FOUND}`
}
