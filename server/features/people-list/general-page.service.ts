import type { UserFilters } from '#shared/contract/users.ts'
import type { SqlFragment } from '../../platform/db.ts'
import { pageWindow, type Total } from '../../platform/list.ts'
import type { Context } from '../../platform/platform.ts'
import { countAllPeople } from '../organizations/index.ts'
import { exactPredicatesFor, isUnfiltered, peopleSource, searchPredicatesFor } from './people-filter.store.ts'
import { countPeople, listExactIds, listPageIds } from './people-list.store.ts'
import type { PageQuery, PeoplePage } from './people-page.types.ts'

/** The fallback: counts first, then reads a page. */
export async function generalPage(
  ctx: Context,
  filters: UserFilters,
  { sort, ...page }: PageQuery,
): Promise<PeoplePage> {
  const source = await peopleSource(ctx, filters, { withoutSearch: true })
  const { predicates, total } = await countWithPredicates(ctx, filters, source.condition)
  const window = pageWindow(page, total)
  const exact = await listExactIds(ctx.db, source.condition, exactPredicatesFor(ctx, filters))
  const isSmallSet = !isUnfiltered(ctx, filters) && (source.isSmallSet === true || !total.totalIsLowerBound)
  // Soon dormant people are found by their notices; if they are many, the condition is checked per row instead.
  const isMet = filters.dormancy === 'soon' && !isSmallSet
  const met = isMet ? await peopleSource(ctx, filters, { withoutSearch: true, inSortOrder: true }) : source
  const options = {
    where: met.condition,
    predicates,
    sort,
    window,
    isSmallSet,
    isAccountUnique: filters.state !== 'deleted',
  }
  if (total.total === 0) return { total, ids: [] }
  return {
    total,
    ids: exact.length > 0 ? await exactFirst(ctx, options, exact, page) : await listPageIds(ctx.db, options),
  }
}

/** A page of the same people in the same order, after the exact matches. */
async function exactFirst(
  { db }: Context,
  options: Parameters<typeof listPageIds>[1],
  exact: readonly string[],
  { pageIndex, pageSize }: Omit<PageQuery, 'sort'>,
): Promise<string[]> {
  const start = (pageIndex - 1) * pageSize
  const first = exact.slice(start, start + pageSize)
  const limit = options.window.limit - first.length
  if (limit <= 0) return first
  const others = db`${options.where} and u.id <> all(${exact as string[]}::uuid[])`
  const window = { limit, offset: Math.max(0, start - exact.length), reverse: false }
  return [...first, ...(await listPageIds(db, { ...options, where: others, window }))]
}

/** The total, and the search predicates that select them. */
async function countWithPredicates(ctx: Context, filters: UserFilters, where: SqlFragment) {
  const { db } = ctx
  if (isUnfiltered(ctx, filters)) return { predicates: null, total: { total: await countAllPeople(db) } as Total }
  const predicates = searchPredicatesFor(ctx, filters)
  const numberPredicates = (predicates ?? []).filter(({ kind }) => kind === 'number')
  if (predicates && numberPredicates.length > 0 && predicates.length > 1) {
    // If more accounts have this prefix than a list shows, only accounts are meant.
    const total = await countPeople(db, where, numberPredicates)
    if (total.totalIsLowerBound) return { predicates: numberPredicates, total }
  }
  return { predicates, total: await countPeople(db, where, predicates) }
}
