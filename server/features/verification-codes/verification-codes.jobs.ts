import type { Platform } from '../../platform/platform.ts'
import { deleteOldCodes } from './verification-codes.store.ts'

const MAX_CODE_AGE_MS = 3600_000

/** Job, every few minutes: deletes codes that nobody can use and whose wrong attempts no longer count. */
export async function purgeCodes(platform: Platform): Promise<void> {
  const now = platform.now()
  await deleteOldCodes(platform.sql, new Date(now.getTime() - MAX_CODE_AGE_MS), now)
}
