import { type LoginNameField, loginNamesOf, rulesOf } from '#shared/contract/account-fields.ts'
import type { Context } from '../../platform/platform.ts'
import { findSettingsDocument } from '../../platform/settings.ts'
import { ReadablePolicy } from '../access/index.ts'
import { findConfiguredChannels } from '../messages/index.ts'
import type { Snapshot } from '../records/index.ts'
import { listLoginNameKinds, listSuperUserNameKinds } from './settings.store.ts'

/** Documents in place of those that are stored. */
type Draft = { login?: Snapshot; accountFields?: Snapshot }

/** Tells of the names that somebody has whether the settings let them in: by a password, or by a code that reaches them. */
async function loginWays(ctx: Context, draft: Draft): Promise<(names: readonly LoginNameField[]) => boolean> {
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

/** Could whoever changes the settings log in again? What goes back by itself is not asked. */
export async function canCallerLogIn(ctx: Context, draft: Draft): Promise<boolean> {
  if (!ctx.caller) return true
  const names = await listLoginNameKinds(ctx.db, ctx.caller.userId)
  return (await loginWays(ctx, draft))(names)
}

/** Is there a super user whose account is in order and who could log in by what the settings allow? */
export async function canSomeSuperUserLogIn(ctx: Context): Promise<boolean> {
  const isLetIn = await loginWays(ctx, {})
  return (await listSuperUserNameKinds(ctx.db, ctx.now())).some(({ names }) => isLetIn(names))
}
