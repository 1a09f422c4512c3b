import type { CustomField } from '#shared/contract/custom-fields.ts'
import { customName, isAskedAfterLogin } from '#shared/contract/field-rules.ts'
import type { Context } from '../../platform/platform.ts'
import { errors } from './account-fields.errors.ts'
import { customLabel } from './custom-fields.service.ts'
import { customValueProblem, isEditableByOwner, readCustomValue } from './custom-values.rules.ts'
import { lengthParams, ownedFields } from './own-fields.service.ts'
import { isValueTaken } from './unique-fields.service.ts'

type Problem = 'not-editable' | 'missing' | 'too-short' | 'too-long' | 'format' | 'taken'

/**
 * Checks a person's own change of a custom field; called in its transaction.
 * @returns the value to store; null: none.
 * @throws Refusal `account-field.…`, naming the field.
 */
export async function requireOwnCustomEdit(
  ctx: Context,
  field: CustomField,
  { userId, text }: { userId: string; text: string | null },
): Promise<string | null> {
  const refuse = (problem: Problem) => {
    return errors[`account-field.${problem}`]({
      params: { field: customLabel(field, ctx.client.language), ...lengthParams(problem, field.format) },
      data: { fields: [customName(field.key)] },
    })
  }
  const isOwned = (await ownedFields(ctx, userId)).has(customName(field.key))
  if (isOwned || !isEditableByOwner(field)) throw refuse('not-editable')
  const read = readCustomValue(field, text)
  if ('problem' in read) throw refuse(read.problem === 'too-long' ? 'too-long' : 'format')
  const { value } = read
  const isMissing = value === null && isAskedAfterLogin(field.required)
  const problem = isMissing ? 'missing' : customValueProblem(field, value)
  if (problem) throw refuse(problem === 'not-offered' ? 'format' : problem)
  if (value !== null && (await isValueTaken(ctx, { field: customName(field.key), value, userId })))
    throw refuse('taken')
  return value
}

/** The values for an audit record; of a sensitive field only that it changed. */
export function customAuditValues({ key, isSensitive }: CustomField, before: string | null, after: string | null) {
  const name = customName(key)
  return isSensitive ? { after: { changed: [name] } } : { before: { [name]: before }, after: { [name]: after } }
}
