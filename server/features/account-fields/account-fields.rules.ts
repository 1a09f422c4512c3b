import type { AccountField, AccountFieldRules } from '#shared/contract/account-fields.ts'
import { isAskedAfterLogin } from '#shared/contract/field-rules.ts'
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

/**
 * The same for a person's own change: whoever must have a value for a field can't remove it, or their next call would lead back to
 * completing the profile.
 */
export const ownValueProblem = (
  rules: AccountFieldRules,
  field: AccountField,
  value: string | null,
): 'missing' | FormatProblem | null =>
  isEmptyValue(field, value) && isAskedAfterLogin(rules[field].required) ? 'missing' : valueProblem(rules, field, value)

/** Gender `unknown` counts as absent. */
const isEmptyValue = (field: AccountField, value: string | null): boolean =>
  value === null || value === '' || (field === 'gender' && value === 'unknown')

/** May administrators change a value on file? Creating a person is not restricted. */
export const mayAdministratorsEdit = (rules: AccountFieldRules, field: AccountField): boolean =>
  isEditableByAdministrators(rules[field])

/** May people change it themselves? Nobody can change a field they can't see. */
export const mayOwnerEdit = (rules: AccountFieldRules, field: AccountField): boolean => isEditableByOwner(rules[field])
