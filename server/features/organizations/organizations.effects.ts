import type { OrganizationEffects } from '#shared/contract/organization-endings.ts'
import type { Context } from '../../platform/platform.ts'
import { findEffects } from './endings.store.ts'
import { seenOrganization } from './organizations.service.ts'

/** Whom and what deleting or merging an organisation would concern. @throws Refusal `organization.not-found`. */
export async function effectsOf(ctx: Context, id: string): Promise<OrganizationEffects> {
  await seenOrganization(ctx, id)
  return await findEffects(ctx.db, id, ctx.client.language, ctx.now())
}
