import { DAY_MS } from '#shared/rules/durations.ts'

/** Overlap for rows that were written before the last run read the cursor but committed after it. */
const OVERLAP_MS = 10 * 60_000
const OVERLAP_NUMBERS = 1000n

const TIME = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)(?:\.\d+)?([+-]\d\d(?::?\d\d)?)?)?$/

const formatTime = (at: Date, zone: string): string => `${at.toISOString().slice(0, 19).replace('T', ' ')}${zone}`

/** An earlier value of a cursor in the source's own format, so that no row is missed; null: a format without a known order. */
export function beforeCursor(cursor: string): string | null {
  if (/^-?\d+$/.test(cursor)) return String(BigInt(cursor) - OVERLAP_NUMBERS)
  const [, day, time, zone = ''] = TIME.exec(cursor) ?? []
  if (day === undefined) return null
  // A date without a time: more rows of that day may still come.
  if (time === undefined) return day
  return formatTime(new Date(Date.parse(`${day}T${time}Z`) - OVERLAP_MS), zone)
}

/**
 * A row that is dated in the future must not hide all changes until then: the cursor stays a day behind our clock, which is in the past
 * whatever zone the source writes its times in.
 */
export function untilToday(cursor: string, now: Date): string {
  const [, day, time, zone = ''] = TIME.exec(cursor) ?? []
  if (day === undefined || Date.parse(`${day}T${time ?? '00:00:00'}Z`) <= now.getTime() + DAY_MS) return cursor
  const yesterday = formatTime(new Date(now.getTime() - DAY_MS), zone)
  return time === undefined ? yesterday.slice(0, day.length) : yesterday
}

/** Identifies what a cursor belongs to. */
export const cursorKey = (table: string, column: string): string => `${table} ${column}`
