import type { organizationMoveEffects } from '#shared/contract/organization-moves.ts'
import type { Power } from '#shared/contract/powers.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { gainsPowers, inScope, powersAt } from '../access/index.ts'
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
  if (callerOf(ctx).isSuperUser) return true
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
  if (await wouldGainPowers(ctx, row, parent)) return { ...effects, refusal: 'organization.more-powers' }
  const isGiving = gains.total > 0 && (await hasPeopleWithin(ctx.db, id))
  return { ...effects, refusal: isGiving && !(await canAuthorise(ctx, row)) ? 'organization.gains' : null }
}

/** Could the caller do more with the people of an organisation below the new parent? */
async function wouldGainPowers(ctx: Context, row: OrganizationRow, parent: OrganizationRow | null): Promise<boolean> {
  const places = await ctx.db<{ id: string; powers: Power[] }[]>`
    select o.id, ${powersAt(ctx)} as powers from organizations o where o.id = any(${[row.id, parent?.id ?? row.id]}::uuid[])`
  const powersOf = (id: string | undefined) => places.find((one) => one.id === id)?.powers ?? []
  return gainsPowers(ctx, powersOf(row.id), powersOf(parent?.id))
}

/** Nobody may gain permissions over people by handing them over. @throws Refusal `organization.more-powers` */
export async function assertNoPowerGain(
  ctx: Context,
  row: OrganizationRow,
  parent: OrganizationRow | null,
): Promise<void> {
  if (!(await wouldGainPowers(ctx, row, parent))) return
  throw errors['organization.more-powers']({
    params: { name: displayName(ctx, row), target: parent ? displayName(ctx, parent) : '' },
  })
}

/**
 * What people gain by the move of their organisation counts as a grant and requires that permission. Without people nobody gains anything.
 * Nor may the caller gain permissions over them.
 * @throws Refusal `organization.gains`, `organization.more-powers`.
 */
export async function assertNoGains(ctx: Context, row: OrganizationRow, parent: OrganizationRow | null): Promise<void> {
  await assertNoPowerGain(ctx, row, parent)
  if (await canAuthorise(ctx, row)) return
  const [gains = NO_GRANTS] = await listAccessGains(ctx, grantChanges(row, parent).slice(0, 1))
  if (gains.total === 0 || !(await hasPeopleWithin(ctx.db, row.id))) return
  const target = parent ? displayName(ctx, parent) : ctx.translate(ctx.client.language, 'organization.top')
  throw errors['organization.gains']({
    params: { name: displayName(ctx, row), target, things: formatAccessGains(ctx, gains) },
  })
}
