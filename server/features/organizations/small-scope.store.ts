import type { SqlFragment } from '../../platform/db.ts'
import type { Context } from '../../platform/platform.ts'
import { hasLimitedScope, organizationsInScope } from '../access/index.ts'
import { countPeopleIn } from './people-counts.store.ts'

/** A scope with up to this many people is read completely, whatever the filter; in a larger one matches are looked up. */
const MAX_SCANNED_PEOPLE = 60_000

/**
 * The caller's organisations, an SQL subquery of their ids, if they have so few people that all are read before any filter is applied; so
 * the response time never reveals what a filter matches elsewhere. Null for super users, who see everything, and for a larger scope, where
 * `inScope` is used. Wrapped, because a fragment is a promise.
 */
export async function smallScope(ctx: Context): Promise<{ organizations: SqlFragment } | null> {
  if (!ctx.caller || !hasLimitedScope(ctx)) return null
  const organizations = organizationsInScope(ctx, null)
  // It decides about the way to an answer, never about the answer: half a minute ago is good enough, and a large part takes long to count.
  const people = await ctx.cache.read('people counts', `in the part of ${ctx.caller.userId}`, () =>
    countPeopleIn(ctx.db, organizations),
  )
  return people > MAX_SCANNED_PEOPLE ? null : { organizations }
}

/**
 * SQL table to read instead of `users`: the people of a `smallScope`, with the columns that the index `users_of_part` contains. Null if
 * there is none.
 * @param which.deleted deleted people instead of others
 * @param which.exempt only those exempt from dormancy, which the index doesn't contain: they are looked up among the people of the scope
 */
export async function peopleInSmallScope(
  ctx: Context,
  { deleted = false, exempt = false } = {},
): Promise<{ table: SqlFragment } | null> {
  const { db } = ctx
  const scope = await smallScope(ctx)
  if (!scope) return null
  const inSmallScope = db`organization_id = any(array${scope.organizations}) and ${deleted ? db`deleted_at is not null` : db`deleted_at is null`}`
  if (deleted && (await exceedsScanLimit(ctx, inSmallScope))) return null
  // The offset keeps conditions from being pushed inside, where another index might serve them.
  const table = db`(
    select id, account, name, name_pinyin, name_initials, organization_id, category_id, personnel_type_id, phone, mailbox,
      is_super_user, enabled, activated, locked_at, locked_until, frozen_from, frozen_until, dormant_since, valid_from, valid_until,
      created_at, deleted_at
    from users where ${inSmallScope} ${exempt ? db`and dormancy_exempt_until > ${ctx.now()}` : db``} offset 0)`
  return { table }
}

/** The counters don't include deleted people. */
async function exceedsScanLimit({ db }: Context, condition: SqlFragment): Promise<boolean> {
  const [row] = await db<{ people: number }[]>`
    select count(*)::int as people from (select from users where ${condition} limit ${MAX_SCANNED_PEOPLE + 1}) counted`
  return (row?.people ?? 0) > MAX_SCANNED_PEOPLE
}
