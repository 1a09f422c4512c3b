import type { OrganizationEffects } from '#shared/contract/organization-endings.ts'
import type { SqlFragment } from '../../platform/db.ts'
import type { Context } from '../../platform/platform.ts'
import { inScope } from '../access/index.ts'
import { loadEffects, secondaryMemberCount } from './endings.store.ts'
import { getVisibleOrganization } from './organizations.service.ts'
import { peopleInSmallScope } from './small-scope.store.ts'

/** SQL condition: may the caller know about the person `u`? A secondary member may have their department in another scope. */
export const isMemberInScope = (ctx: Context) => inScope(ctx, ctx.db`u.organization_id`)

/** SQL value: the number of secondary members visible to the caller, computed without reading the others if possible. */
export async function visibleMemberCount(ctx: Context, id: string): Promise<{ count: SqlFragment }> {
  const { db } = ctx
  const own = await peopleInSmallScope(ctx)
  const isMember = db`coalesce((
    select true from user_organizations m where m.user_id = u.id and m.organization_id = ${id}), false)`
  const count = own
    ? db`(select count(*)::int from ${own.table} u where ${isMember})`
    : secondaryMemberCount(db, id, isMemberInScope(ctx))
  return { count }
}

/** As far as visible to the caller. */
export async function loadVisibleEffects(ctx: Context, id: string): Promise<OrganizationEffects> {
  const { count: members } = await visibleMemberCount(ctx, id)
  return await loadEffects(ctx.db, id, { language: ctx.client.language, now: ctx.now(), members })
}

/** What deleting or merging an organisation would affect. @throws Refusal `organization.not-found`. */
export async function getEffects(ctx: Context, id: string): Promise<OrganizationEffects> {
  await getVisibleOrganization(ctx, id)
  return await loadVisibleEffects(ctx, id)
}
