import { type Platform, systemContext, transaction } from '../../platform/platform.ts'
import { recordAudits } from '../records/index.ts'
import { endExpiredLocks } from '../user-accounts/index.ts'

/** People per transaction. */
const BATCH_SIZE = 500

/**
 * Every minute: removes expired locks by administrators, each with its audit record. The gate has let these people in since they expired.
 */
export async function clearExpiredLocks(platform: Platform): Promise<void> {
  const ctx = systemContext(platform)
  let count = BATCH_SIZE
  while (count === BATCH_SIZE) {
    count = await transaction(ctx, async (inner) => {
      const expired = await endExpiredLocks(inner.db, inner.now(), BATCH_SIZE)
      await recordAudits(
        inner,
        expired.map(({ id, account, lockedAt, lockedUntil }) => ({
          action: 'account.lock-expire',
          targetKind: 'user',
          targetId: id,
          before: { account, lockedAt, lockedUntil },
          after: { account, lockedAt: null, lockedUntil: null },
        })),
      )
      return expired.length
    })
  }
}
