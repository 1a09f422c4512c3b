import type { UserFilters } from '#shared/contract/users.ts'
import { pageWindow } from '../../platform/list.ts'
import type { Context } from '../../platform/platform.ts'
import { isOrganizationOnly, peopleSource } from './people-filter.store.ts'
import { listIdsByAccount, listPageIds } from './people-list.store.ts'
import type { PageQuery, PeoplePage } from './people-page.types.ts'

/** The size that lists are designed for; gives the expected distance between two matches. */
const REFERENCE_TOTAL = 1_000_000
/** Rows that may be skipped while following the sort order. */
const MAX_SKIPPED_ROWS = 5000
/** An organisation larger than this is such a share of all that hardly anybody else is skipped. */
const LARGE_ORGANIZATION = 200_000

/**
 * For one organisation the counters know the total; its page is found by following the sort order while that is short, otherwise by lookup.
 */
export async function organizationPage(
  ctx: Context,
  filters: UserFilters,
  { sort, ...page }: PageQuery,
): Promise<PeoplePage | null> {
  if (!isOrganizationOnly(ctx, filters)) return null
  const { db } = ctx
  const inOrder = await peopleSource(ctx, filters, { inSortOrder: true })
  if (!inOrder.people) return null
  const total = { total: inOrder.people }
  const window = pageWindow(page, total)
  const skipped = ((window.offset + window.limit) * REFERENCE_TOTAL) / inOrder.people
  const options = { predicates: null, sort, window, isAccountUnique: true }
  if (skipped <= MAX_SKIPPED_ROWS || inOrder.people > LARGE_ORGANIZATION) {
    return { total, ids: await listPageIds(db, { ...options, where: inOrder.condition, isSmallSet: false }) }
  }
  const { condition: where } = await peopleSource(ctx, filters, {})
  if (sort === 'account') return { total, ids: await listIdsByAccount(db, where, window) }
  return { total, ids: await listPageIds(db, { ...options, where, isSmallSet: true }) }
}
