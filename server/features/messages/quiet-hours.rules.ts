import type { MessageChannel, MessagePurpose, MessageRoutes } from '#shared/contract/message-routes.ts'

const DAY_MINUTES = 24 * 60

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** Local date and time of day in a zone. */
export function localTime(at: Date, timeZone: string): { day: string; minutes: number } {
  // Swedish writes it as ISO 8601 does: 2026-11-23 22:05.
  const text = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(at)
  return { day: text.slice(0, 10), minutes: minutesOf(text.slice(11, 16)) }
}

type QuietHoursQuery = { purpose: MessagePurpose | null; channel: MessageChannel; at: Date; timeZone: string }

/** When a message may be sent: at once, or when the quiet hours end. */
export function endOfQuiet(routes: MessageRoutes, { purpose, channel, at, timeZone }: QuietHoursQuery): Date {
  const { quietFrom, quietUntil, quietPurposes } = routes
  const waits = (quietPurposes as readonly (MessagePurpose | null)[]).includes(purpose)
  if (quietFrom === null || !waits || channel === 'mail') return at
  const [from, until] = [minutesOf(quietFrom), minutesOf(quietUntil)]
  const { minutes } = localTime(at, timeZone)
  const sinceBegin = (minutes - from + DAY_MINUTES) % DAY_MINUTES
  const length = (until - from + DAY_MINUTES) % DAY_MINUTES
  if (sinceBegin >= length) return at
  return new Date((Math.floor(at.getTime() / 60_000) + length - sinceBegin) * 60_000)
}
