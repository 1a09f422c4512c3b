import { ACCOUNT_FIELDS, type AccountField, type AccountFieldRules } from '#shared/contract/account-fields.ts'
import type { CustomField } from '#shared/contract/custom-fields.ts'
import { type CustomFieldName, customName, type FieldEditor } from '#shared/contract/field-rules.ts'
import type { SecretBox } from '../../platform/crypto.ts'
import { customValueProblem, isEditableByAdministrators, valueProblem } from '../account-fields/index.ts'
import { addProblem, type PlannedRow } from './save-users-plan.rules.ts'

/** Who may change a field, by who saves; what nobody may change, no source may either. */
const mayEdit = {
  source: ({ editableBy }: { editableBy: FieldEditor }): boolean => editableBy !== 'nobody',
  administrators: isEditableByAdministrators,
}

/** An avatar is never set by administrators. */
const isGiven = (field: AccountField): field is Exclude<AccountField, 'avatar'> => field !== 'avatar'

/**
 * Marks violations of the field rules: a change of a field that administrators don't edit, a wrong format, an empty required field. Fields
 * that a row doesn't set are not checked.
 */
export function checkFieldRules(
  rows: readonly PlannedRow[],
  { rules, isSource }: { rules: AccountFieldRules; isSource: boolean },
  secrets: SecretBox,
): void {
  for (const row of rows) {
    const refused = new Set(row.problems.map(({ field }) => field))
    const judged = ACCOUNT_FIELDS.filter(isGiven).filter(
      (field) => !refused.has(field) && (!row.existing || (field !== 'account' && row.changed.includes(field))),
    )
    for (const field of judged) {
      const problem = mayWrite(row, rules[field], isSource)
        ? valueProblem(rules, field, keptValue(row, field, secrets))
        : 'not-editable'
      if (problem) addProblem(row, field, problem)
    }
  }
}

/** Whoever creates a person may set every field. */
const mayWrite = (
  { existing }: PlannedRow,
  rules: Parameters<typeof isEditableByAdministrators>[0],
  isSource: boolean,
): boolean => !existing || mayEdit[isSource ? 'source' : 'administrators'](rules)

/** What a row is to have, as people know it. */
export function keptValue(
  row: PlannedRow,
  field: Exclude<AccountField, 'avatar'> | CustomFieldName,
  secrets: SecretBox,
): string | null {
  if (field === 'account') return row.account
  const value = row.after[field] ?? null
  return field === 'idNumber' && value !== null ? secrets.open(value) : value
}

/** The same for custom fields. */
export function checkCustomFields(
  rows: readonly PlannedRow[],
  fields: readonly CustomField[],
  isSource: boolean,
): void {
  for (const row of rows) {
    const refused = new Set(row.problems.map(({ field }) => field))
    const judged = fields.filter(({ key }) => {
      const name = customName(key)
      return !refused.has(name) && (!row.existing || row.changed.includes(name))
    })
    for (const field of judged) checkCustomField(row, field, isSource)
  }
}

function checkCustomField(row: PlannedRow, field: CustomField, isSource: boolean): void {
  const name = customName(field.key)
  const isClosed = !mayWrite(row, field, isSource)
  const problem = isClosed ? 'not-editable' : customValueProblem(field, row.after[name] ?? null)
  if (problem) addProblem(row, name, problem)
}
