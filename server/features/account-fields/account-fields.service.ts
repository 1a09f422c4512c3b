import {
  type AccountFieldRules,
  AccountFields,
  FIELD_KEYS,
  rulesOf,
  type StoredFieldRules,
  type updateFieldRules,
} from '#shared/contract/account-fields.ts'
import type { CustomField } from '#shared/contract/custom-fields.ts'
import type { Db } from '../../platform/db.ts'
import { errors as common } from '../../platform/errors.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, type Platform, transaction } from '../../platform/platform.ts'
import { findSettingsDocument, readSettings, readSettingsForWrite } from '../../platform/settings.ts'
import { editSettings } from '../settings/index.ts'

export const FIELD_RULES_DOCUMENT = 'accountFields'
// One schema for both readers: parsed settings are cached by document name.
const Rules = AccountFields.transform((values) => ({ rules: rulesOf(values), custom: values.custom ?? [] }))

/** The field rules in force, cached; a change reaches every node within a second. */
export const accountFieldRules = async (platform: Platform): Promise<AccountFieldRules> =>
  (await readSettings(platform, FIELD_RULES_DOCUMENT, Rules)).rules

/** The institution's custom fields in order, without removed ones; cached like the rules. */
export const customFields = async (platform: Platform): Promise<CustomField[]> =>
  (await readSettings(platform, FIELD_RULES_DOCUMENT, Rules)).custom.filter(({ isRemoved }) => !isRemoved)

/**
 * Both for a write, in its transaction: until its end nobody saves other rules. Whether somebody has a value can't be judged by the rules of
 * a second ago, when another node may have saved that nobody shares it.
 */
export async function fieldRulesForWrite(db: Db): Promise<{ rules: AccountFieldRules; custom: CustomField[] }> {
  const { rules, custom } = await readSettingsForWrite(db, FIELD_RULES_DOCUMENT, Rules)
  return { rules, custom: custom.filter(({ isRemoved }) => !isRemoved) }
}

export async function describeFieldRules(ctx: Context): Promise<StoredFieldRules> {
  const { version, value, fileKeys } = await findSettingsDocument(ctx.db, FIELD_RULES_DOCUMENT)
  return { version, values: value, setByFile: FIELD_KEYS.filter((key) => fileKeys.includes(key)) }
}

/**
 * Saves the field rules; every node follows within a second.
 * @throws Refusal `version.conflict` with the stored rules, `settings.set-by-file`, `account-fields.…`, `policy.locks-out`,
 *   `unconfirmed-change.pending`.
 */
export async function changeFieldRules(
  ctx: Context,
  { version, changes, reset, force }: Input<typeof updateFieldRules>['body'],
): Promise<StoredFieldRules> {
  return await transaction(ctx, async (inner) => {
    const isSaved = await editSettings(inner, FIELD_RULES_DOCUMENT, { version, changes, reset, force })
    const current = await describeFieldRules(inner)
    if (!isSaved) throw common['version.conflict']({ data: { current } })
    return current
  })
}
