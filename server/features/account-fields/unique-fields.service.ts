import { UNIQUE_BY_RULE } from '#shared/contract/account-fields.ts'
import { customName } from '#shared/contract/field-rules.ts'
import type { Context } from '../../platform/platform.ts'
import { comparableValue, listValueOwners, lockUniqueFields, type UniqueField } from '../user-accounts/index.ts'
import { errors } from './account-fields.errors.ts'
import { fieldRulesForWrite } from './account-fields.service.ts'

/** Fields whose values must be unique, for a write: the rules can't change until its transaction ends. */
export async function uniqueFields({ db }: Context): Promise<UniqueField[]> {
  const { rules, custom } = await fieldRulesForWrite(db)
  const own = custom.filter(({ isUnique }) => isUnique)
  return [...UNIQUE_BY_RULE.filter((field) => rules[field].isUnique), ...own.map(({ key }) => customName(key))]
}

/** Per person and field; filling in a form takes two or three. */
const MAX_TRIES_PER_HOUR = 20

/**
 * Must values of this field be unique, and does somebody else have this one? The caller's transaction locks the field, so that nobody
 * takes it meanwhile.
 * @throws Refusal `account-field.too-many-tries`; every call counts, because "taken" reveals what others have.
 */
export async function isValueTaken(
  ctx: Context,
  { field, value, userId }: { field: UniqueField; value: string; userId: string | null },
): Promise<boolean> {
  const { db, secrets, state } = ctx
  if (!(await uniqueFields(ctx)).includes(field)) return false
  const tries = userId === null ? 0 : await state.increment('value-tries', `${userId} ${field}`, 3600)
  if (tries > MAX_TRIES_PER_HOUR)
    throw errors['account-field.too-many-tries']({ retryAfter: 3600, data: { fields: [field] } })
  await lockUniqueFields(db, [field])
  const owners = await listValueOwners(db, [{ field, value: comparableValue(secrets, field, value) }])
  return owners.some((owner) => owner.userId !== userId)
}
