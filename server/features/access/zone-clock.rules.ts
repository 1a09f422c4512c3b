type Clock = {
  /** 1 is Monday, 7 is Sunday. */
  weekday: number
  /** Minute of the day. */
  minute: number
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** The last clock value of each zone: many requests fall into one minute, and formatting it takes longer than the rest. */
const zones = new Map<string, { format: Intl.DateTimeFormat; stamp: number; clock: Clock }>()

const formatOf = (zone: string) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, weekday: 'short', hour: '2-digit', minute: '2-digit' })

/** @returns false for a string that is no time zone */
export function isZone(zone: string): boolean {
  try {
    formatOf(zone)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** Day of the week and time of day in a zone. */
export function clockIn(zone: string, at: Date): Clock {
  const stamp = Math.floor(at.getTime() / 60_000)
  const known = zones.get(zone)
  if (known?.stamp === stamp) return known.clock
  const format = known?.format ?? formatOf(zone)
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
  const clock = {
    weekday: WEEKDAYS.indexOf(parts.get('weekday') ?? '') + 1,
    minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')),
  }
  zones.set(zone, { format, stamp, clock })
  return clock
}
