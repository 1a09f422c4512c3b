import type { CustomField } from '#shared/contract/custom-fields.ts'
import { customName } from '#shared/contract/field-rules.ts'
import type { Context } from '../../platform/platform.ts'
import { hasLimitedScope } from '../access/index.ts'
import type { ValueField } from './save-users.types.ts'
import type { PlannedRow, ValidatedInput } from './save-users-plan.rules.ts'

/** What permission to change a person does not reveal: the number of the identity document and, without `edit`, what lists mask. */
const HIDDEN_FIELDS: readonly ValueField[] = ['idNumber']
const MASKED_FIELDS: readonly ValueField[] = ['phone', 'mailbox']

/**
 * A dry run must not confirm guesses about values that the caller may not read: a file holds thousands of guesses, and nothing would be
 * written. Such a value counts as a change, whether it is one or not.
 */
export function maskUnreadableChanges(
  ctx: Context,
  planned: readonly PlannedRow[],
  inputs: readonly ValidatedInput[],
  custom: readonly CustomField[],
): void {
  if (!hasLimitedScope(ctx)) return
  const sensitive = custom.filter(({ isSensitive }) => isSensitive).map(({ key }) => customName(key))
  for (const [at, row] of planned.entries()) {
    const fields = inputs[at]?.fields
    if (!row.existing || !fields) continue
    const hidden = row.existing.isOpen ? HIDDEN_FIELDS : [...HIDDEN_FIELDS, ...MASKED_FIELDS, ...sensitive]
    row.changed.push(...hidden.filter((field) => fields[field] && !row.changed.includes(field)))
  }
}
