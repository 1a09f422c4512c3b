import type { PendingQuery, Row } from 'postgres'
import type { Language } from '#shared/contract/endpoint.ts'
import type { Db } from '../../platform/db.ts'
import { countUpTo10000, type Stretch, type Total } from '../../platform/list.ts'
import { byEither, type Way } from '../name-search/index.ts'
import { type StateColumns, stateColumns } from './person-states.ts'

type Condition = PendingQuery<Row[]>
export type PeopleSort = 'account' | '-account' | 'name' | '-name' | 'createdAt' | '-createdAt'

const FROM = (db: Db, people = db`users`) => db`from ${people} u left join organizations o on o.id = u.organization_id`

const MOST_COUNTED = 10_000

/** Who is meant, each way along its own index and no further than lists count, so that a short beginning costs no more than a long one. */
const candidates = (db: Db, where: Condition, ways: readonly Way[]): Condition =>
  ways
    .map(
      ({ condition, order }) => db`(select ${aliased(db)} ${FROM(db)} where ${where} and ${condition}
      ${order ? db`order by ${order}` : db``} limit ${MOST_COUNTED + 1})`,
    )
    .reduce((all, one) => db`${all} union ${one}`)

/** @param ways Null: nothing was searched for. */
export async function countPeople(db: Db, where: Condition, ways: readonly Way[] | null): Promise<Total> {
  if (ways?.length === 0) return { total: 0 }
  return await countUpTo10000(
    db,
    ways ? db`select 1 from (${candidates(db, where, ways)}) found` : db`select 1 ${FROM(db)} where ${where}`,
  )
}

/** The columns of an order, each with the direction. Deleted people may share an account, so the id comes last. */
function orderOf(db: Db, sort: PeopleSort, reverse: boolean, isUnique: boolean): Condition {
  const direction = sort.startsWith('-') === reverse ? db`asc` : db`desc`
  const by = sort.replace('-', '')
  if (by === 'createdAt') return db`r.created_at ${direction}, r.id ${direction}`
  if (by === 'account') return isUnique ? db`r.account ${direction}` : db`r.account ${direction}, r.id ${direction}`
  // The operator names the order of the index, whatever the collation of the database.
  return sort.startsWith('-') === reverse
    ? db`r.name_pinyin using ~<~, r.id asc`
    : db`r.name_pinyin using ~>~, r.id desc`
}

const aliased = (db: Db) => db`u.id, u.account, u.name_pinyin, u.created_at`

type Page = {
  where: Condition
  /** Null: nothing was searched for. */
  ways: readonly Way[] | null
  sort: PeopleSort
  stretch: Stretch
  areFew: boolean
  isUnique: boolean
}

/**
 * The ids of a page in its order. With `areFew` all that fit are looked up and sorted; else they are met in the order of an index:
 * that of the numbers where those were searched for, so that nobody before the first one is passed.
 */
export async function idsOfPage(db: Db, page: Page): Promise<string[]> {
  const { where, ways, sort, stretch, areFew, isUnique } = page
  const { limit, offset, reverse } = stretch
  const bounds = db`order by ${orderOf(db, sort, reverse, isUnique)} limit ${limit} offset ${offset}`
  const [first] = ways ?? []
  const all = db`select ${aliased(db)} ${FROM(db)} where ${where}`
  const meant = first ? db`${all} and ${byEither(db, ways ?? [])}` : all
  const isByNumber = first?.kind === 'number' && ways?.length === 1 && sort === 'account' && !reverse
  const rows = areFew
    ? await db<{ id: string }[]>`
        with r as materialized (${ways && first ? candidates(db, where, ways) : all}) select r.id from r ${bounds}`
    : isByNumber
      ? await db<{ id: string }[]>`${meant} order by ${first.order ?? db`u.account`} limit ${limit} offset ${offset}`
      : await db<{ id: string }[]>`select r.id from (${meant}) r ${bounds}`
  const ids = rows.map(({ id }) => id)
  return reverse ? ids.reverse() : ids
}

