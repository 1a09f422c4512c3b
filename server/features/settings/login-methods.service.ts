import { type LoginNameField, loginNamesOf, rulesOf } from '#shared/contract/account-fields.ts'
import type { Context } from '../../platform/platform.ts'
import { findSettingsDocument } from '../../platform/settings.ts'
import { ReadablePolicy } from '../access/index.ts'
import { findConfiguredChannels } from '../messages/index.ts'
import type { Snapshot } from '../records/index.ts'
import { listLoginNameKinds, listSuperUserNameKinds, lockLoginMethods } from './settings.store.ts'

/** Documents to use instead of the stored ones. */
type Draft = { login?: Snapshot; accountFields?: Snapshot }

/** Returns whether the settings let somebody with these names log in: by a password, or by a code that reaches them. */
async function loginMethods(ctx: Context, draft: Draft): Promise<(names: readonly LoginNameField[]) => boolean> {
  const stored = async (name: string): Promise<Snapshot> => (await findSettingsDocument(ctx.db, name)).value
  const { loginTypes } = ReadablePolicy.parse(draft.login ?? (await stored('login')))
  const loginNames = loginNamesOf(rulesOf(draft.accountFields ?? (await stored('accountFields'))))
  const channels = await findConfiguredChannels(ctx)
  return (names) => {
    if (loginTypes.includes('user') && loginNames.some((name) => names.includes(name))) return true
    const isReached = (channels.sms && names.includes('phone')) || (channels.mail && names.includes('mailbox'))
    return loginTypes.includes('captcha') && isReached
  }
}

/** Could the caller log in again under these settings? In the transaction of the change; not checked for an automatic reversal. */
export async function canCallerLogIn(ctx: Context, draft: Draft): Promise<boolean> {
  if (!ctx.caller) return true
  await lockLoginMethods(ctx.db)
  const names = await listLoginNameKinds(ctx.db, ctx.caller.userId)
  return (await loginMethods(ctx, draft))(names)
}

/** Is there a super user with a usable account who could log in under these settings? */
export async function canSomeSuperUserLogIn(ctx: Context): Promise<boolean> {
  const isLetIn = await loginMethods(ctx, {})
  return (await listSuperUserNameKinds(ctx.db, ctx.now())).some(({ names }) => isLetIn(names))
}
