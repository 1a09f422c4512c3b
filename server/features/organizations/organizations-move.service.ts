import type { moveOrganization } from '#shared/contract/organizations.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { refuseLockout } from '../access-rules/index.ts'
import { recordAudit } from '../records/index.ts'
import { assertNoGains } from './move-effects.service.ts'
import { errors } from './organizations.errors.ts'
import { getDetails } from './organizations.service.ts'
import {
  allocatePositionAfter,
  countLevels,
  findPreviousSibling,
  listChildIds,
  listSnapshots,
  lockTree,
  moveSubtree,
  nextPosition,
} from './organizations.store.ts'
import { refuseOwnedFields } from './organizations-owners.service.ts'
import {
  checkDepth,
  displayName,
  getOrganizationAtVersion,
  getTargetOrganization,
  toSnapshot,
} from './organizations-save.service.ts'
import type { OrganizationRow } from './tree.store.ts'

/** @throws Refusal `organization.below-itself` if `parent` is `row` or below it. */
export function checkNotBelow(ctx: Context, row: OrganizationRow, parent: OrganizationRow | null): void {
  if (!parent?.ancestorIds.includes(row.id)) return
  throw errors['organization.below-itself']({
    params: { name: displayName(ctx, row), target: displayName(ctx, parent) },
  })
}

/** Moves an organisation with all below it; two moves at once can't create a cycle, because the second sees the first. */
export async function move(
  ctx: Context,
  id: string,
  { version, parentId, after }: Input<typeof moveOrganization>['body'],
): Promise<Output<typeof moveOrganization>> {
  return await transaction(ctx, async (inner) => {
    await lockTree(inner.db)
    const row = await getOrganizationAtVersion(inner, id, version)
    const before = { parentId: row.ancestorIds.at(-2) ?? null, after: await findPreviousSibling(inner.db, id) }
    const parent = await getTargetOrganization(inner, parentId)
    await assertNoGains(inner, row, parent)
    await moveTo(inner, row, parent, after)
    await refuseLockout(inner)
    return { organization: await getDetails(inner, id), before }
  })
}

/** Renumbering changes the positions of all siblings. @throws Refusal `organization.owned-by-source` */
async function refuseRenumbering(ctx: Context, parentId: string | null): Promise<void> {
  const siblings = await listSnapshots(ctx.db, await listChildIds(ctx.db, parentId))
  const changes = siblings.map((before) => ({ id: before.id, before, after: { ...before, position: Number.NaN } }))
  await refuseOwnedFields(ctx, changes)
}

/** The move itself, with its audit record. @throws Refusal */
async function moveTo(
  ctx: Context,
  row: OrganizationRow,
  parent: OrganizationRow | null,
  after: string | null | undefined,
) {
  const { id } = row
  checkNotBelow(ctx, row, parent)
  checkDepth(ctx, parent, await countLevels(ctx.db, id))
  const parentId = parent?.id ?? null
  const position =
    after === undefined
      ? await nextPosition(ctx.db, parentId)
      : await allocatePositionAfter(ctx.db, parentId, after, id, () => refuseRenumbering(ctx, parentId))
  if (position === null) throw errors['organization.not-found']()
  const snapshot = toSnapshot(row)
  await refuseOwnedFields(ctx, [{ id, before: snapshot, after: { ...snapshot, parentId, position } }])
  await moveSubtree(ctx.db, { id, parentId, ancestorIds: parent?.ancestorIds ?? [], position, now: ctx.now() })
  await recordAudit(ctx, {
    action: 'organization.move',
    targetKind: 'organization',
    targetId: id,
    before: snapshot,
    after: { ...snapshot, parentId, position },
  })
}
