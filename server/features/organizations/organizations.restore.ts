import { z } from 'zod'
import type { Context } from '../../platform/platform.ts'
import type { Snapshot as Kept, Missing, Restorer } from '../change-history/index.ts'
import { changeable, checkDepth, writeOwn } from './organizations.changes.ts'
import { checkNotBelow } from './organizations.moves.ts'
import { seenOrganization } from './organizations.service.ts'
import { isAttribute, levelsOf, lockTree, moveSubtree, type Snapshot, snapshotsOf } from './organizations.store.ts'

/** Lines about one that was merged or deleted hold more. */
const Former: z.ZodType<Snapshot> = z.object({
  code: z.string(),
  name: z.string(),
  names: z.record(z.string(), z.string()),
  parentId: z.string().nullable(),
  attribute: z.string().nullable(),
  position: z.number().int(),
  enabled: z.boolean(),
})

/** A former state, without what it refers to and is gone: then the parent, or the attribute, of today stays. */
async function comingBack(ctx: Context, id: string, kept: Kept): Promise<{ former: Snapshot; missing: Missing[] }> {
  const former = Former.parse(kept)
  const [today] = await snapshotsOf(ctx.db, [id])
  const missing: Missing[] = []
  const { parentId, attribute } = former
  if (parentId !== null && (await snapshotsOf(ctx.db, [parentId])).length === 0) {
    missing.push({ field: 'parentId', value: parentId })
    former.parentId = today?.parentId ?? null
  }
  if (attribute !== null && !(await isAttribute(ctx.db, attribute))) {
    missing.push({ field: 'attribute', value: attribute })
    former.attribute = today?.attribute ?? null
  }
  return { former, missing }
}

/** How an organisation is put back to a former state: everything that may be set of it, and its place in the tree. */
export const organizationRestorer: Restorer = {
  async current(ctx, ids) {
    const rows = await snapshotsOf(ctx.db, ids)
    return new Map(
      rows.map(({ id, version, ...snapshot }) => [id, { name: snapshot.name, version, snapshot }] as const),
    )
  },

  missing: async (ctx, id, snapshot) => (await comingBack(ctx, id, snapshot)).missing,

  async restore(ctx, id, snapshot, version) {
    await lockTree(ctx.db)
    const row = await changeable(ctx, id, version)
    const { former } = await comingBack(ctx, id, snapshot)
    const { parentId, position } = former
    await writeOwn(ctx, id, former)
    const parent = parentId === null ? null : await seenOrganization(ctx, parentId)
    checkNotBelow(ctx, row, parent)
    checkDepth(ctx, parent, await levelsOf(ctx.db, id))
    await moveSubtree(ctx.db, { id, parentId, ancestorIds: parent?.ancestorIds ?? [], position, now: ctx.now() })
  },
}
