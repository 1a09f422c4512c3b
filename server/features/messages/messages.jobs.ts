import { DAY_MS } from '#shared/rules/durations.ts'
import type { Platform } from '../../platform/platform.ts'
import { deleteMessages } from './messages.store.ts'

const RETENTION_DAYS = 180

/** Every night: deletes message records, which contain no complete address, after half a year. */
export async function purgeMessages(platform: Platform): Promise<void> {
  await deleteMessages(platform.sql, new Date(platform.now().getTime() - RETENTION_DAYS * DAY_MS))
}
