import type { Platform } from '../../platform/platform.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { windowStart } from './attempts.service.ts'
import { deleteOldAttempts } from './attempts.store.ts'

/** Timed work, every few minutes: forgets failures that are too old to count. */
export async function purgeAttempts(platform: Platform): Promise<void> {
  const now = platform.now()
  await deleteOldAttempts(platform.sql, windowStart(await signInPolicy(platform), now), now)
}
