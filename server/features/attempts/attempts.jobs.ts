import { DAY_MS } from '#shared/rules/durations.ts'
import { latestIssueTime } from '../../platform/clock.ts'
import { type Platform, systemContext, transaction } from '../../platform/platform.ts'
import { recordAudits } from '../records/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { windowStart } from './attempts.service.ts'
import { deleteOldAttempts } from './attempts.store.ts'
import { expireLoginLocks } from './login-locks.store.ts'

/** People per transaction. */
const BATCH_SIZE = 500

/** A counter untouched for this long starts again, so that unknown names do not pile up. */
const KEEP_LOCKS_DAYS = 90

/** Job, every few minutes: deletes failures that are too old to count, and those dated by a clock that was ahead. */
export async function purgeAttempts(platform: Platform): Promise<void> {
  const now = platform.now()
  await deleteOldAttempts(platform.sql, {
    before: windowStart(await signInPolicy(platform), now),
    locksBefore: new Date(now.getTime() - KEEP_LOCKS_DAYS * DAY_MS),
    after: latestIssueTime(now),
    now,
  })
}

/** Every minute: records the end of locks by failed logins, each once. Logins were possible again without this. */
export async function recordExpiredLoginLocks(platform: Platform): Promise<void> {
  const ctx = systemContext(platform)
  let count = BATCH_SIZE
  while (count === BATCH_SIZE) {
    count = await transaction(ctx, async (inner) => {
      const expired = await expireLoginLocks(inner.db, inner.now(), BATCH_SIZE)
      await recordAudits(
        inner,
        expired.map(({ userId, kind, lockedUntil }) => ({
          action: 'account.lock-expire',
          targetKind: 'user',
          targetId: userId,
          before: { lockedUntil, loginHold: kind },
          after: { lockedUntil: null },
        })),
      )
      return expired.length
    })
  }
}
