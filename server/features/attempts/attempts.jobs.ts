import { DAY_MS } from '#shared/rules/durations.ts'
import { latestIssueTime } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { windowStart } from './attempts.service.ts'
import { deleteOldAttempts } from './attempts.store.ts'

/** A counter that nobody tried for so long starts again, so that names which are nobody's do not pile up. */
const KEEP_LOCKS_DAYS = 90

/** Timed work, every few minutes: forgets failures that are too old to count, and those that a clock dated that ran ahead. */
export async function purgeAttempts(platform: Platform): Promise<void> {
  const now = platform.now()
  await deleteOldAttempts(platform.sql, {
    before: windowStart(await signInPolicy(platform), now),
    locksBefore: new Date(now.getTime() - KEEP_LOCKS_DAYS * DAY_MS),
    after: latestIssueTime(now),
    now,
  })
}
