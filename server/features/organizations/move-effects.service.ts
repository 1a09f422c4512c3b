import type { organizationMoveEffects } from '#shared/contract/organization-moves.ts'
import type { Permission } from '#shared/contract/permissions.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { gainsPermissions, inScope, permissionsAt, seesEverything } from '../access/index.ts'
import { formatAccessGains, listAccessGains } from '../access-gains/index.ts'
import { hasPeopleWithin } from './move-effects.store.ts'
import { errors } from './organizations.errors.ts'
import { displayName, getManageableOrganization, getTargetOrganization } from './organizations-save.service.ts'
import type { OrganizationRow } from './tree.store.ts'

/** What people within an organisation would gain below its new parent, and lose with the former one. */
function grantChanges({ ancestorIds: from, id }: OrganizationRow, parent: OrganizationRow | null) {
  const to = parent?.ancestorIds ?? []
  const left = from.filter((one) => one !== id && !to.includes(one))
  return [
    { by: to.filter((one) => !from.includes(one)), without: from },
    { by: left, without: [...to, id] },
  ]
}

const NO_GRANTS = { names: [], total: 0 }

/** Could the caller grant the same to this organisation? */
async function canAuthorise(ctx: Context, { id }: OrganizationRow): Promise<boolean> {
  if (seesEverything(ctx)) return true
  const rows =
    await ctx.db`select from organizations o where o.id = ${id} and ${inScope(ctx, ctx.db`o.id`, 'authorise')}`
  return rows.length > 0
}

/** What a move of an organisation would grant and withdraw. @throws Refusal `organization.not-found`, `organization.outside`. */
export async function getMoveEffects(
  ctx: Context,
  { id, parentId }: Input<typeof organizationMoveEffects>['query'],
): Promise<Output<typeof organizationMoveEffects>> {
  const row = await getManageableOrganization(ctx, id)
  const parent = await getTargetOrganization(ctx, parentId ?? null)
  const [gains = NO_GRANTS, loses = NO_GRANTS] = await listAccessGains(ctx, grantChanges(row, parent))
  const effects = { gains, loses }
  if (await wouldGainPermissions(ctx, row, parent)) return { ...effects, refusal: 'organization.more-permissions' }
  const isGiving = gains.total > 0 && (await hasPeopleWithin(ctx.db, id))
  return { ...effects, refusal: isGiving && !(await canAuthorise(ctx, row)) ? 'organization.gains' : null }
}

/** Could the caller do more with the people of an organisation below the new parent? */
async function wouldGainPermissions(
  ctx: Context,
  row: OrganizationRow,
  parent: OrganizationRow | null,
): Promise<boolean> {
  const places = await ctx.db<{ id: string; permissions: Permission[] }[]>`
    select o.id, ${permissionsAt(ctx)} as permissions from organizations o where o.id = any(${[row.id, parent?.id ?? row.id]}::uuid[])`
  const permissionsOf = (id: string | undefined) => places.find((one) => one.id === id)?.permissions ?? []
  return gainsPermissions(ctx, permissionsOf(row.id), permissionsOf(parent?.id))
}

/** Nobody may gain permissions over people by handing them over. @throws Refusal `organization.more-permissions` */
export async function assertNoPermissionGain(
  ctx: Context,
  row: OrganizationRow,
  parent: OrganizationRow | null,
): Promise<void> {
  if (!(await wouldGainPermissions(ctx, row, parent))) return
  throw errors['organization.more-permissions']({
    params: { name: displayName(ctx, row), target: parent ? displayName(ctx, parent) : '' },
  })
}

/**
 * What people gain by the move of their organisation counts as a grant and requires that permission. Without people nobody gains anything.
 * Nor may the caller gain permissions over them.
 * @throws Refusal `organization.gains`, `organization.more-permissions`.
 */
export async function assertNoGains(ctx: Context, row: OrganizationRow, parent: OrganizationRow | null): Promise<void> {
  await assertNoPermissionGain(ctx, row, parent)
  if (await canAuthorise(ctx, row)) return
  const [gains = NO_GRANTS] = await listAccessGains(ctx, grantChanges(row, parent).slice(0, 1))
  if (gains.total === 0 || !(await hasPeopleWithin(ctx.db, row.id))) return
  const target = parent ? displayName(ctx, parent) : ctx.translate(ctx.client.language, 'organization.top')
  throw errors['organization.gains']({
    params: { name: displayName(ctx, row), target, things: formatAccessGains(ctx, gains) },
  })
}
