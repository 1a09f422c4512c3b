import { DAY_MS } from '#shared/rules/durations.ts'
import { latestIssueTime } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { windowStart } from './attempts.service.ts'
import { deleteOldAttempts } from './attempts.store.ts'

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
