import type { Platform } from '../../platform/platform.ts'
import { deleteOldCodes } from './verification-codes.store.ts'

const KEPT_MS = 3600_000

/** Timed work, every few minutes: forgets codes that nobody can use and whose wrong tries no longer count. */
export async function forgetCodes(platform: Platform): Promise<void> {
  const now = platform.now()
  await deleteOldCodes(platform.sql, new Date(now.getTime() - KEPT_MS), now)
}
