import { type LoginConfig, POLICY_KEYS, type updateLoginConfig } from '#shared/contract/login-config.ts'
import { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { errors as common } from '../../platform/errors.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { findSettingsDocument, unreadableKeys } from '../../platform/settings.ts'
import { editSettings } from '../settings/index.ts'

const DOCUMENT = 'login'

export async function describeLoginConfig(ctx: Context): Promise<LoginConfig> {
  const { version, value, fileKeys } = await findSettingsDocument(ctx.db, DOCUMENT)
  const unreadable = unreadableKeys(SignInPolicy, value)
  const isReadable = (key: string) => Object.hasOwn(SignInPolicy.shape, key) && !unreadable.includes(key)
  return {
    version,
    values: Object.fromEntries(Object.entries(value).filter(([key]) => isReadable(key))),
    setByFile: POLICY_KEYS.filter((key) => fileKeys.includes(key)),
    unreadable: POLICY_KEYS.filter((key) => unreadable.includes(key)),
  }
}

/**
 * Saves the login configuration; every node applies it within a second.
 * @throws Refusal `version.conflict` with what is stored now, `settings.set-by-file`, `login-config.…`, `unconfirmed-change.pending`.
 */
export async function changeLoginConfig(
  ctx: Context,
  { version, changes, reset, force }: Input<typeof updateLoginConfig>['body'],
): Promise<LoginConfig> {
  return await transaction(ctx, async (inner) => {
    const { unreadable } = await describeLoginConfig(inner)
    const dropped = unreadable.filter((key) => !Object.hasOwn(changes, key))
    const isSaved = await editSettings(inner, DOCUMENT, { version, changes, reset: [...reset, ...dropped], force })
    const current = await describeLoginConfig(inner)
    if (!isSaved) throw common['version.conflict']({ data: { current } })
    return current
  })
}
