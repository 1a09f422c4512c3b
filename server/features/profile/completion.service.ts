import type { CustomField } from '#shared/contract/custom-fields.ts'
import { customName, isAskedAfterLogin } from '#shared/contract/field-rules.ts'
import { type ProfileCompletion, TYPED_FIELDS, type TypedFields } from '#shared/contract/profile.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { isRequiredAfterLogin, REQUIRABLE_FIELDS, type RequiredField } from '../access/index.ts'
import {
  accountFieldRules,
  customFields,
  customLabel,
  expectedFormat,
  ownedFields,
  showCustomFields,
} from '../account-fields/index.ts'
import { fileUrl } from '../files/index.ts'
import { loadGateSettings } from '../sessions/index.ts'
import { type CompletionRow, findCompletion } from './completion.store.ts'
import { assertWellFormed, type TypedField, writeTypedFields } from './typed-fields.service.ts'

/** Required fields that the caller lacks: those they can fill in, and those that somebody else must. */
export async function describeCompletion(ctx: Context): Promise<ProfileCompletion> {
  const { userId } = callerOf(ctx)
  const row = await findCompletion(ctx.db, userId)
  if (!row) throw platformErrors['session.required']()
  const rules = await accountFieldRules(ctx)
  const requiredNames = await requiredFields(ctx, userId)
  const lacked = REQUIRABLE_FIELDS.filter((field) => row.lacked.includes(field) && isRequiredAfterLogin(rules, field))
  const custom = await lackedCustomFields(ctx, row)
  const isAsked = ({ key }: CustomField) => requiredNames.includes(customName(key))
  return {
    userId,
    name: row.name,
    nick: row.nickname,
    picture: row.avatarId && fileUrl(row.avatarId),
    version: row.version,
    missing: lacked
      .filter((field) => requiredNames.includes(field))
      .map((field) => ({
        field,
        expected: expectedFormat(ctx, rules[field].format),
      })),
    missingCustom: showCustomFields(ctx, custom.filter(isAsked)),
    leftToOthers: lacked.filter((field) => !requiredNames.includes(field)),
    customLeftToOthers: custom
      .filter((field) => !isAsked(field))
      .map((field) => customLabel(field, ctx.client.language)),
  }
}

const lackedCustomFields = async (ctx: Context, { customValues }: CompletionRow): Promise<CustomField[]> =>
  (await customFields(ctx)).filter(
    ({ key, required }) => isAskedAfterLogin(required) && customValues?.[key] === undefined,
  )

/** The required fields to ask this person for: not those owned by a source. */
async function requiredFields(ctx: Context, userId: string): Promise<readonly RequiredField[]> {
  const owned = await ownedFields(ctx, userId)
  return (await loadGateSettings(ctx)).rules.requiredFields.filter((field) => !owned.has(field))
}

/**
 * Fills in what the caller lacks. A field that has a value meanwhile, or is no longer required, is skipped: another window or an
 * administrator was faster, which must not block the person.
 * @throws Refusal `profile.bad-nickname|bad-birthday|bad-id-number`, `account-field.…`: `data.fields` names the field.
 */
export async function saveCompletion(ctx: Context, typed: TypedFields): Promise<ProfileCompletion> {
  const { userId } = callerOf(ctx)
  assertWellFormed(ctx, typed)
  const requiredNames = await requiredFields(ctx, userId)
  await transaction(ctx, async (inner) => {
    const row = await findCompletion(inner.db, userId, { isLocked: true })
    if (!row) throw platformErrors['session.required']()
    const isTaken = (field: TypedField) =>
      typed[field] !== undefined && requiredNames.includes(field) && row.lacked.includes(field)
    const fields = TYPED_FIELDS.filter(isTaken)
    const custom = (await lackedCustomFields(inner, row)).filter(
      ({ key }) => typed.custom?.[key] !== undefined && requiredNames.includes(customName(key)),
    )
    if (fields.length + custom.length > 0) await writeTypedFields(inner, { userId, fields, custom, typed })
  })
  return await describeCompletion(ctx)
}
