import type { DirectorySync } from '#shared/contract/directory-syncs.ts'
import type { Context } from '../../platform/platform.ts'
import { stampDepartments } from './department-links.store.ts'
import { agreeingDepartment, indexWorld } from './department-plan.rules.ts'
import { departmentColumns, departmentOptions, loadWorld, mapDepartment } from './department-world.service.ts'

type ReadCells = { externalId: string; cells: readonly string[] }

export type Agreement = {
  /** The department that is as the row says; null: the row has to be planned. */
  departmentOf(row: ReadCells): string | null
  /** Does the plan of all rows together say the same? Other rows, and changes made here meanwhile, can contradict one. */
  holds(ctx: Context): Promise<boolean>
}

/** Compares rows of departments while they are read, so that a run in which nothing has changed plans nothing. */
export async function openAgreement(ctx: Context, sync: DirectorySync): Promise<Agreement> {
  const options = departmentOptions(sync)
  const columns = departmentColumns(options)
  // Before the departments themselves: a later change changes the stamp.
  const stamp = await stampDepartments(ctx.db, sync.id)
  const world = await loadWorld(ctx, sync.id, false)
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
      return (await stampDepartments(inner.db, sync.id)) === stamp
    },
  }
}
