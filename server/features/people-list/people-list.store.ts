import type { Language } from '#shared/contract/endpoint.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import { countUpTo10000, type PageWindow, type Total } from '../../platform/list.ts'
import { localized } from '../../platform/localized.ts'
import { matchesAny, type SearchPredicate } from '../name-search/index.ts'
import { type StateColumns, stateColumns } from './person-states.store.ts'

type Condition = SqlFragment
export type PeopleSort =
  | 'account'
  | '-account'
  | 'name'
  | '-name'
  | 'createdAt'
  | '-createdAt'
  | 'dormantSince'
  | '-dormantSince'

const peopleFrom = (db: Db, people = db`users`) =>
  db`from ${people} u left join organizations o on o.id = u.organization_id`

const MAX_COUNTED = 10_000

/** Candidates, each predicate by its own index and no further than lists count, so that a short prefix costs no more than a long one. */
const candidates = (db: Db, where: Condition, predicates: readonly SearchPredicate[]): Condition =>
  predicates
    .map(
      ({ condition, order }) => db`(select ${sortColumns(db)} ${peopleFrom(db)} where ${where} and ${condition}
      ${order ? db`order by ${order}` : db``} limit ${MAX_COUNTED + 1})`,
    )
    .reduce((all, one) => db`${all} union ${one}`)

/** @param predicates null: no search */
export async function countPeople(
  db: Db,
  where: Condition,
  predicates: readonly SearchPredicate[] | null,
): Promise<Total> {
  if (predicates?.length === 0) return { total: 0 }
  return await countUpTo10000(
    db,
    predicates
      ? db`select 1 from (${candidates(db, where, predicates)}) found`
      : db`select 1 ${peopleFrom(db)} where ${where}`,
  )
}

/** The columns of a sort order, each with its direction. Deleted people may share an account, so the id comes last. */
function orderBy(db: Db, sort: PeopleSort, reverse: boolean, isAccountUnique: boolean): Condition {
  const direction = sort.startsWith('-') === reverse ? db`asc` : db`desc`
  const by = sort.replace('-', '')
  if (by === 'createdAt') return db`r.created_at ${direction}, r.id ${direction}`
  if (by === 'dormantSince') return db`r.dormant_since ${direction}, r.account ${direction}`
  if (by === 'account')
    return isAccountUnique ? db`r.account ${direction}` : db`r.account ${direction}, r.id ${direction}`
  // The operator selects the index's order, whatever the collation of the database.
  return sort.startsWith('-') === reverse
    ? db`r.name_pinyin using ~<~, r.id asc`
    : db`r.name_pinyin using ~>~, r.id desc`
}

const sortColumns = (db: Db) => db`u.id, u.account, u.name_pinyin, u.created_at, u.dormant_since`

/** An account belongs to one person, a phone number or mailbox to few. */
const MAX_EXACT = 20

/** Exact matches, each by its own index. */
export async function listExactIds(
  db: Db,
  where: Condition,
  predicates: readonly SearchPredicate[],
): Promise<string[]> {
  if (predicates.length === 0) return []
  const matches = predicates
    .map(
      ({ condition }) =>
        db`(select u.id, u.account ${peopleFrom(db)} where ${where} and ${condition} limit ${MAX_EXACT})`,
    )
    .reduce((all, one) => db`${all} union ${one}`)
  const rows = await db<{ id: string }[]>`select id from (${matches}) found order by account, id limit ${MAX_EXACT}`
  return rows.map(({ id }) => id)
}

type PageOptions = {
  where: Condition
  /** Null: no search. */
  predicates: readonly SearchPredicate[] | null
  sort: PeopleSort
  window: PageWindow
  isSmallSet: boolean
  isAccountUnique: boolean
}

/**
 * The ids of a page in its order. With `isSmallSet` all matches are looked up and sorted; otherwise rows are read in the order of an index:
 * that of the accounts if those were searched for, so that nothing before the first match is scanned.
 */
export async function listPageIds(db: Db, page: PageOptions): Promise<string[]> {
  const { where, predicates, sort, window, isSmallSet, isAccountUnique } = page
  const { limit, offset, reverse } = window
  const bounds = db`order by ${orderBy(db, sort, reverse, isAccountUnique)} limit ${limit} offset ${offset}`
  const [first] = predicates ?? []
  const all = db`select ${sortColumns(db)} ${peopleFrom(db)} where ${where}`
  const matching = first ? db`${all} and ${matchesAny(db, predicates ?? [])}` : all
  const isByNumber = first?.kind === 'number' && predicates?.length === 1 && sort === 'account' && !reverse
  const rows = isSmallSet
    ? await db<{ id: string }[]>`
        with r as materialized (${predicates && first ? candidates(db, where, predicates) : all}) select r.id from r ${bounds}`
    : isByNumber
      ? await db<{ id: string }[]>`${matching} order by ${first.order ?? db`u.account`} limit ${limit} offset ${offset}`
      : await db<{ id: string }[]>`select r.id from (${matching}) r ${bounds}`
  const ids = rows.map(({ id }) => id)
  return reverse ? ids.reverse() : ids
}

