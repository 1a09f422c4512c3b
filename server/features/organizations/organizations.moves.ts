import type { moveOrganization } from '#shared/contract/organizations.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { recordAudit } from '../records/index.ts'
import { refuseGains } from './move-effects.ts'
import { changeable, checkDepth, holder, nameFor, snapshotOf } from './organizations.changes.ts'
import { errors } from './organizations.errors.ts'
import { detailsOf } from './organizations.service.ts'
import { lastPosition, levelsOf, lockTree, moveSubtree, positionAfter, siblingBefore } from './organizations.store.ts'
import type { DetailsRow } from './tree.store.ts'

/** @throws Refusal `organization.below-itself` when `parent` is `row` or lies below it. */
export function checkNotBelow(ctx: Context, row: DetailsRow, parent: DetailsRow | null): void {
  if (!parent?.ancestorIds.includes(row.id)) return
  throw errors['organization.below-itself']({ params: { name: nameFor(ctx, row), target: nameFor(ctx, parent) } })
}

/** Moves an organisation with all below it; two moves at once can't make a circle, because the second sees the first. */
export async function move(
  ctx: Context,
  id: string,
  { version, parentId, after }: Input<typeof moveOrganization>['body'],
): Promise<Output<typeof moveOrganization>> {
  return await transaction(ctx, async (inner) => {
    await lockTree(inner.db)
    const row = await changeable(inner, id, version)
    const before = { parentId: row.ancestorIds.at(-2) ?? null, after: await siblingBefore(inner.db, id) }
    const parent = await holder(inner, parentId)
    await refuseGains(inner, row, parent)
    await moveTo(inner, row, parent, after)
    return { organization: await detailsOf(inner, id), before }
  })
}

/** The move itself, with its audit line. @throws Refusal */
async function moveTo(ctx: Context, row: DetailsRow, parent: DetailsRow | null, after: string | null | undefined) {
  const { id } = row
  checkNotBelow(ctx, row, parent)
  checkDepth(ctx, parent, await levelsOf(ctx.db, id))
  const parentId = parent?.id ?? null
  const position =
    after === undefined ? await lastPosition(ctx.db, parentId) : await positionAfter(ctx.db, parentId, after, id)
  if (position === null) throw errors['organization.not-found']()
  await moveSubtree(ctx.db, { id, parentId, ancestorIds: parent?.ancestorIds ?? [], position, now: ctx.now() })
  const snapshot = snapshotOf(row)
  await recordAudit(ctx, {
    action: 'organization.move',
    targetKind: 'organization',
    targetId: id,
    before: snapshot,
    after: { ...snapshot, parentId, position },
  })
}
