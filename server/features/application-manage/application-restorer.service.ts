import { ApplicationDetails } from '#shared/contract/application-manage.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import { parseInput } from '../../platform/http/responses.ts'
import type { Context } from '../../platform/platform.ts'
import {
  type ApplicationRow,
  findApplicationsById,
  invalidateApplications,
  lockApplication,
} from '../applications/index.ts'
import type { MissingReference, Restorer, Snapshot } from '../records/index.ts'
import { assertValidApplication, writeApplications } from './application-checks.service.ts'
import { errors } from './application-manage.errors.ts'
import { loadApplicationDetails, toNameSearchForms } from './application-manage.service.ts'
import { toApplicationSnapshot } from './application-mapping.rules.ts'
import { categoryExists } from './categories.store.ts'

/** The fields of a snapshot that can be restored. Identifiers, the protocol, the secret and the portal stay as they are. */
const RestorableFields = ApplicationDetails.omit({
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

async function findMissing(ctx: Context, _id: string, snapshot: Snapshot): Promise<MissingReference[]> {
  const { categoryId } = snapshot
  if (typeof categoryId !== 'string' || (await categoryExists(ctx.db, categoryId))) return []
  return [{ field: 'categoryId', value: categoryId }]
}

/** How an application is rolled back, also a deleted one. */
export const applicationRestorer: Restorer = {
  async current(ctx, targetIds) {
    const rows = await findApplicationsById(ctx.db, targetIds)
    return new Map(
      rows.map(
        (row) => [row.id, { name: row.name, version: row.version, snapshot: toApplicationSnapshot(row) }] as const,
      ),
    )
  },
  missing: findMissing,
  async restore(ctx, targetId, snapshot, version) {
    const row = await lockApplication(ctx.db, targetId)
    if (!row) throw errors['application.not-found']()
    if (row.builtIn) throw errors['application.built-in']()
    if (row.version !== version) {
      throw platformErrors['version.conflict']({ data: { current: await loadApplicationDetails(ctx, row) } })
    }
    const known = Object.fromEntries(Object.entries(snapshot).filter(([name]) => name in RestorableFields.shape))
    const kept = parseInput(RestorableFields, known, ctx, ctx.client.language)
    const lost = new Set((await findMissing(ctx, targetId, snapshot)).map(({ field }) => field))
    const isDeleted = snapshot['deleted'] === true
    const wanted = {
      ...row,
      ...kept,
      ...(kept.name !== undefined && (await toNameSearchForms(kept.name))),
      ...(lost.has('categoryId') && { categoryId: row.categoryId }),
      deletedAt: isDeleted ? (row.deletedAt ?? ctx.now()) : null,
      enabled: !isDeleted && (kept.enabled ?? row.enabled),
    } as ApplicationRow
    await assertValidApplication(ctx, wanted)
    await writeApplications(ctx, [wanted])
    await invalidateApplications(ctx, ctx.db)
  },
}
