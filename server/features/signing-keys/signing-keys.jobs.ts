import { DAY_MS } from '#shared/rules/durations.ts'
import { type Platform, systemContext } from '../../platform/platform.ts'
import { rotateSigningKeys } from './signing-keys.service.ts'
import { deleteRetiredKeys, listSigningKeys } from './signing-keys.store.ts'

/** The age at which the next key is announced. */
export const MAX_KEY_AGE_DAYS = 90
/** Listed this long before the first signature: relying parties cache a key list for a day. */
const ANNOUNCE_DAYS = 2

/** Every night: announces new keys when the current ones are 90 days old, and deletes keys that no longer verify anything. */
export async function renewSigningKeys(platform: Platform): Promise<void> {
  const now = platform.now()
  await deleteRetiredKeys(platform.sql, now)
  const [youngest] = await listSigningKeys(platform.sql, now)
  // Without keys nobody has needed one yet; the first request creates them.
  if (!youngest || now.getTime() - youngest.createdAt.getTime() < MAX_KEY_AGE_DAYS * DAY_MS) return
  await rotateSigningKeys(systemContext(platform), new Date(now.getTime() + ANNOUNCE_DAYS * DAY_MS), 'timetable')
}
