import type { PendingQuery, Row } from 'postgres'
import type { Power } from '#shared/contract/powers.ts'
import type { Db } from '../../platform/db.ts'
import { type Context, callerOf } from '../../platform/platform.ts'

type Sql = PendingQuery<Row[]>

const isDelegationValid = (db: Db, now: Date) => db`
  (d.valid_from is null or d.valid_from <= ${now}) and (d.valid_until is null or d.valid_until > ${now})`

/** SQL value: the permissions that the person `userId` has anywhere now, as an array; null for a person who administers nothing. */
export const powersOf = (db: Db, userId: Sql, now: Date): Sql => db`
  (select coalesce(array_agg(distinct p) filter (where p is not null), '{}') from delegations d
    left join lateral unnest(d.powers) p on true where d.user_id = ${userId} and ${isDelegationValid(db, now)} having count(*) > 0)`

/** SQL condition: is the person `u` (a row of `users`) a super user, or an administrator of any organisation at `:now`? */
export const IS_ADMINISTRATOR = `(u.is_super_user or exists (
  select from delegations d where d.user_id = u.id
    and (d.valid_from is null or d.valid_from <= :now) and (d.valid_until is null or d.valid_until > :now)))`

/**
 * SQL subquery: the ids of the organisations in which the caller has `power` (without one: may look). Only for callers who are not super
 * users. A statement that contains it several times evaluates it each time.
 */
export function organizationsInScope(ctx: Context, power: Power | null): Sql {
  const { db } = ctx
  const { userId } = callerOf(ctx)
  return db`(
    select so.id from delegations d join organizations so on so.ancestor_ids @> array[d.organization_id]
    where d.user_id = ${userId} and ${isDelegationValid(db, ctx.now())} ${power ? db`and ${power} = any(d.powers)` : db``})`
}

/**
 * SQL condition: is `organizationId` (a column) where the caller has `power`? True for super users. Whatever has no organisation is for
 * super users only.
 */
export const inScope = (ctx: Context, organizationId: Sql, power: Power | null = null): Sql =>
  callerOf(ctx).isSuperUser ? ctx.db`true` : ctx.db`${organizationId} in ${organizationsInScope(ctx, power)}`

/**
 * SQL value: the permissions that the caller has at the organisation `o` (a row of `organizations`), as an array; empty for a super user.
 */
export const powersAt = ({ db, caller, now }: Context): Sql => db`
  array(select distinct p from delegations d cross join lateral unnest(d.powers) p
    where d.user_id = ${caller?.userId ?? null} and o.ancestor_ids @> array[d.organization_id] and ${isDelegationValid(db, now())} order by p)`

/**
 * Would the caller be able to do more with a person who is moved from one place to the other? Permissions at two places must not add up by
 * moving people: whoever may edit here and reset passwords there could then reset passwords here.
 */
export const gainsPowers = ({ caller }: Context, from: readonly Power[], to: readonly Power[]): boolean =>
  caller !== null && !caller.isSuperUser && to.some((power) => !from.includes(power))

/**
 * SQL condition: may the caller change the person `u` (a row of `users`) with `power`? Besides the scope: only a super user may touch a
 * super user, a current or future administrator, or themselves.
 */
export const mayManage = (ctx: Context, power: Power): Sql =>
  callerOf(ctx).isSuperUser
    ? ctx.db`true`
    : ctx.db`(u.organization_id in ${organizationsInScope(ctx, power)} and not u.is_super_user
        and u.id <> ${callerOf(ctx).userId} and not exists (select from delegations od where od.user_id = u.id
          and (od.valid_until is null or od.valid_until > ${ctx.now()})))`
