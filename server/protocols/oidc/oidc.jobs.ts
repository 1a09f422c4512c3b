import { DAY_MS } from '#shared/rules/durations.ts'
import { deleteExpiredTokens, deleteOldAnswers, deleteOldRevocations } from '../../features/oidc-tokens/index.ts'
import type { Platform } from '../../platform/platform.ts'
import { codesRetainedSince } from './codes.service.ts'
import { deleteOldCodes } from './codes.store.ts'
import { graceSince } from './tokens.service.ts'

/** Rows per statement: short locks, however much there is to do. */
const BATCH_SIZE = 5000
/** Longer than anything that a revocation concerns is valid. */
const KEEP_REVOCATIONS_DAYS = 15

/** Every five minutes: deletes old codes, expired tokens, answers that can't be repeated any more, and expired revocations of families. */
export async function purgeTokens(platform: Platform): Promise<void> {
  const { sql, now } = platform
  while ((await deleteOldAnswers(sql, graceSince(platform), BATCH_SIZE)) === BATCH_SIZE);
  while ((await deleteOldCodes(sql, codesRetainedSince(now()), BATCH_SIZE)) === BATCH_SIZE);
  while ((await deleteExpiredTokens(sql, now(), BATCH_SIZE)) === BATCH_SIZE);
  await deleteOldRevocations(sql, new Date(now().getTime() - KEEP_REVOCATIONS_DAYS * DAY_MS))
}
