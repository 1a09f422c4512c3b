import { DAY_MS } from '#shared/rules/durations.ts'
import { type Platform, systemContext } from '../../platform/platform.ts'
import { rotateSigningKeys } from './signing-keys.service.ts'
import { deleteRetiredKeys, listSigningKeys } from './signing-keys.store.ts'

/** How old a key becomes before the next one is announced. */
export const MAX_KEY_AGE_DAYS = 90
/** Listed that long before the first signature: relying parties keep a key list for a day. */
const ANNOUNCE_DAYS = 2

/** Every night: announces new keys when the current ones are 90 days old, and forgets keys that verify nothing any more. */
export async function renewSigningKeys(platform: Platform): Promise<void> {
  const now = platform.now()
  await deleteRetiredKeys(platform.sql, now)
  const [youngest] = await listSigningKeys(platform.sql, now)
  // Without keys nobody has asked for one yet; the first request makes them.
  if (!youngest || now.getTime() - youngest.createdAt.getTime() < MAX_KEY_AGE_DAYS * DAY_MS) return
  await rotateSigningKeys(systemContext(platform), new Date(now.getTime() + ANNOUNCE_DAYS * DAY_MS), 'timetable')
}
