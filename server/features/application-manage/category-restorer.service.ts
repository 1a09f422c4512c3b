import { z } from 'zod'
import { updateApplicationCategory } from '#shared/contract/application-categories.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import { parseInput } from '../../platform/http/responses.ts'
import type { Context } from '../../platform/platform.ts'
import { invalidateApplications } from '../applications/index.ts'
import type { MissingReference, Restorer, Snapshot } from '../records/index.ts'
import { errors } from './application-manage.errors.ts'
import { assertTwoLevels } from './categories.service.ts'
import { categoryExists, findCategoriesById, lockCategories, saveCategory } from './categories.store.ts'

/** The code never changes. Old records of a bootstrap file don't contain the parent. */
const RestorableCategory = z.object(updateApplicationCategory.body.shape).partial()

async function findMissing(ctx: Context, _id: string, { parentId }: Snapshot): Promise<MissingReference[]> {
  if (typeof parentId !== 'string' || (await categoryExists(ctx.db, parentId))) return []
  return [{ field: 'parentId', value: parentId }]
}

/** How a category of applications is rolled back to a former name, place and order; a deleted one can't be. */
export const applicationCategoryRestorer: Restorer = {
  async current(ctx, ids) {
    const rows = await findCategoriesById(ctx.db, ids)
    return new Map(rows.map(({ version, ...row }) => [row.id, { name: row.name, version, snapshot: row }] as const))
  },
  missing: findMissing,
  async restore(ctx, id, snapshot, version) {
    const rows = await lockCategories(ctx.db)
    const [present] = await findCategoriesById(ctx.db, [id])
    if (!present) throw errors['application-category.not-found']()
    const { version: current, ...row } = present
    if (current !== version) throw platformErrors['version.conflict']({ data: { current: row } })
    const known = Object.fromEntries(Object.entries(snapshot).filter(([name]) => name in RestorableCategory.shape))
    const kept = parseInput(RestorableCategory, known, ctx, ctx.client.language)
    const isOrphan = (await findMissing(ctx, id, snapshot)).length > 0
    // Drops the defaults of missing keys.
    const given = Object.fromEntries(Object.entries(kept).filter(([name]) => name in known))
    const wanted = { ...row, ...given, ...(isOrphan && { parentId: row.parentId }) }
    assertTwoLevels(rows, wanted)
    await saveCategory(ctx.db, wanted)
    await invalidateApplications(ctx, ctx.db)
  },
}
