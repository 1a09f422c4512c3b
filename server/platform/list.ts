import ipaddr from 'ipaddr.js'
import type { Db, SqlFragment } from './db.ts'
import { errors } from './errors.ts'

/** Lists count and skip no further than this (decisions, section 4): beyond it people narrow the filter. */
const MAX_COUNTED = 10_000

/** `total` of a page; beyond 10,000 it is a lower bound, shown as "10,000+". */
export type Total = { total: number; totalIsLowerBound?: true }

/** Counts the rows of a query that selects one column; reads at most 10,001 of them, however many there are. */
export async function countUpTo10000(db: Db, rows: SqlFragment): Promise<Total> {
  const [found] = await db<{ count: number }[]>`
    select count(*)::int as count from (${rows} limit ${MAX_COUNTED + 1}) counted`
  return toTotal(found?.count ?? 0)
}

const toTotal = (count: number): Total =>
  count > MAX_COUNTED ? { total: MAX_COUNTED, totalIsLowerBound: true } : { total: count }

/** Which rows to read; if `reverse`, in the reverse order, to be reversed afterwards. */
export type PageWindow = { limit: number; offset: number; reverse: boolean }

/**
 * The position of a page among `total` rows. The second half is read from the end, so that the last page costs as much as the first.
 * @throws Refusal `list.too-deep` for a page that would skip 10,000 rows or more, from either end.
 */
export function pageWindow({ pageIndex, pageSize }: PageQuery, total: Total): PageWindow {
  const offset = (pageIndex - 1) * pageSize
  if (total.totalIsLowerBound) return requireReachable({ limit: pageSize, offset, reverse: false })
  const limit = Math.min(pageSize, Math.max(0, total.total - offset))
  const offsetFromEnd = total.total - offset - limit
  return offsetFromEnd >= 0 && offsetFromEnd < offset
    ? requireReachable({ limit, offset: offsetFromEnd, reverse: true })
    : requireReachable({ limit, offset, reverse: false })
}

function requireReachable(window: PageWindow): PageWindow {
  if (window.offset >= MAX_COUNTED) throw errors['list.too-deep']()
  return window
}

export type PageQuery = { pageIndex: number; pageSize: number }

/** A page of a list and its total, as calls answer it. */
export type Page<T> = { records: T[] } & Total

/** SQL of the order and the bounds of a page; `asc` and `desc` are exchanged when it is read from the end. */
export type PageOrder = { asc: SqlFragment; desc: SqlFragment; bounds: SqlFragment; isReversed: boolean }

/**
 * Counts a list and reads one page of it.
 * @param from SQL after `select …`: the rows of the whole list
 * @param read reads the page; the order must be total.
 * @throws Refusal `list.too-deep`.
 */
export async function listPage<T>(
  db: Db,
  query: PageQuery,
  from: SqlFragment,
  read: (order: PageOrder) => PromiseLike<readonly T[]>,
): Promise<Page<T>> {
  const total = await countUpTo10000(db, db`select 1 ${from}`)
  const { limit, offset, reverse } = pageWindow(query, total)
  const rows = await read({
    asc: reverse ? db`desc` : db`asc`,
    desc: reverse ? db`asc` : db`desc`,
    bounds: db`limit ${limit} offset ${offset}`,
    isReversed: reverse,
  })
  return { records: reverse ? rows.toReversed() : [...rows], ...total }
}

/**
 * SQL: the order by the column that a sort key such as `-name` names, then by `tieBreaker`.
 * @param columns SQL of the columns by the keys that the contract allows
 */
export function sortedBy(
  db: Db,
  { columns, sort, tieBreaker }: { columns: Readonly<Record<string, string>>; sort: string; tieBreaker: string },
  { asc, desc }: PageOrder,
): SqlFragment {
  const direction = sort.startsWith('-') ? desc : asc
  return db`${db.unsafe(columns[sort.replace('-', '')] as string)} ${direction}, ${db.unsafe(tieBreaker)} ${direction}`
}

/** A text as a literal part of a `like` pattern. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, (sign) => `\\${sign}`)

/** What a person typed as a client's address: a network, or the beginning of an address. */
export type IpFilter = { network: string } | { beginning: string } | null

export function parseIpFilter(typed: string | undefined): IpFilter {
  if (!typed) return null
  if (!ipaddr.isValidCIDR(typed)) return { beginning: typed.toLowerCase() }
  const [address, bits] = ipaddr.parseCIDR(typed)
  return { network: `${address.toString()}/${bits}` }
}

/** The condition that an inet column matches; `true` without a filter. */
export function ipMatches(db: Db, column: SqlFragment, filter: IpFilter): SqlFragment {
  if (!filter) return db`true`
  if ('network' in filter) return db`${column} <<= ${filter.network}::inet`
  return db`host(${column}) like ${`${escapeLike(filter.beginning)}%`}`
}

/**
 * Until the end of the transaction each statement is planned for its actual values: the best plan differs between one person and a million,
 * and a generic one would suit neither.
 */
export const forceCustomPlan = (db: Db) => db`select set_config('plan_cache_mode', 'force_custom_plan', true)`

/** Ends `forceCustomPlan` within the transaction. */
export const reusePlans = (db: Db) => db`select set_config('plan_cache_mode', 'auto', true)`
