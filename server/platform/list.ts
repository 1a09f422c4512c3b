import ipaddr from 'ipaddr.js'
import type { PendingQuery, Row } from 'postgres'
import type { Db } from './db.ts'
import { errors } from './errors.ts'

/** Lists count and skip no further than this (decisions, section 4): beyond it people narrow the filter. */
const MAX_COUNTED = 10_000

/** `total` of a page; beyond 10,000 it is a lower bound, shown as "10,000+". */
export type Total = { total: number; totalIsLowerBound?: true }

/** Counts the rows of a query that selects one column; reads at most 10,001 of them, however many there are. */
export async function countUpTo10000(db: Db, rows: PendingQuery<Row[]>): Promise<Total> {
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
export function pageWindow({ pageIndex, pageSize }: { pageIndex: number; pageSize: number }, total: Total): PageWindow {
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
export function ipMatches(db: Db, column: PendingQuery<Row[]>, filter: IpFilter): PendingQuery<Row[]> {
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
