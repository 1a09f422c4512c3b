import { ACCOUNT_FIELDS, type AccountField, type OwnFields, UNIQUE_BY_RULE } from '#shared/contract/account-fields.ts'
import type { Context } from '../../platform/platform.ts'
import { listFieldOwners } from '../field-authority/index.ts'
import { findUnbindableContacts } from '../messages/index.ts'
import { errors } from './account-fields.errors.ts'
import { mayOwnerEdit, ownValueProblem } from './account-fields.rules.ts'
import { accountFieldRules } from './account-fields.service.ts'
import { isValueTaken } from './unique-fields.service.ts'

/**
 * Checks a person's own change of a built-in field; call it in the change's transaction if the field is unique.
 * @param value as it would be stored; null: removed.
 * @param userId whose data it is: the caller’s, or that of somebody activating their account
 * @throws Refusal `account-field.…`, naming the field.
 */
export async function requireOwnEdit(
  ctx: Context,
  field: AccountField,
  value: string | null,
  userId = ctx.caller?.userId ?? null,
): Promise<void> {
  const rules = await accountFieldRules(ctx)
  const isOpen = mayOwnerEdit(rules, field) && !(await ownedFields(ctx, userId)).has(field)
  const found = isOpen ? ownValueProblem(rules, field, value) : 'not-editable'
  // As in the completion of profiles: whoever lost their phone couldn't replace its number, so they may at least remove it.
  const problem = found === 'missing' && (await findUnbindableContacts(ctx)).has(field) ? null : found
  const unique = UNIQUE_BY_RULE.find((one) => one === field)
  const isTaken = async () =>
    unique !== undefined &&
    value !== null &&
    value !== '' &&
    (await isValueTaken(ctx, { field: unique, value, userId }))
  if (problem === null && !(await isTaken())) return
  throw errors[`account-field.${problem ?? 'taken'}`]({
    params: {
      field: ctx.translate(ctx.client.language, `person-field.${field}`),
      ...lengthParams(problem, rules[field].format),
    },
    data: { fields: [field] },
  })
}

/** Parameters of the error of a value that is too short or too long. */
export function lengthParams(problem: string | null, format: object | string): Record<string, number | string> {
  const { minLength = '', maxLength = '' } = Object(format)
  return { least: minLength, most: maxLength, count: problem === 'too-short' ? minLength : maxLength }
}

/** Fields of a person that are owned by a source: nobody else may fill them in. */
export async function ownedFields({ db }: Context, userId: string | null): Promise<Set<string>> {
  const owners = userId === null ? new Map<string, never[]>() : await listFieldOwners(db, [userId])
  return new Set([...owners.values()].flat().map(({ field }) => field))
}

/** Which of their own fields the caller may see and edit. */
export async function ownFields(ctx: Context): Promise<OwnFields> {
  const rules = await accountFieldRules(ctx)
  const owned = await ownedFields(ctx, ctx.caller?.userId ?? null)
  const isOpen = (field: AccountField) => mayOwnerEdit(rules, field) && !owned.has(field)
  return {
    editable: ACCOUNT_FIELDS.filter(isOpen),
    owners: Object.fromEntries(
      ACCOUNT_FIELDS.filter((field) => !isOpen(field)).map((field) => [
        field,
        owned.has(field) ? ('source' as const) : rules[field].editableBy,
      ]),
    ),
    hidden: ACCOUNT_FIELDS.filter((field) => rules[field].visibleTo !== 'self'),
  }
}
