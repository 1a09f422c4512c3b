/** A period with a different look. */
export type ThemeWindow = {
  /** Shown in the back office only. */
  name: string
  /** The theme of these days; null: the default theme. */
  theme: string | null
  /** Every page in greyscale. */
  grey: boolean
  /** The first and the last day, such as `2026-10-01`, in the institution's time zone. */
  from: string
  until: string
  /** The same days each year; they may span the new year. */
  yearly: boolean
  /** The highest of overlapping periods wins. */
  priority: number
}

/** Whether a date such as `2026-10-01` is in the period. */
export function isInWindow({ from, until, yearly }: Pick<ThemeWindow, 'from' | 'until' | 'yearly'>, day: string) {
  if (!yearly) return from <= day && day <= until
  const [first, last, today] = [from.slice(5), until.slice(5), day.slice(5)]
  return first <= last ? first <= today && today <= last : today >= first || today <= last
}

/**
 * The look on a day: the theme of the period with the highest priority, of equals the one that begins last, else
 * `theme`; in greyscale if any period of that day says so.
 */
export function lookOn(
  { theme, schedule }: { theme: string; schedule: readonly ThemeWindow[] },
  day: string,
): { theme: string; window: ThemeWindow | null; grey: boolean } {
  const open = schedule.filter((window) => isInWindow(window, day))
  const [window = null] = open
    .filter((one) => one.theme !== null)
    .sort((a, b) => b.priority - a.priority || startOf(b, day).localeCompare(startOf(a, day)))
  return { theme: window?.theme ?? theme, window, grey: open.some(({ grey }) => grey) }
}

/** The beginning of the period that contains `day`; for a yearly one in its year. */
function startOf({ from, yearly }: ThemeWindow, day: string): string {
  if (!yearly) return from
  const year = Number(day.slice(0, 4))
  return `${from.slice(5) <= day.slice(5) ? year : year - 1}${from.slice(4)}`
}

/** Days begin at a full quarter of an hour, in whatever zone. */
const QUARTER_MS = 15 * 60 * 1000

/** The day that it is in a time zone, such as `2026-10-01`. */
export function dayIn(timeZone: string, at: Date): string {
  const quarter = Math.floor(at.getTime() / QUARTER_MS)
  const known = days.get(timeZone)
  if (known?.quarter === quarter) return known.day
  const format = known?.format ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
  const day = format.format(at)
  days.set(timeZone, { format, quarter, day })
  return day
}

/** Every page asks for the day, and to write it costs more than all else that its look depends on. */
const days = new Map<string, { format: Intl.DateTimeFormat; quarter: number; day: string }>()
