import { DAY_MS } from '#shared/rules/durations.ts'
import type { Platform } from '../../platform/platform.ts'

export const MAX_ALIAS_CHANGES = 3
export const ALIAS_CHANGE_WINDOW_DAYS = 30
/** A released alias is reserved this long: messages and logins meant for its former holder would reach a stranger. */
const ALIAS_RESERVATION_DAYS = 90
/** More than anyone needs to find a free name; few enough to make it slow to probe for existing names. */
export const MAX_ALIAS_TRIES_PER_HOUR = 20

const daysAgo = (platform: Platform, days: number): Date => new Date(platform.now().getTime() - days * DAY_MS)

export const aliasChangeWindowStart = (platform: Platform): Date => daysAgo(platform, ALIAS_CHANGE_WINDOW_DAYS)

export const aliasReservationStart = (platform: Platform): Date => daysAgo(platform, ALIAS_RESERVATION_DAYS)
