import { DAY_MS } from '#shared/rules/durations.ts'
import type { Platform } from '../../platform/platform.ts'
import { deleteDeliveries, failFrontChannelDeliveries } from './deliveries.store.ts'

const KEEP_DAYS = 30
/** By then the browser has long been on its logout page. */
const UNSEEN_AFTER_SECONDS = 120

/** Every minute: gives up front-channel messages of sessions that ended without a browser (kicked out, expired). */
export async function failUnseenLogouts(platform: Platform): Promise<void> {
  const now = platform.now()
  const before = new Date(now.getTime() - UNSEEN_AFTER_SECONDS * 1000)
  await failFrontChannelDeliveries(platform.sql, before, 'no browser', now)
}

/** Every night: deletes records of logout messages after 30 days. */
export async function purgeLogoutDeliveries(platform: Platform): Promise<void> {
  await deleteDeliveries(platform.sql, new Date(platform.now().getTime() - KEEP_DAYS * DAY_MS))
}
