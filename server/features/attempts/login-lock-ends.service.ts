import { type Context, systemContext } from '../../platform/platform.ts'
import { recordAudits } from '../records/index.ts'
import { expireLoginLocks, type OverLocks } from './login-locks.store.ts'

/**
 * Records the end of locks by failed logins that are over, each once, in the caller's transaction. Logins were possible again without this.
 * @returns how many
 */
export async function endLoginLocks(ctx: Context, which: OverLocks): Promise<number> {
  const expired = await expireLoginLocks(ctx.db, ctx.now(), which)
  await recordAudits(
    // Nobody has ended them, whoever's request it is.
    { ...systemContext(ctx), db: ctx.db },
    expired.map(({ userId, kind, lockedUntil }) => ({
      action: 'account.lock-expire',
      targetKind: 'user',
      targetId: userId,
      before: { lockedUntil, loginHold: kind },
      after: { lockedUntil: null },
    })),
  )
  return expired.length
}
