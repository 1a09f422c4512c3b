import { DAY_MS, HOUR_MS } from '#shared/rules/durations.ts'
import type { Db } from '../../platform/db.ts'
import type { Context } from '../../platform/platform.ts'
import { readWithin } from '../../platform/read-within.ts'
import { findCountedPeriod, type HourRange, listOccurrences } from '../statistics/index.ts'
import type { LogSource } from './log-search.store.ts'

/** Looked up at once: most searches end sooner. */
const WINDOW_MS = 60 * DAY_MS
/** With more of an interval's hours than this, reading all of it takes no longer. */
const MAX_HOURS_SHARE = 0.75

/** What is known about the time before a moment. */
export type KnownHours = {
  /** Nothing is found between this time and the moment. */
  upper: number
  /** How far back it is known. */
  since: number
  /** The hours since `lower` in which something may be found; null: all. */
  hoursFrom: (lower: number) => Date[] | null
}

type Listed = { hours: number[]; since: number }

const unknownBefore = (upper: number, since = Number.NEGATIVE_INFINITY): KnownHours => ({
  upper,
  since,
  hoursFrom: () => null,
})

/** @param upper not after what is listed */
function knownBefore(upper: number, { hours, since }: Listed): KnownHours {
  const before = hours.filter((hour) => hour < upper)
  return {
    upper: before[0] === undefined ? since : Math.min(upper, before[0] + HOUR_MS),
    since,
    hoursFrom: (lower) => {
      const within = before.filter((hour) => hour + HOUR_MS > lower)
      const isMost = within.length * HOUR_MS > MAX_HOURS_SHARE * (upper - lower)
      return isMost ? null : within.map((hour) => new Date(hour))
    },
  }
}

/**
 * Tells a search, which goes back in time, where it need not read: hours are counted by the values that their records have. Of the latest
 * hours, and of those before figures begin, nothing is known; nor of any other once looking them up took longer than `ms`.
 */
export function hoursOf(ctx: Context, { occurrences }: LogSource): (upper: number, ms: number) => Promise<KnownHours> {
  if (!occurrences) return async (upper) => unknownBefore(upper)
  let isTooSlow = false
  const ask = async <T>(ms: number, statement: (db: Db) => PromiseLike<T>): Promise<T | null> => {
    if (isTooSlow) return null
    const found = await readWithin(ctx, ms, (inTime) => inTime(statement), { onOneCore: true })
    isTooSlow = !found
    return found?.value ?? null
  }
  const listBetween = async (from: Date, to: Date, ms: number): Promise<Listed | null> => {
    const hours = await ask(ms, (db) => listOccurrences(db, occurrences, { from, to }))
    return hours && { hours: hours.map(Number), since: from.getTime() }
  }
  let counted: HourRange | null | undefined
  let listed: Listed | null = null
  return async (upper, ms) => {
    if (counted === undefined) counted = await ask(ms, (db) => findCountedPeriod(db, occurrences.log))
    if (!counted || upper <= counted.from.getTime()) return unknownBefore(upper)
    if (upper > counted.to.getTime()) return unknownBefore(upper, counted.to.getTime())
    if (!listed || upper <= listed.since) {
      const from = new Date(Math.max(counted.from.getTime(), upper - WINDOW_MS))
      listed = await listBetween(from, new Date(upper), ms)
    }
    return listed ? knownBefore(upper, listed) : unknownBefore(upper)
  }
}
