import type { UserFilters } from '#shared/contract/users.ts'
import type { SqlFragment } from '../../platform/db.ts'
import { pageWindow } from '../../platform/list.ts'
import type { Context } from '../../platform/platform.ts'
import { type PeopleSource, peopleSource } from './people-filter.store.ts'
import { lookUpPage } from './people-list.store.ts'
import type { PageQuery, PeoplePage } from './people-page.types.ts'

/** For few people, total and page come from one statement. */
export async function smallSetPage(ctx: Context, filters: UserFilters, query: PageQuery): Promise<PeoplePage | null> {
  if (!filters.organizationId || filters.search) return null
  const where = await peopleSource(ctx, filters)
  return where.isSmallSet ? await lookUpPeople(ctx, where, filters, query) : null
}

type LookUpOrder = { preferred: SqlFragment; exact: SqlFragment }

/** Looks everybody up, counts and sorts them in one statement. */
export async function lookUpPeople(
  { db }: Context,
  { from, condition: where, preferred = db`true`, exact = db`false` }: PeopleSource & Partial<LookUpOrder>,
  { state }: UserFilters,
  { pageIndex, pageSize, sort }: PageQuery,
): Promise<PeoplePage> {
  const { limit, offset } = pageWindow({ pageIndex, pageSize }, { total: 0, totalIsLowerBound: true })
  return await lookUpPage(db, {
    ...{ from, where, preferred, exact, sort, limit, offset },
    isAccountUnique: state !== 'deleted',
  })
}
