import type { Permission } from '#shared/contract/permissions.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { hasLimitedScope, seesEverything } from './caller.rules.ts'

const isAppointmentValid = (db: Db, now: Date) => db`
  (a.valid_from is null or a.valid_from <= ${now}) and (a.valid_until is null or a.valid_until > ${now})`

/** SQL value: the permissions that the person `userId` has anywhere now, as an array; null for a person who administers nothing. */
export const permissionsOf = (db: Db, userId: SqlFragment, now: Date): SqlFragment => db`
  (select coalesce(array_agg(distinct p) filter (where p is not null), '{}') from appointments a
    left join lateral unnest(a.permissions) p on true where a.user_id = ${userId} and ${isAppointmentValid(db, now)} having count(*) > 0)`

/** SQL condition: is the person `u` (a row of `users`) a super user, or an administrator of any organisation at `:now`? */
export const IS_ADMINISTRATOR = `(u.is_super_user or exists (
  select from appointments a where a.user_id = u.id
    and (a.valid_from is null or a.valid_from <= :now) and (a.valid_until is null or a.valid_until > :now)))`

/**
 * SQL subquery: the ids of the organisations in which the caller has `permission` (without one: may look). Only for callers who are not super
 * users. A statement that contains it several times evaluates it each time.
 */
export function organizationsInScope(ctx: Context, permission: Permission | null): SqlFragment {
  const { db } = ctx
  const { userId } = callerOf(ctx)
  return db`(
    select so.id from appointments a join organizations so on so.ancestor_ids @> array[a.organization_id]
    where a.user_id = ${userId} and ${isAppointmentValid(db, ctx.now())} ${permission ? db`and ${permission} = any(a.permissions)` : db``})`
}

/**
 * SQL condition: is `organizationId` (a column) where the caller has `permission`? True for super users. Whatever has no organisation is for
 * super users only.
 */
export const inScope = (
  ctx: Context,
  organizationId: SqlFragment,
  permission: Permission | null = null,
): SqlFragment =>
  seesEverything(ctx) ? ctx.db`true` : ctx.db`${organizationId} in ${organizationsInScope(ctx, permission)}`

/**
 * SQL value: the permissions that the caller has at the organisation `o` (a row of `organizations`), as an array; empty for a super user.
 */
export const permissionsAt = ({ db, caller, now }: Context): SqlFragment => db`
  array(select distinct p from appointments a cross join lateral unnest(a.permissions) p
    where a.user_id = ${caller?.userId ?? null} and o.ancestor_ids @> array[a.organization_id] and ${isAppointmentValid(db, now())} order by p)`

/**
 * Would the caller be able to do more with a person who is moved from one place to the other? Permissions at two places must not add up by
 * moving people: whoever may edit here and reset passwords there could then reset passwords here.
 */
export const gainsPermissions = (ctx: Context, from: readonly Permission[], to: readonly Permission[]): boolean =>
  hasLimitedScope(ctx) && to.some((permission) => !from.includes(permission))

/**
 * SQL condition: may the caller change the person `u` (a row of `users`) with `permission`? Besides the scope: only a super user may touch a
 * super user, a current or future administrator, or themselves.
 */
export const mayManage = (ctx: Context, permission: Permission): SqlFragment =>
  seesEverything(ctx)
    ? ctx.db`true`
    : ctx.db`(u.organization_id in ${organizationsInScope(ctx, permission)} and not u.is_super_user
        and u.id <> ${callerOf(ctx).userId} and not exists (select from appointments other where other.user_id = u.id
          and (other.valid_until is null or other.valid_until > ${ctx.now()})))`
