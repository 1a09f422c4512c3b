import type { UserFilters } from '#shared/contract/users.ts'
import type { Context } from '../../platform/platform.ts'
import { rowMatchesAny } from '../name-search/index.ts'
import { exactPredicatesFor, searchPredicatesFor, smallScopeSource } from './people-filter.store.ts'
import type { PageQuery, PeoplePage } from './people-page.types.ts'
import { lookUpPeople } from './small-set-page.service.ts'

/** For a scope so small that all its people are read. */
export async function smallScopePage(ctx: Context, filters: UserFilters, query: PageQuery): Promise<PeoplePage | null> {
  const where = await smallScopeSource(ctx, filters)
  if (!where) return null
  const byNumber = searchPredicatesFor(ctx, filters)?.find(({ kind }) => kind === 'number')
  const exact = rowMatchesAny(ctx.db, exactPredicatesFor(ctx, filters))
  const preferred = byNumber && { preferred: byNumber.condition }
  return await lookUpPeople(ctx, { ...where, ...preferred, exact }, filters, query)
}