type LookUpOptions = Pick<PageOptions, 'where' | 'sort' | 'isAccountUnique'> & {
  from: Condition
  /** If it holds for more people than lists count, only these are meant. */
  preferred: Condition
  /** Those for whom it holds come first. */
  exact: Condition
  limit: number
  offset: number
}

/** The page and the total in one statement, for so few people that all are looked up. */
export async function lookUpPage(
  db: Db,
  { from, where, preferred, exact, sort, isAccountUnique, limit, offset }: LookUpOptions,
): Promise<{ ids: string[]; total: Total }> {
  const [row] = await db<{ count: number; ids: string[] }[]>`
    with r as materialized (select ${sortColumns(db)}, ${preferred} as is_preferred, ${exact} as is_exact
      ${peopleFrom(db, from)} where ${where}),
    n as (select count(*)::int as count, count(*) filter (where is_preferred)::int as preferred from r)
    select case when n.preferred > ${MAX_COUNTED} then n.preferred else n.count end as count, array(
      select r.id from r where r.is_preferred or n.preferred <= ${MAX_COUNTED}
      order by r.is_exact desc, ${orderBy(db, sort, false, isAccountUnique)} limit ${limit} offset ${offset}) as ids from n`
  const { count = 0, ids = [] } = row ?? {}
  return { ids, total: count > MAX_COUNTED ? { total: MAX_COUNTED, totalIsLowerBound: true } : { total: count } }
}

/** The page of an organisation's people by account, by an index-only scan if nobody belongs only by a secondary department. */
export async function listIdsByAccount(
  db: Db,
  where: Condition,
  { limit, offset, reverse }: PageWindow,
): Promise<string[]> {
  const direction = reverse ? db`desc` : db`asc`
  const rows = await db<{ id: string }[]>`
    select p.id from users p join (
      select u.account from users u where ${where} order by u.account ${direction} limit ${limit} offset ${offset}
    ) n on n.account = p.account where p.deleted_at is null order by p.account ${direction}`
  const ids = rows.map(({ id }) => id)
  return reverse ? ids.reverse() : ids
}

export type PersonListRow = StateColumns & {
  id: string
  account: string
  name: string
  organization: { id: string; code: string; name: string } | null
  category: { id: string; code: string; name: string } | null
  personnelType: { id: string; code: string; name: string } | null
  phone: string | null
  mailbox: string | null
  customValues: Record<string, string> | null
  isSuperUser: boolean
  lastLoginAt: Date | null
  lastIp: string | null
  lastOnCampus: boolean | null
  version: number
}

/** SQL value: `{id, code, name}` of a left-joined reference, in a language; null if there is none. */
export const namedJson = (db: Db, alias: string, language: Language): Condition => db`
  case when ${db(alias)}.id is not null then json_build_object('id', ${db(alias)}.id, 'code', ${db(alias)}.code,
    'name', ${localized(db, alias, language)}) end`

/** How far the time in the login record may differ from the one at the person. */
const LOGIN_RECORD_TOLERANCE = '5 seconds'

/** The people of a page, in the order of the ids. */
export const listPeopleRows = (db: Db, ids: readonly string[], language: Language, now: Date) => db<PersonListRow[]>`
  select u.id, u.account, u.name, u.phone, u.mailbox, u.custom_values, u.is_super_user, u.version,
    ${namedJson(db, 'o', language)} as organization, ${namedJson(db, 'c', language)} as category,
    ${namedJson(db, 'n', language)} as personnel_type, ${stateColumns(db, now)}, u.last_login_at,
    l.ip as last_ip, l.on_campus as last_on_campus
  from unnest(${ids as string[]}::uuid[]) with ordinality p(id, position) join users u on u.id = p.id
    left join organizations o on o.id = u.organization_id left join user_categories c on c.id = u.category_id
    left join personnel_types n on n.id = u.personnel_type_id
    left join lateral (
      select host(r.ip) as ip, r.on_campus from login_records r
      where r.user_id = u.id and r.succeeded and r.at between u.last_login_at - ${LOGIN_RECORD_TOLERANCE}::interval
        and u.last_login_at + ${LOGIN_RECORD_TOLERANCE}::interval order by r.at desc limit 1) l on true
  order by p.position`
