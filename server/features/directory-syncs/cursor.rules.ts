/** Overlap for rows that were written before the last run read the cursor but committed after it. */
const OVERLAP_MS = 10 * 60_000
const OVERLAP_NUMBERS = 1000n

/** An earlier value of a cursor in the source's own format, so that no row is missed; null: a format without a known order. */
export function beforeCursor(cursor: string): string | null {
  if (/^-?\d+$/.test(cursor)) return String(BigInt(cursor) - OVERLAP_NUMBERS)
  const [, day, time, zone = ''] =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)(?:\.\d+)?([+-]\d\d(?::?\d\d)?)?)?$/.exec(cursor) ?? []
  if (day === undefined) return null
  // A date without a time: more rows of that day may still come.
  if (time === undefined) return day
  const at = new Date(Date.parse(`${day}T${time}Z`) - OVERLAP_MS)
  return `${at.toISOString().slice(0, 19).replace('T', ' ')}${zone}`
}

/** Identifies what a cursor belongs to. */
export const cursorKey = (table: string, column: string): string => `${table} ${column}`
