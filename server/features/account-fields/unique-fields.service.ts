import { UNIQUE_BY_RULE } from '#shared/contract/account-fields.ts'
import { customName } from '#shared/contract/field-rules.ts'
import type { Context, Platform } from '../../platform/platform.ts'
import { comparableValue, listValueOwners, lockUniqueFields, type UniqueField } from '../user-accounts/index.ts'
import { errors } from './account-fields.errors.ts'
import { accountFieldRules, customFields } from './account-fields.service.ts'

/** Fields in which nobody is given a value that somebody else has. */
export async function uniqueFields(platform: Platform): Promise<UniqueField[]> {
  const rules = await accountFieldRules(platform)
  const own = (await customFields(platform)).filter(({ isUnique }) => isUnique)
  return [...UNIQUE_BY_RULE.filter((field) => rules[field].isUnique), ...own.map(({ key }) => customName(key))]
}

/** Of one person and field; somebody who fills in a form takes two or three. */
const MAX_TRIES_PER_HOUR = 20

/**
 * Does somebody else have this value? Nobody takes it before the transaction of the caller ends.
 * @throws Refusal `account-field.too-many-tries`; counted whatever the result: "taken" reveals what others have.
 */
export async function isValueTaken(
  { db, secrets, state }: Context,
  { field, value, userId }: { field: UniqueField; value: string; userId: string | null },
): Promise<boolean> {
  const tries = userId === null ? 0 : await state.increment('value-tries', `${userId} ${field}`, 3600)
  if (tries > MAX_TRIES_PER_HOUR)
    throw errors['account-field.too-many-tries']({ retryAfter: 3600, data: { fields: [field] } })
  await lockUniqueFields(db, [field])
  const owners = await listValueOwners(db, [{ field, value: comparableValue(secrets, field, value) }])
  return owners.some((owner) => owner.userId !== userId)
}
