import { z } from 'zod'
import { updateApplicationCategory } from '#shared/contract/application-categories.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import { parseInput } from '../../platform/http/answer.ts'
import type { Context } from '../../platform/platform.ts'
import { applicationsChanged } from '../applications/index.ts'
import type { Missing, Restorer, Snapshot } from '../change-history/index.ts'
import { errors } from './application-manage.errors.ts'
import { refuseThirdLevel } from './categories.service.ts'
import { categoriesWith, categoryExists, lockCategories, saveCategory } from './categories.store.ts'

/** The code never changes. A line of a bootstrap file that is old does not tell the parent. */
const Former = z.object(updateApplicationCategory.body.shape).partial()

async function missing(ctx: Context, _id: string, { parentId }: Snapshot): Promise<Missing[]> {
  if (typeof parentId !== 'string' || (await categoryExists(ctx.db, parentId))) return []
  return [{ field: 'parentId', value: parentId }]
}

/** How a category of applications is put back to a former name, place and order; one that was deleted is gone. */
export const applicationCategoryRestorer: Restorer = {
  async current(ctx, ids) {
    const rows = await categoriesWith(ctx.db, ids)
    return new Map(rows.map(({ version, ...row }) => [row.id, { name: row.name, version, snapshot: row }] as const))
  },
  missing,
  async restore(ctx, id, snapshot, version) {
    const rows = await lockCategories(ctx.db)
    const [present] = await categoriesWith(ctx.db, [id])
    if (!present) throw errors['application-category.not-found']()
    const { version: current, ...row } = present
    if (current !== version) throw platformErrors['version.conflict']({ data: { current: row } })
    const known = Object.fromEntries(Object.entries(snapshot).filter(([name]) => name in Former.shape))
    const kept = parseInput(Former, known, ctx.client.language)
    const isOrphan = (await missing(ctx, id, snapshot)).length > 0
    // Not the defaults of what is not told.
    const given = Object.fromEntries(Object.entries(kept).filter(([name]) => name in known))
    const wanted = { ...row, ...given, ...(isOrphan && { parentId: row.parentId }) }
    refuseThirdLevel(rows, wanted)
    await saveCategory(ctx.db, wanted)
    await applicationsChanged(ctx, ctx.db)
  },
}
