import type { Platform } from '../../platform/platform.ts'
import { deleteExpiredMarks } from './api-signature.store.ts'

/** Job, every few minutes: deletes `uuids` whose requests are too old to be accepted anyway. */
export async function deleteExpiredReplayMarks(platform: Platform): Promise<void> {
  await deleteExpiredMarks(platform.sql, platform.now())
}
