import type { OrganizationEffects } from '#shared/contract/organization-endings.ts'
import type { Context } from '../../platform/platform.ts'
import { inScope } from '../administrators/index.ts'
import { findEffects } from './endings.store.ts'
import { seenOrganization } from './organizations.service.ts'

/** As far as the caller may know: who belongs there beside may be at home in another's part. */
export const effectsSeen = (ctx: Context, id: string): Promise<OrganizationEffects> =>
  findEffects(ctx.db, id, {
    language: ctx.client.language,
    now: ctx.now(),
    counted: inScope(ctx, ctx.db`u.organization_id`),
  })

/** Whom and what deleting or merging an organisation would concern. @throws Refusal `organization.not-found`. */
export async function effectsOf(ctx: Context, id: string): Promise<OrganizationEffects> {
  await seenOrganization(ctx, id)
  return await effectsSeen(ctx, id)
}
