import type { Context } from '../../platform/platform.ts'
import type { loadFieldNames } from '../sync-runs/index.ts'
import type { Problem } from './rows.store.ts'

type FieldName = Awaited<ReturnType<typeof loadFieldNames>>

/** A problem of a row in words; one of a field names it first. */
export function describeProblem(
  ctx: Context,
  { key, params }: Problem,
  { fieldName, isOfDepartment }: { fieldName: FieldName; isOfDepartment: boolean },
): string {
  const reason = ctx.translate(ctx.client.language, key, params)
  if (typeof params?.['field'] !== 'string') return reason
  const field = fieldName(params['field'], isOfDepartment)
  return ctx.translate(ctx.client.language, 'person.field-problem', { field, reason })
}
