import { randomToken } from '../../platform/crypto.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { deleteCountersOfUsers } from '../attempts/index.ts'
import { applyBootstrap } from '../bootstrap/index.ts'
import { hashPassword, overwritePassword } from '../passwords/index.ts'
import { recordAudit } from '../records/index.ts'
import { endSsoSessions } from '../sessions/index.ts'
import { reinstateSuperUser } from '../user-accounts/index.ts'
import { findUserId } from './administrator.store.ts'
import { closeSetup } from './setup.store.ts'

export type NewAdministrator = { created: boolean; password: string }

/**
 * Makes `account` a super user who can log in: creates it, or unlocks and enables it with a new password and ends its sessions. The
 * password is for one login: it must be changed then. Invalidates pending setup links. For the command line only.
 */
export async function createAdministrator(ctx: Context, account: string): Promise<NewAdministrator> {
  // Satisfies every policy: letters of both cases, digits, punctuation.
  const password = `${randomToken(5)}-${randomToken(5)}-${randomToken(5)}-Aa7`
  const audit = { action: 'administrator.create', targetKind: 'user', actor: 'command line' }
  const id = await findUserId(ctx.db, account)
  if (id === null) {
    await applyBootstrap(
      ctx,
      { users: [{ account, name: account, password, isSuperUser: true, mustChangePassword: true }] },
      {
        source: 'admin',
        inTransaction: async (inner) => {
          await closeSetup(inner)
          const targetId = (await findUserId(inner.db, account)) ?? account
          await recordAudit(inner, { ...audit, targetId, after: { account } })
        },
      },
    )
    return { created: true, password }
  }
  const hash = await hashPassword(ctx, password)
  await transaction(ctx, async (inner) => {
    await closeSetup(inner)
    await reinstateSuperUser(inner.db, id, inner.now())
    await overwritePassword(inner.db, { userId: id, hash }, inner.now())
    await deleteCountersOfUsers(inner.db, [id])
    await endSsoSessions(inner, { userId: id }, 'password-reset')
    await recordAudit(inner, { ...audit, action: 'administrator.restore', targetId: id, after: { account } })
  })
  return { created: false, password }
}
