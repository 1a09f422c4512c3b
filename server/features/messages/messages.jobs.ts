import { DAY_MS } from '#shared/rules/durations.ts'
import type { Platform } from '../../platform/platform.ts'
import { deleteMessages } from './messages.store.ts'

const RETENTION_DAYS = 180

/** Every night: the record of messages, which names nobody's whole address, is kept for half a year. */
export async function purgeMessages(platform: Platform): Promise<void> {
  await deleteMessages(platform.sql, new Date(platform.now().getTime() - RETENTION_DAYS * DAY_MS))
}
