import { type Context, systemContext } from '../../platform/platform.ts'
import { recordAudits } from '../records/index.ts'
import { endExpiredLocks, type OverLocks } from '../user-accounts/index.ts'

/**
 * Removes locks by administrators that are over, each with its audit record, in the caller's transaction. The gate has let these people in
 * since then.
 * @returns how many
 */
export async function endAdministratorLocks(ctx: Context, which: OverLocks): Promise<number> {
  const expired = await endExpiredLocks(ctx.db, ctx.now(), which)
  await recordAudits(
    // Nobody has ended them, whoever's request it is.
    { ...systemContext(ctx), db: ctx.db },
    expired.map(({ id, account, lockedAt, lockedUntil }) => ({
      action: 'account.lock-expire',
      targetKind: 'user',
      targetId: id,
      before: { account, lockedAt, lockedUntil },
      after: { account, lockedAt: null, lockedUntil: null },
    })),
  )
  return expired.length
}
