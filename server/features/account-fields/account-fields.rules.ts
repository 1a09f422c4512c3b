import type { AccountField, AccountFieldRules } from '#shared/contract/account-fields.ts'
import { isEditableByAdministrators, isEditableByOwner } from './custom-values.rules.ts'
import { type FormatProblem, formatProblem } from './field-format.rules.ts'

/** Why a field must not get a value; null if it may. Null and the field's empty value count as absent. */
export function valueProblem(
  rules: AccountFieldRules,
  field: AccountField,
  value: string | null,
): 'missing' | FormatProblem | null {
  if (isEmptyValue(field, value)) return rules[field].required === 'always' ? 'missing' : null
  return formatProblem(rules[field].format, value as string)
}

/** Gender `unknown` counts as absent. */
const isEmptyValue = (field: AccountField, value: string | null): boolean =>
  value === null || value === '' || (field === 'gender' && value === 'unknown')

/** May administrators change a value on file? Creating a person is not restricted. */
export const mayAdministratorsEdit = (rules: AccountFieldRules, field: AccountField): boolean =>
  isEditableByAdministrators(rules[field])

/** May people change it themselves? Nobody can change a field they can't see. */
export const mayOwnerEdit = (rules: AccountFieldRules, field: AccountField): boolean => isEditableByOwner(rules[field])
