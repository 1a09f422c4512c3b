import type { UserFilters } from '#shared/contract/users.ts'
import { pageWindow } from '../../platform/list.ts'
import type { Context } from '../../platform/platform.ts'
import { isOrganizationOnly, peopleSource } from './people-filter.store.ts'
import { listIdsByAccount, listPageIds } from './people-list.store.ts'
import type { PageQuery, PeoplePage } from './people-page.types.ts'

/** The size that lists are made for: how far somebody lies apart from the next one who is looked for. */
const REFERENCE_TOTAL = 1_000_000
/** Rows that may be passed on the way along the order of a list. */
const MAX_SKIPPED_ROWS = 5000
/** An organisation with more people than that is so much of the whole that hardly anybody else is passed. */
const LARGE_ORGANIZATION = 200_000

/** Of one organisation the counters know the total; its page is met on the way while that is short, else looked up. */
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
