import type { DirectorySync } from '#shared/contract/directory-syncs.ts'
import type { Context } from '../../platform/platform.ts'
import { stampDepartments } from './department-links.store.ts'
import { type Agreed, agreeingDepartment, indexWorld } from './department-plan.rules.ts'
import { departmentColumns, departmentOptions, loadWorld, mapDepartment } from './department-world.service.ts'

type ReadCells = { externalId: string; cells: readonly string[] }

const STAMP_KIND = 'department-agreement'
/** Longer than a read takes. */
const STAMP_SECONDS = 24 * 3600

export type Agreement = {
  /** The department that is as the row says, and what is said of the row; null: the row has to be planned. */
  departmentOf(row: ReadCells): Agreed | null
  /** Does the plan of all rows together say the same? Other rows, and changes made here meanwhile, can contradict one. */
  holds(ctx: Context): Promise<boolean>
}

type RunOfSync = { id: string; syncId: string }

/** The stamp of the departments with which a run's rows were compared; null: lost, so nobody knows whether they still are like that. */
export const findComparedStamp = (ctx: Context, { id }: RunOfSync): Promise<string | null> =>
  ctx.state.peek<string>(STAMP_KIND, id)

/** Compares rows of departments while they are read, so that a run in which nothing has changed plans nothing. */
export async function openAgreement(ctx: Context, run: RunOfSync, sync: DirectorySync): Promise<Agreement> {
  const options = departmentOptions(sync)
  const columns = departmentColumns(options)
  // Before the departments themselves: a later change changes the stamp.
  const stamp = await stampDepartments(ctx.db, sync)
  await ctx.state.put(STAMP_KIND, run.id, stamp, STAMP_SECONDS)
  const world = await loadWorld(ctx, sync, false)
  const known = indexWorld(world)
  const roots = new Map(options.roots.map(({ value, organizationId }) => [value, organizationId]))
  const keys = new Set<string>()
  const parentKeys = new Set<string>()
  return {
    departmentOf({ externalId, cells }) {
      const row = { externalId, ...mapDepartment(cells, { options, columns }) }
      keys.add(externalId)
      if (!roots.has(row.parentKey)) parentKeys.add(row.parentKey)
      return agreeingDepartment(row, { world, known, options, roots })
    },
    async holds(inner) {
      if ([...parentKeys].some((key) => !keys.has(key))) return false
      return (await stampDepartments(inner.db, sync)) === stamp
    },
  }
}
