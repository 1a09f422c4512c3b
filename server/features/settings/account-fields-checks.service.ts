import { isDeepStrictEqual } from 'node:util'
import { activationFieldsOf, FIELD_RULE_KEYS, loginNamesOf, partsOf, rulesOf } from '#shared/contract/account-fields.ts'
import type { Refusal } from '../../platform/errors.ts'
import type { Context } from '../../platform/platform.ts'
import type { Snapshot } from '../records/index.ts'
import { hasUnhashedIdNumbers } from '../user-accounts/index.ts'
import { checkCustomFields } from './custom-fields-checks.service.ts'
import { badPatterns } from './field-patterns.rules.ts'
import { canCallerLogIn } from './login-methods.service.ts'
import { errors } from './settings.errors.ts'

/**
 * Checks constraints between field rules.
 * @returns the error for a change that locks the caller out, which they may override.
 * @throws Refusal `account-fields.…`, naming the keys; nothing is written then.
 */
export async function checkAccountFields(ctx: Context, before: Snapshot, after: Snapshot): Promise<Refusal | null> {
  const [former, rules] = [rulesOf(before), rulesOf(after)]
  const changed = FIELD_RULE_KEYS.filter((key) => {
    const [field, name] = partsOf(key)
    return !isDeepStrictEqual(former[field][name], rules[field][name])
  })
  const touched = (suffix: 'isLoginName' | 'askAtActivation') => changed.filter((key) => key.endsWith(`.${suffix}`))
  const bad = badPatterns(after).filter((key) => changed.includes(key))
  const [first] = bad
  if (first) {
    const field = ctx.translate(ctx.client.language, `person-field.${partsOf(first)[0]}`)
    throw errors['account-fields.bad-pattern']({ params: { field }, data: { fields: bad } })
  }
  await checkCustomFields(ctx, before, after)
  if (rules.idNumber.isUnique && !former.idNumber.isUnique && (await hasUnhashedIdNumbers(ctx.db)))
    throw errors['account-fields.not-comparable']({ data: { fields: ['idNumber.isUnique'] } })
  const names = touched('isLoginName')
  if (names.length > 0 && loginNamesOf(rules).length === 0)
    throw errors['account-fields.no-login-name']({ data: { fields: names } })
  const asked = touched('askAtActivation')
  if (asked.length > 0 && activationFieldsOf(rules).length < 2)
    throw errors['account-fields.nothing-asked']({ data: { fields: asked } })
  if (names.length === 0 || (await canCallerLogIn(ctx, { accountFields: after }))) return null
  const rule = ctx.translate(ctx.client.language, 'audit-field.isLoginName')
  return errors['policy.locks-out']({ params: { rule }, data: { fields: names } })
}
