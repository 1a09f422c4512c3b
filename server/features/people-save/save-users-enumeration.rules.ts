import type { CustomField } from '#shared/contract/custom-fields.ts'
import { customName } from '#shared/contract/field-rules.ts'
import type { Context } from '../../platform/platform.ts'
import type { ValueField } from './save-users.types.ts'
import type { PlannedRow, ValidatedInput } from './save-users-plan.rules.ts'

/** What whoever may change a person does not thereby read: the number of their document, and without `edit` what lists mask. */
const HIDDEN_FIELDS: readonly ValueField[] = ['idNumber']
const MASKED_FIELDS: readonly ValueField[] = ['phone', 'mailbox']

/**
 * A rehearsal tells nobody that they guessed what they may not read: thousands of guesses fit into a file, and none of them would be
 * written. Such a value counts as a change, whether it is one or not.
 */
export function maskUnreadableChanges(
  { caller }: Context,
  planned: readonly PlannedRow[],
  inputs: readonly ValidatedInput[],
  custom: readonly CustomField[],
): void {
  if (!caller || caller.isSuperUser) return
  const sensitive = custom.filter(({ isSensitive }) => isSensitive).map(({ key }) => customName(key))
  for (const [at, row] of planned.entries()) {
    const fields = inputs[at]?.fields
    if (!row.existing || !fields) continue
    const hidden = row.existing.isOpen ? HIDDEN_FIELDS : [...HIDDEN_FIELDS, ...MASKED_FIELDS, ...sensitive]
    row.changed.push(...hidden.filter((field) => fields[field] && !row.changed.includes(field)))
  }
}
