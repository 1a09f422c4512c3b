import { ACCOUNT_FIELDS, type AccountField, type AccountFieldRules } from '#shared/contract/account-fields.ts'
import type { CustomField } from '#shared/contract/custom-fields.ts'
import { customName } from '#shared/contract/field-rules.ts'
import type { SecretBox } from '../../platform/crypto.ts'
import {
  customValueProblem,
  isEditableByAdministrators,
  mayAdministratorsEdit,
  valueProblem,
} from '../account-fields/index.ts'
import { addProblem, type PlannedRow } from './save-users-plan.rules.ts'

/** A picture is nothing that administrators give. */
const isGiven = (field: AccountField): field is Exclude<AccountField, 'avatar'> => field !== 'avatar'

/**
 * Marks what the rules of fields forbid: a change of what administrators don't change, a value of another format, and nothing where
 * there has to be something. What a row leaves alone is not judged.
 */
export function checkFieldRules(rows: readonly PlannedRow[], rules: AccountFieldRules, secrets: SecretBox): void {
  for (const row of rows) {
    const refused = new Set(row.problems.map(({ field }) => field))
    const judged = ACCOUNT_FIELDS.filter(isGiven).filter(
      (field) => !refused.has(field) && (!row.existing || (field !== 'account' && row.changed.includes(field))),
    )
    for (const field of judged) {
      if (row.existing && !mayAdministratorsEdit(rules, field)) addProblem(row, field, 'not-editable')
      else {
        const problem = valueProblem(rules, field, keptValue(row, field, secrets))
        if (problem) addProblem(row, field, problem)
      }
    }
  }
}

function keptValue(row: PlannedRow, field: Exclude<AccountField, 'avatar'>, secrets: SecretBox): string | null {
  if (field === 'account') return row.account
  const value = row.after[field]
  return field === 'idNumber' && value !== null ? secrets.open(value) : value
}

/** The same of the fields that the institution defined. */
export function checkCustomFields(rows: readonly PlannedRow[], fields: readonly CustomField[]): void {
  for (const row of rows) {
    const refused = new Set(row.problems.map(({ field }) => field))
    const judged = fields.filter(({ key }) => {
      const name = customName(key)
      return !refused.has(name) && (!row.existing || row.changed.includes(name))
    })
    for (const field of judged) checkCustomField(row, field)
  }
}

function checkCustomField(row: PlannedRow, field: CustomField): void {
  const name = customName(field.key)
  const isClosed = row.existing !== null && !isEditableByAdministrators(field)
  const problem = isClosed ? 'not-editable' : customValueProblem(field, row.after[name] ?? null)
  if (problem) addProblem(row, name, problem)
}
