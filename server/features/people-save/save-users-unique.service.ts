import type { Context } from '../../platform/platform.ts'
import { hasLimitedScope, inScope } from '../access/index.ts'
import { uniqueFields } from '../account-fields/index.ts'
import { comparableValue, listValueOwners, lockUniqueFields, type UniqueField } from '../user-accounts/index.ts'
import { listVisibleIds } from './save-users.store.ts'
import type { SaveOptions } from './save-users.types.ts'
import { keptValue } from './save-users-fields.rules.ts'
import { addProblem, isValid, type PlannedRow } from './save-users-plan.rules.ts'

/** Marks values that somebody else has, among the rows or outside, of fields in which nobody is given what somebody else has. */
export async function checkUniqueValues(
  ctx: Context,
  rows: readonly PlannedRow[],
  { dryRun = false, preventEnumeration = false }: SaveOptions,
): Promise<void> {
  const unique = await uniqueFields(ctx)
  const given = rows.filter(isValid).flatMap((row) => unique.flatMap((field) => givenValue(ctx, row, field)))
  if (given.length === 0) return
  // Whoever writes the same field waits until this is written: what they then find is complete.
  if (!dryRun)
    await lockUniqueFields(
      ctx.db,
      given.map(({ field }) => field),
    )
  // What somebody in these rows had until now and gives up is still theirs: it is free from the next save on.
  const owners = await visibleOwners(ctx, given, dryRun && preventEnumeration)
  const repeated = new Map<string, string>()
  for (const { row, field, value } of given) {
    const id = `${field} ${value}`
    const other = repeated.get(id)
    if (owners.get(id)?.some((owner) => owner !== row.id)) addProblem(row, field, 'taken')
    else if (other !== undefined && other !== row.id) addProblem(row, field, 'repeated')
    else repeated.set(id, row.id)
  }
}

type Given = ReturnType<typeof givenValue>

/** Who has each value; where others are to be hidden, of those whom the caller administers. */
async function visibleOwners(ctx: Context, given: Given, hidesOthers: boolean): Promise<Map<string, string[]>> {
  const found = await listValueOwners(ctx.db, given)
  const ids = found.map(({ userId }) => userId)
  const isLimited = hidesOthers && hasLimitedScope(ctx)
  const seen = isLimited ? await listVisibleIds(ctx.db, ids, inScope(ctx, ctx.db`u.organization_id`)) : null
  const owners = new Map<string, string[]>()
  for (const { field, value, userId } of found) {
    const id = `${field} ${value}`
    if (seen?.has(userId) ?? true) owners.set(id, [...(owners.get(id) ?? []), userId])
  }
  return owners
}

function givenValue({ secrets }: Context, row: PlannedRow, field: UniqueField) {
  const value = row.changed.includes(field) ? keptValue(row, field, secrets) : null
  return value === null ? [] : [{ row, field, value: comparableValue(secrets, field, value) }]
}
