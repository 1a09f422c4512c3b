import type { Platform } from '../../platform/platform.ts'
import { deleteExpiredTokens, deleteOldRevocations } from './tokens.store.ts'

/** Rows of one statement: short locks, however much there is to do. */
const BATCH = 5000
/** Longer than anything lives that a revocation concerns. */
const KEEP_REVOCATIONS_DAYS = 15
const DAY_MS = 24 * 3_600_000

/** Every five minutes: forgets tokens that have run out, and revocations of families that have. */
export async function forgetTokens({ sql, now }: Platform): Promise<void> {
  while ((await deleteExpiredTokens(sql, now(), BATCH)) === BATCH);
  await deleteOldRevocations(sql, new Date(now().getTime() - KEEP_REVOCATIONS_DAYS * DAY_MS))
}
