import { z } from 'zod'
import { parseInput } from '../../platform/http/responses.ts'
import type { Context } from '../../platform/platform.ts'
import { refuseLockout } from '../access-rules/index.ts'
import type { Snapshot as Kept, MissingReference, Restorer } from '../records/index.ts'
import { getVisibleOrganization } from './organizations.service.ts'
import {
  countLevels,
  isKnownAttribute,
  listSnapshots,
  lockTree,
  moveSubtree,
  type OrganizationSnapshot,
} from './organizations.store.ts'
import { checkNotBelow } from './organizations-move.service.ts'
import { refuseOwnedFields } from './organizations-owners.service.ts'
import { checkDepth, getOrganizationAtVersion, saveValues, toSnapshot } from './organizations-save.service.ts'

/** Records of a merged or deleted one contain more. */
const FormerOrganization: z.ZodType<OrganizationSnapshot> = z.object({
  code: z.string(),
  name: z.string(),
  names: z.record(z.string(), z.string()),
  parentId: z.string().nullable(),
  attribute: z.string().nullable(),
  position: z.number().int(),
  enabled: z.boolean(),
})

/** A former state, without deleted references: then the current parent or attribute stays. */
async function resolveFormer(
  ctx: Context,
  id: string,
  kept: Kept,
): Promise<{ former: OrganizationSnapshot; missing: MissingReference[] }> {
  const former = parseInput(FormerOrganization, kept, ctx, ctx.client.language)
  const [today] = await listSnapshots(ctx.db, [id])
  const missing: MissingReference[] = []
  const { parentId, attribute } = former
  if (parentId !== null && (await listSnapshots(ctx.db, [parentId])).length === 0) {
    missing.push({ field: 'parentId', value: parentId })
    former.parentId = today?.parentId ?? null
  }
  if (attribute !== null && !(await isKnownAttribute(ctx.db, attribute))) {
    missing.push({ field: 'attribute', value: attribute })
    former.attribute = today?.attribute ?? null
  }
  return { former, missing }
}

/** How an organisation is rolled back: everything that can be set, and its place in the tree. */
export const organizationRestorer: Restorer = {
  async current(ctx, ids) {
    const rows = await listSnapshots(ctx.db, ids)
    return new Map(
      rows.map(({ id, version, ...snapshot }) => [id, { name: snapshot.name, version, snapshot }] as const),
    )
  },

  missing: async (ctx, id, snapshot) => (await resolveFormer(ctx, id, snapshot)).missing,

  async restore(ctx, id, snapshot, version) {
    await lockTree(ctx.db)
    const row = await getOrganizationAtVersion(ctx, id, version)
    const { former } = await resolveFormer(ctx, id, snapshot)
    const { parentId, position } = former
    await refuseOwnedFields(ctx, [{ id, before: toSnapshot(row), after: former }])
    await saveValues(ctx, id, former)
    const parent = parentId === null ? null : await getVisibleOrganization(ctx, parentId)
    checkNotBelow(ctx, row, parent)
    checkDepth(ctx, parent, await countLevels(ctx.db, id))
    await moveSubtree(ctx.db, { id, parentId, ancestorIds: parent?.ancestorIds ?? [], position, now: ctx.now() })
    await refuseLockout(ctx)
  },
}