type LookUp = Pick<Page, 'where' | 'sort' | 'isUnique'> & {
  from: Condition
  /** If it is true of more people than lists count, these alone are meant. */
  preferred: Condition
  limit: number
  offset: number
}

/** The page and the total of people who are so few that all are looked up, in one go. */
export async function lookUpPage(
  db: Db,
  { from, where, preferred, sort, isUnique, limit, offset }: LookUp,
): Promise<{ ids: string[]; total: Total }> {
  const [row] = await db<{ count: number; ids: string[] }[]>`
    with r as materialized (select ${aliased(db)}, ${preferred} as "isPreferred" ${FROM(db, from)} where ${where}),
    n as (select count(*)::int as count, count(*) filter (where "isPreferred")::int as preferred from r)
    select case when n.preferred > ${MOST_COUNTED} then n.preferred else n.count end as count, array(
      select r.id from r where r."isPreferred" or n.preferred <= ${MOST_COUNTED}
      order by ${orderOf(db, sort, false, isUnique)} limit ${limit} offset ${offset}) as ids from n`
  const { count = 0, ids = [] } = row ?? {}
  return { ids, total: count > MOST_COUNTED ? { total: MOST_COUNTED, totalIsLowerBound: true } : { total: count } }
}

/** The page of an organisation's people by number, of which the index alone tells where nobody is there by a further department alone. */
export async function idsByNumber(db: Db, where: Condition, { limit, offset, reverse }: Stretch): Promise<string[]> {
  const direction = reverse ? db`desc` : db`asc`
  const rows = await db<{ id: string }[]>`
    select p.id from users p join (
      select u.account from users u where ${where} order by u.account ${direction} limit ${limit} offset ${offset}
    ) n on n.account = p.account where p.deleted_at is null order by p.account ${direction}`
  const ids = rows.map(({ id }) => id)
  return reverse ? ids.reverse() : ids
}

export type PersonRowRead = StateColumns & {
  id: string
  account: string
  name: string
  organization: { id: string; code: string; name: string } | null
  category: { id: string; code: string; name: string } | null
  personnelNature: { id: string; code: string; name: string } | null
  phone: string | null
  mailbox: string | null
  isSuperUser: boolean
  lastLoginAt: Date | null
  lastIp: string | null
  lastOnCampus: boolean | null
  version: number
}

/** SQL value: `{id, code, name}` of a left-joined word, in a language; null where there is none. */
export const named = (db: Db, alias: string, language: Language): Condition => db`
  case when ${db(alias)}.id is not null then json_build_object('id', ${db(alias)}.id, 'code', ${db(alias)}.code,
    'name', coalesce(${db(alias)}.names->>${language}, ${db(alias)}.name)) end`

/** How far the time in the login record may lie from the one at the person. */
const RECORD_WITHIN = '5 seconds'

/** The people of a page, in the order of the ids. */
export const peopleOf = (db: Db, ids: readonly string[], language: Language, now: Date) => db<PersonRowRead[]>`
  select u.id, u.account, u.name, u.phone, u.mailbox, u.is_super_user as "isSuperUser", u.version,
    ${named(db, 'o', language)} as organization, ${named(db, 'c', language)} as category,
    ${named(db, 'n', language)} as "personnelNature", ${stateColumns(db, now)}, u.last_login_at as "lastLoginAt",
    l.ip as "lastIp", l.on_campus as "lastOnCampus"
  from unnest(${ids as string[]}::uuid[]) with ordinality p(id, position) join users u on u.id = p.id
    left join organizations o on o.id = u.organization_id left join user_categories c on c.id = u.category_id
    left join personnel_natures n on n.id = u.personnel_nature_id
    left join lateral (
      select host(r.ip) as ip, r.on_campus from login_records r
      where r.user_id = u.id and r.succeeded and r.at between u.last_login_at - ${RECORD_WITHIN}::interval
        and u.last_login_at + ${RECORD_WITHIN}::interval order by r.at desc limit 1) l on true
  order by p.position`
