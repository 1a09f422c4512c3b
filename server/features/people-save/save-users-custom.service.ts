import type { CustomField } from '#shared/contract/custom-fields.ts'
import { customName } from '#shared/contract/field-rules.ts'
import type { Context } from '../../platform/platform.ts'
import { inScope } from '../access/index.ts'
import { listCustomValueOwners, lockCustomFields } from '../user-accounts/index.ts'
import { listVisibleIds } from './save-users.store.ts'
import type { SaveOptions } from './save-users.types.ts'
import { hasLimitedScope } from './save-users-checks.service.ts'
import { addProblem, isValid, type PlannedRow } from './save-users-plan.rules.ts'

/** Marks values that somebody else has, among the rows or outside, of fields in which no two people have the same. */
export async function checkUniqueValues(
  ctx: Context,
  rows: readonly PlannedRow[],
  fields: readonly CustomField[],
  { dryRun = false, preventEnumeration = false }: SaveOptions,
): Promise<void> {
  const unique = fields.filter(({ isUnique }) => isUnique)
  const given = unique.flatMap(({ key }) =>
    rows.filter(isValid).flatMap((row) => {
      const value = row.after[customName(key)]
      return typeof value === 'string' && row.changed.includes(customName(key)) ? [{ row, key, value }] : []
    }),
  )
  if (given.length === 0) return
  // Whoever writes the same field waits until this is written: what they then find is complete.
  if (!dryRun) await lockCustomFields(ctx.db, [...new Set(given.map(({ key }) => key))])
  const owners = await listCustomValueOwners(ctx.db, given)
  const seen =
    dryRun && preventEnumeration && hasLimitedScope(ctx)
      ? await listVisibleIds(
          ctx.db,
          owners.map(({ userId }) => userId),
          inScope(ctx, ctx.db`u.organization_id`),
        )
      : null
  // What somebody in these rows had until now and gives up is still theirs: it is free from the next save on.
  const taken = new Map(
    owners
      .filter(({ userId }) => seen?.has(userId) ?? true)
      .map(({ key, value, userId }) => [`${key} ${value}`, userId]),
  )
  const repeated = new Map<string, string>()
  for (const { row, key, value } of given) {
    const id = `${key} ${value}`
    const owner = taken.get(id)
    const other = repeated.get(id)
    if (owner !== undefined && owner !== row.id) addProblem(row, customName(key), 'taken')
    else if (other !== undefined && other !== row.id) addProblem(row, customName(key), 'repeated')
    else repeated.set(id, row.id)
  }
}
