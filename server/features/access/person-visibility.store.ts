import type { Context } from '../../platform/platform.ts'
import { inScope } from './administrator-scope.store.ts'
import { seesEverything } from './caller.rules.ts'

/** Does this person exist, in a department that the caller administers? Deleted people count with `includeDeleted`. */
export async function isPersonVisible(
  ctx: Context,
  userId: string,
  { includeDeleted = false }: { includeDeleted?: boolean } = {},
): Promise<boolean> {
  const { db } = ctx
  const rows = await db`
    select from users u
    where u.id = ${userId} ${includeDeleted ? db`` : db`and u.deleted_at is null`} and ${inScope(ctx, db`u.organization_id`)}`
  return rows.length > 0
}

/** Does the caller administer this organisation? Always true for super users. */
export async function isOrganizationVisible(ctx: Context, organizationId: string): Promise<boolean> {
  if (seesEverything(ctx)) return true
  return (await ctx.db`select where ${inScope(ctx, ctx.db`${organizationId}::uuid`)}`).length > 0
}
