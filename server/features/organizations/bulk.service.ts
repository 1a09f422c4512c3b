import type { Context } from '../../platform/platform.ts'
import { mapInSlices } from '../../platform/slices.ts'
import { refuseLockout } from '../access-rules/index.ts'
import { buildSearchKeys } from '../name-search/index.ts'
import { recordAudits } from '../records/index.ts'
import { moveDeletedUsersUp } from '../user-accounts/index.ts'
import {
  type BulkValues,
  deleteOrganizations,
  insertOrganizations,
  listAllOrganizations,
  listEmpty,
  updateOrganizations,
  updatePaths,
} from './bulk.store.ts'
import { lockTree, type OrganizationSnapshot } from './organizations.store.ts'

/** Few enough that writing them as one text blocks nobody for long. */
const CHUNK = 500

export type OrganizationWrite = {
  id: string
  /** The current state; null: it is new. */
  before: OrganizationSnapshot | null
  after: OrganizationSnapshot
}

/**
 * Writes many organisations at once, new ones after their parents; the caller must have checked the tree with `loadTree` in the same
 * transaction.
 */
export async function writeOrganizations(
  ctx: Context,
  writes: readonly OrganizationWrite[],
  reason: string,
): Promise<void> {
  if (writes.length === 0) return
  const toValues = async ({ id, after }: OrganizationWrite): Promise<BulkValues> => ({
    ...after,
    ...(await buildSearchKeys(after.name, 'thing')),
    id,
  })
  for (let from = 0; from < writes.length; from += CHUNK) {
    const chunk = writes.slice(from, from + CHUNK)
    const added = await mapInSlices(
      chunk.filter(({ before }) => !before),
      toValues,
    )
    if (added.length > 0) await insertOrganizations(ctx.db, added, ctx.now())
  }
  const changed = await mapInSlices(
    writes.filter(({ before }) => before),
    toValues,
  )
  if (changed.length > 0) await updateOrganizations(ctx.db, changed, ctx.now())
  if (!(await updatePaths(ctx.db))) throw new Error('these organisations would form a cycle')
  await refuseLockout(ctx)
  await recordAudits(
    ctx,
    writes.map(({ id, before, after }) => ({
      action: actionOf(before, after),
      targetKind: 'organization',
      targetId: id,
      before,
      after,
      reason,
    })),
  )
}

const actionOf = (before: OrganizationSnapshot | null, after: OrganizationSnapshot): string => {
  if (!before) return 'organization.create'
  return before.parentId === after.parentId ? 'organization.update' : 'organization.move'
}

/** Deletes those of these that are empty. @returns which */
export async function deleteEmptyOrganizations(
  ctx: Context,
  gone: readonly OrganizationWrite[],
  reason: string,
): Promise<Set<string>> {
  const empty = await listEmpty(
    ctx.db,
    gone.map(({ id }) => id),
  )
  await moveDeletedUsersUp(ctx.db, [...empty], ctx.now())
  await deleteOrganizations(ctx.db, [...empty])
  await recordAudits(
    ctx,
    gone.flatMap(({ id, before }) =>
      empty.has(id)
        ? [
            {
              action: 'organization.delete',
              targetKind: 'organization',
              targetId: id,
              before,
              after: { gone: true },
              reason,
            },
          ]
        : [],
    ),
  )
  return empty
}

/** Every organisation; with `lock`, nobody else can change one until the transaction ends. */
export async function loadTree(ctx: Context, lock: boolean) {
  if (lock) await lockTree(ctx.db)
  return await listAllOrganizations(ctx.db)
}
