import type { organizationMoveEffects } from '#shared/contract/organization-moves.ts'
import type { Power } from '#shared/contract/powers.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { gainsPowers, inScope, powersAt } from '../administrators/index.ts'
import { effectsOfMove, hasPeopleWithin, type Things } from './move-effects.store.ts'
import { holder, nameFor, ownOrganization } from './organizations.changes.ts'
import { errors } from './organizations.errors.ts'
import type { DetailsRow } from './tree.store.ts'

const pathsOf = (ctx: Context, row: DetailsRow, parent: DetailsRow | null) => ({
  id: row.id,
  from: row.ancestorIds.slice(0, -1),
  to: parent?.ancestorIds ?? [],
  language: ctx.client.language,
  now: ctx.now(),
})

/** Might the caller grant the same to this organisation? */
async function mayAuthorise(ctx: Context, { id }: DetailsRow): Promise<boolean> {
  if (callerOf(ctx).isSuperUser) return true
  const rows =
    await ctx.db`select from organizations o where o.id = ${id} and ${inScope(ctx, ctx.db`o.id`, 'authorise')}`
  return rows.length > 0
}

/** What moving an organisation would give and take. @throws Refusal `organization.not-found`, `organization.outside`. */
export async function moveEffects(
  ctx: Context,
  { id, parentId }: Input<typeof organizationMoveEffects>['query'],
): Promise<Output<typeof organizationMoveEffects>> {
  const row = await ownOrganization(ctx, id)
  const parent = await holder(ctx, parentId ?? null)
  const effects = await effectsOfMove(ctx.db, pathsOf(ctx, row, parent))
  if (await wouldGainPowers(ctx, row, parent)) return { ...effects, refusal: 'organization.more-powers' }
  const isGiving = effects.gains.total > 0 && (await hasPeopleWithin(ctx.db, id))
  return { ...effects, refusal: isGiving && !(await mayAuthorise(ctx, row)) ? 'organization.gains' : null }
}

/** The names, and that there are more of them. */
const listed = (ctx: Context, { names, total }: Things): string =>
  names.join(ctx.translate(ctx.client.language, 'list.separator')) + (total > names.length ? ' …' : '')

/** Could the caller do more with the people of an organisation below the new parent? */
async function wouldGainPowers(ctx: Context, row: DetailsRow, parent: DetailsRow | null): Promise<boolean> {
  const places = await ctx.db<{ id: string; powers: Power[] }[]>`
    select o.id, ${powersAt(ctx)} as powers from organizations o where o.id = any(${[row.id, parent?.id ?? row.id]}::uuid[])`
  const powersOf = (id: string | undefined) => places.find((one) => one.id === id)?.powers ?? []
  return gainsPowers(ctx, powersOf(row.id), powersOf(parent?.id))
}

/** Nobody comes to do more with people by handing them over. @throws Refusal `organization.more-powers` */
export async function refusePowers(ctx: Context, row: DetailsRow, parent: DetailsRow | null): Promise<void> {
  if (!(await wouldGainPowers(ctx, row, parent))) return
  throw errors['organization.more-powers']({
    params: { name: nameFor(ctx, row), target: parent ? nameFor(ctx, parent) : '' },
  })
}

/**
 * What people come to by the move of their organisation is granted to them: that takes the power for it, as any other grant does.
 * Nobody gains anything where nobody is. Nor does the caller gain powers over them.
 * @throws Refusal `organization.gains`, `organization.more-powers`.
 */
export async function refuseGains(ctx: Context, row: DetailsRow, parent: DetailsRow | null): Promise<void> {
  await refusePowers(ctx, row, parent)
  if (await mayAuthorise(ctx, row)) return
  const { gains } = await effectsOfMove(ctx.db, pathsOf(ctx, row, parent))
  if (gains.total === 0 || !(await hasPeopleWithin(ctx.db, row.id))) return
  const target = parent ? nameFor(ctx, parent) : ctx.translate(ctx.client.language, 'organization.top')
  throw errors['organization.gains']({ params: { name: nameFor(ctx, row), target, things: listed(ctx, gains) } })
}
