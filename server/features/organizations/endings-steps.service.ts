import { z } from 'zod'
import { Id } from '#shared/contract/endpoint.ts'
import type { Context } from '../../platform/platform.ts'
import { mayManage } from '../access/index.ts'
import { refuseLockout } from '../access-rules/index.ts'
import { recordAudits } from '../records/index.ts'
import { moveSecondaryMembers, moveUsers } from '../user-accounts/index.ts'
import { isMemberInScope } from './effects.service.ts'
import { hasPeople, hasUnmanageablePeople } from './endings.store.ts'
import { assertNoGains } from './move-effects.service.ts'
import { errors } from './organizations.errors.ts'
import { lockTreeShared } from './organizations.store.ts'
import { checkNotBelow } from './organizations-move.service.ts'
import { displayName, getManageableOrganization, getTargetOrganization } from './organizations-save.service.ts'
import type { MovedCounts } from './running-endings.store.ts'
import type { OrganizationRow } from './tree.store.ts'

/** What happens to an organisation that ends: it is merged into another one, or people and children get new places. */
export const Ending = z.union([
  z.strictObject({ kind: z.literal('merge'), into: Id }),
  z.strictObject({ kind: z.literal('delete'), peopleTo: Id.optional(), childrenTo: Id.optional() }),
])
export type Ending = z.infer<typeof Ending>

/** The organisation that takes over: a different one, and for children none below them. */
export async function successor(
  ctx: Context,
  row: OrganizationRow,
  id: string,
  what: 'people' | 'all',
): Promise<OrganizationRow> {
  const target = await getTargetOrganization(ctx, id, row.id)
  if (!target) throw errors['organization.not-found']()
  if (what === 'all' || target.id === row.id) checkNotBelow(ctx, row, target)
  return target
}

/** @throws Refusal `organization.super-user-only` if it contains somebody whom the caller may not move. */
export async function requireAllManageable(ctx: Context, row: OrganizationRow): Promise<void> {
  if (!(await hasUnmanageablePeople(ctx.db, row.id, mayManage(ctx, 'edit')))) return
  throw errors['organization.super-user-only']({ params: { name: displayName(ctx, row) } })
}

type EndingStep = MovedCounts & {
  /** Rows moved, including deleted people; 0: none are left. */
  rows: number
  /** Those of them visible to the caller. */
  visibleRows: number
}

/** Moves the next people of an organisation that is ending, in the caller's transaction and with their current permissions. */
export async function runNextStep(ctx: Context, id: string, ending: Ending, most: number): Promise<EndingStep> {
  // The destination stays where it was when it was checked.
  await lockTreeShared(ctx.db)
  const row = await getManageableOrganization(ctx, id)
  if (ending.kind === 'delete') {
    const to = ending.peopleTo
    return to
      ? await movePeopleStep(ctx, row, await successor(ctx, row, to, 'people'), most)
      : await moveDeletedUpStep(ctx, row, most)
  }
  const target = await successor(ctx, row, ending.into, 'all')
  const step = await movePeopleStep(ctx, row, target, most)
  if (step.rows > 0) return step
  await assertNoGains(ctx, row, target)
  const { moved, living, seen } = await moveSecondaryMembers(ctx.db, {
    from: row.id,
    to: target.id,
    most,
    counted: isMemberInScope(ctx),
  })
  return { rows: moved, visibleRows: seen, people: 0, members: living, secondaryMembers: seen }
}

/** Everybody gets an audit record. */
async function movePeopleStep(
  ctx: Context,
  row: OrganizationRow,
  target: OrganizationRow,
  most: number,
): Promise<EndingStep> {
  await requireAllManageable(ctx, row)
  if (await hasPeople(ctx.db, row.id)) await assertNoGains(ctx, row, target)
  const moved = await moveUsers(ctx.db, { from: row.id, to: target.id, most, now: ctx.now() })
  const living = moved.filter(({ deleted }) => !deleted)
  // The id decides who may read the name.
  const change = {
    before: { organization: row.code, organizationId: row.id },
    after: { organization: target.code, organizationId: target.id },
  }
  await recordAudits(
    ctx,
    living.map(({ id }) => ({ action: 'account.update', targetKind: 'user', targetId: id, ...change })),
  )
  if (living.length > 0) await refuseLockout(ctx)
  return { rows: moved.length, visibleRows: moved.length, people: living.length, members: 0, secondaryMembers: 0 }
}

/** Deleted people, who don't keep an organisation alive, move to its parent. */
async function moveDeletedUpStep(ctx: Context, row: OrganizationRow, most: number): Promise<EndingStep> {
  const to = row.ancestorIds.at(-2) ?? null
  const moved = await moveUsers(ctx.db, { from: row.id, to, most, now: ctx.now(), onlyDeleted: true })
  return { rows: moved.length, visibleRows: moved.length, people: 0, members: 0, secondaryMembers: 0 }
}
