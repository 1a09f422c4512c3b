import { ConfigurationError } from '../../platform/config.ts'
import type { Db } from '../../platform/db.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { notifyPerson } from '../messages/index.ts'
import { recordAudit } from '../records/index.ts'
import { endSsoSessions } from '../sessions/index.ts'
import { deleteAllPasskeys } from './passkeys.store.ts'
import { deleteCodesWithoutApp, deleteTotpAndCodes, findUserIdByAccount } from './second-factors.store.ts'
import { deleteTrustedDevices } from './trusted-devices.store.ts'

/**
 * Removes every second factor of a person who has lost them, ends their sessions and notifies them. If a rule requires a factor, the next
 * login leads to setting one up. For the command line only.
 * @throws ConfigurationError if nobody has this account.
 */
export async function resetSecondFactors(ctx: Context, account: string): Promise<void> {
  const userId = await findUserIdByAccount(ctx.db, account)
  if (userId === null) throw new ConfigurationError(`there is no account ${account}`)
  await transaction(ctx, async (inner) => {
    const passkeys = await deleteAllPasskeys(inner.db, userId)
    await deleteTotpAndCodes(inner.db, userId)
    await deleteTrustedDevices(inner.db, userId, null)
    await endSsoSessions(inner, { userId }, 'second-factor-reset')
    const line = { action: 'second-factor.reset', targetKind: 'user', targetId: userId, actor: 'command line' }
    await recordAudit(inner, { ...line, before: { passkeys } })
    await notifyPerson(inner, { userId, template: 'notice.second-factor-removed' })
  })
}

/**
 * Deletes what is a login by itself or replaces a second factor: passkeys, trusted browsers, and recovery codes that would be left without
 * an authenticator app. The app and its codes stay: a reset restores only the first factor (decision 0027).
 */
export async function deletePasskeysAndTrust(db: Db, userId: string): Promise<void> {
  await deleteAllPasskeys(db, userId)
  await deleteTrustedDevices(db, userId, null)
  await deleteCodesWithoutApp(db, userId)
}
