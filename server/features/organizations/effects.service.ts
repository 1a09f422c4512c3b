import type { PendingQuery, Row } from 'postgres'
import type { OrganizationEffects } from '#shared/contract/organization-endings.ts'
import type { Context } from '../../platform/platform.ts'
import { inScope } from '../access/index.ts'
import { loadEffects, secondaryMemberCount } from './endings.store.ts'
import { getVisibleOrganization } from './organizations.service.ts'
import { peopleInSmallScope } from './small-scope.store.ts'

/** SQL condition: may the caller know of the person `u`? Who belongs somewhere beside may be at home in another's part. */
export const isMemberInScope = (ctx: Context) => inScope(ctx, ctx.db`u.organization_id`)

/** SQL value: how many belong to the organisation beside, as far as the caller may know, found without reading the others where it can be. */
export async function visibleMemberCount(ctx: Context, id: string): Promise<{ count: PendingQuery<Row[]> }> {
  const { db } = ctx
  const own = await peopleInSmallScope(ctx)
  const isMember = db`coalesce((
    select true from user_organizations m where m.user_id = u.id and m.organization_id = ${id}), false)`
  const count = own
    ? db`(select count(*)::int from ${own.table} u where ${isMember})`
    : secondaryMemberCount(db, id, isMemberInScope(ctx))
  return { count }
}

/** As far as the caller may know. */
export async function loadVisibleEffects(ctx: Context, id: string): Promise<OrganizationEffects> {
  const { count: members } = await visibleMemberCount(ctx, id)
  return await loadEffects(ctx.db, id, { language: ctx.client.language, now: ctx.now(), members })
}

/** Whom and what deleting or merging an organisation would concern. @throws Refusal `organization.not-found`. */
export async function getEffects(ctx: Context, id: string): Promise<OrganizationEffects> {
  await getVisibleOrganization(ctx, id)
  return await loadVisibleEffects(ctx, id)
}
