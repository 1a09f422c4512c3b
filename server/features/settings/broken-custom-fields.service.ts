import type { FieldRuleValues } from '#shared/contract/account-fields.ts'
import type { CustomField } from '#shared/contract/custom-fields.ts'
import type { Db } from '../../platform/db.ts'
import type { Snapshot } from '../records/index.ts'
import { countCustomValues, hasRepeatedCustomValue } from '../user-accounts/index.ts'

/** Counts of people stop here. */
const MAX_COUNTED = 10_000

export type BrokenField = { key: string; problem: 'dropped' | 'kind' | 'choice' | 'unique'; count: number }

/** What newly defined fields in a file would do to existing values: rejected in the same cases as on a page. */
export async function brokenCustomFields(db: Db, before: Snapshot, after: Snapshot): Promise<BrokenField[]> {
  const customOf = (values: FieldRuleValues) => values.custom ?? []
  const fields = customOf(after)
  const broken: BrokenField[] = []
  for (const field of customOf(before)) {
    const next = fields.find(({ key }) => key === field.key)
    for (const { problem, value } of suspectsOf(field, next)) {
      const use = { key: field.key, most: MAX_COUNTED, ...(value !== undefined && { value }) }
      const count = await countCustomValues(db, use)
      const isBroken = problem === 'unique' ? await hasRepeatedCustomValue(db, field.key) : count > 0
      if (isBroken) broken.push({ key: field.key, problem, count })
    }
  }
  return broken
}

/** What breaks if anybody has a value, or this one. */
function suspectsOf(
  field: CustomField,
  next: CustomField | undefined,
): { problem: BrokenField['problem']; value?: string }[] {
  if (!next) return [{ problem: 'dropped' }]
  if (next.kind !== field.kind) return [{ problem: 'kind' }]
  const lost = field.choices.filter(({ code }) => !next.choices.some((one) => one.code === code))
  return [
    ...lost.map(({ code }) => ({ problem: 'choice', value: code }) as const),
    ...(next.isUnique && !field.isUnique ? [{ problem: 'unique' } as const] : []),
  ]
}
