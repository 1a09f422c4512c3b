import type { AccountField, AccountFieldRules } from '#shared/contract/account-fields.ts'
import { isEditableByAdministrators, isEditableByOwner } from './custom-values.rules.ts'
import { type FormatProblem, formatProblem } from './field-format.rules.ts'

/** What is wrong with a value that a field is to get; null and what stands for nothing are the same. */
export function valueProblem(
  rules: AccountFieldRules,
  field: AccountField,
  value: string | null,
): 'missing' | FormatProblem | null {
  if (isEmptyValue(field, value)) return rules[field].required === 'always' ? 'missing' : null
  return formatProblem(rules[field].format, value as string)
}

/** Of a gender `unknown` is none. */
const isEmptyValue = (field: AccountField, value: string | null): boolean =>
  value === null || value === '' || (field === 'gender' && value === 'unknown')

/** May administrators change what is on file? Whoever creates a person gives it in any case. */
export const mayAdministratorsEdit = (rules: AccountFieldRules, field: AccountField): boolean =>
  isEditableByAdministrators(rules[field])

/** May people change it themselves? Nobody changes what they don't see. */
export const mayOwnerEdit = (rules: AccountFieldRules, field: AccountField): boolean => isEditableByOwner(rules[field])
