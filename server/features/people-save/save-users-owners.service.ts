import type { Context } from '../../platform/platform.ts'
import { listFieldOwners } from '../field-authority/index.ts'
import { addProblem, type PlannedRow } from './save-users-plan.rules.ts'

/** Marks changes of fields owned by a data source, where the value has to be changed instead. */
export async function refuseOwnedFields(ctx: Context, rows: readonly PlannedRow[]): Promise<void> {
  const changing = rows.filter(({ existing, changed }) => existing?.mayChange && changed.length > 0)
  if (changing.length === 0) return
  const owners = await listFieldOwners(
    ctx.db,
    changing.map(({ id }) => id),
  )
  for (const row of changing)
    for (const { field, source } of owners.get(row.id) ?? [])
      if (row.changed.some((one) => one === field)) addProblem(row, field, 'owned-by-source', { source })
}
