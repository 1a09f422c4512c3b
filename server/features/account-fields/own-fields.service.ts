import { ACCOUNT_FIELDS, type AccountField, type OwnFields } from '#shared/contract/account-fields.ts'
import type { Context } from '../../platform/platform.ts'
import { listFieldOwners } from '../field-authority/index.ts'
import { errors } from './account-fields.errors.ts'
import { mayOwnerEdit, valueProblem } from './account-fields.rules.ts'
import { accountFieldRules } from './account-fields.service.ts'

/**
 * Stands before each change that people make of their own data.
 * @param value as it would be kept; null: it would be taken away.
 * @throws Refusal `account-field.…`, naming the field.
 */
export async function requireOwnEdit(ctx: Context, field: AccountField, value: string | null): Promise<void> {
  const rules = await accountFieldRules(ctx)
  const isOpen = mayOwnerEdit(rules, field) && !(await ownedFields(ctx)).has(field)
  const problem = isOpen ? valueProblem(rules, field, value) : 'not-editable'
  if (problem === null) return
  const { minLength, maxLength } = Object(rules[field].format)
  throw errors[`account-field.${problem}`]({
    params: {
      field: ctx.translate(ctx.client.language, `person-field.${field}`),
      least: minLength ?? '',
      most: maxLength ?? '',
    },
    data: { fields: [field] },
  })
}

/** Fields of whoever asks that a source owns. */
async function ownedFields({ db, caller }: Context): Promise<Set<string>> {
  const owners = caller ? await listFieldOwners(db, [caller.userId]) : new Map<string, never[]>()
  return new Set([...owners.values()].flat().map(({ field }) => field))
}

/** What people may do with their own data. */
export async function ownFields(ctx: Context): Promise<OwnFields> {
  const rules = await accountFieldRules(ctx)
  const owned = await ownedFields(ctx)
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
