/** Rows that were written before the last run saw its end, and committed after it. */
const OVERLAP_MS = 10 * 60_000
const OVERLAP_NUMBERS = 1000n

/** Of a cursor as the source writes it, so much earlier that nothing slips through; null: it has no order that we know. */
export function beforeCursor(cursor: string): string | null {
  if (/^-?\d+$/.test(cursor)) return String(BigInt(cursor) - OVERLAP_NUMBERS)
  const [, day, time, zone = ''] =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)(?:\.\d+)?([+-]\d\d(?::?\d\d)?)?)?$/.exec(cursor) ?? []
  if (day === undefined) return null
  // Without a day's time everything of that day may still come.
  if (time === undefined) return day
  const at = new Date(Date.parse(`${day}T${time}Z`) - OVERLAP_MS)
  return `${at.toISOString().slice(0, 19).replace('T', ' ')}${zone}`
}

/** What a cursor is of. */
export const cursorKey = (table: string, column: string): string => `${table} ${column}`
