import { ApplicationDetails } from '#shared/contract/application-manage.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import { parseInput } from '../../platform/http/answer.ts'
import type { Context } from '../../platform/platform.ts'
import { applicationsChanged } from '../applications/index.ts'
import type { Missing, Restorer, Snapshot } from '../change-history/index.ts'
import { errors } from './application-manage.errors.ts'
import { details, formsOf } from './application-manage.service.ts'
import { type ApplicationRow, applicationsById, lockApplication } from './application-manage.store.ts'
import { refuseBroken, writeApplications } from './application-rules.ts'
import { snapshotOf } from './application-shape.ts'
import { categoryExists } from './categories.store.ts'

/** What of a snapshot can be written back. Names that identify, the protocol, the secret and the portal stay as they are. */
const Kept = ApplicationDetails.omit({
  id: true,
  appId: true,
  protocol: true,
  builtIn: true,
  categoryName: true,
  hasSecret: true,
  createdAt: true,
  updatedAt: true,
  deletedAt: true,
  version: true,
}).partial()

async function missing(ctx: Context, _id: string, snapshot: Snapshot): Promise<Missing[]> {
  const { categoryId } = snapshot
  if (typeof categoryId !== 'string' || (await categoryExists(ctx.db, categoryId))) return []
  return [{ field: 'categoryId', value: categoryId }]
}

/** How an application is put back to a former state, a deleted one too. */
export const applicationRestorer: Restorer = {
  async current(ctx, targetIds) {
    const rows = await applicationsById(ctx.db, targetIds)
    return new Map(
      rows.map((row) => [row.id, { name: row.name, version: row.version, snapshot: snapshotOf(row) }] as const),
    )
  },
  missing,
  async restore(ctx, targetId, snapshot, version) {
    const row = await lockApplication(ctx.db, targetId)
    if (!row) throw errors['application.not-found']()
    if (row.builtIn) throw errors['application.built-in']()
    if (row.version !== version) {
      throw platformErrors['version.conflict']({ data: { current: await details(ctx, row) } })
    }
    const known = Object.fromEntries(Object.entries(snapshot).filter(([name]) => name in Kept.shape))
    const kept = parseInput(Kept, known, ctx.client.language)
    const lost = new Set((await missing(ctx, targetId, snapshot)).map(({ field }) => field))
    const isDeleted = snapshot['deleted'] === true
    const wanted = {
      ...row,
      ...kept,
      ...(kept.name !== undefined && (await formsOf(kept.name))),
      ...(lost.has('categoryId') && { categoryId: row.categoryId }),
      deletedAt: isDeleted ? (row.deletedAt ?? ctx.now()) : null,
      enabled: !isDeleted && (kept.enabled ?? row.enabled),
    } as ApplicationRow
    await refuseBroken(ctx, wanted)
    await writeApplications(ctx, [wanted])
    await applicationsChanged(ctx, ctx.db)
  },
}
