import { HOUR_MS } from '#shared/rules/durations.ts'
import type { Context } from '../../platform/platform.ts'
import { findCountedPeriod, type HourRange, listOccurrences, type Occurrences } from '../statistics/index.ts'
import type { LogSource } from './log-search.store.ts'

/** Looked up at once. */
const MAX_HOURS = 500
/** With more of an interval's hours than this, reading all of it takes no longer. */
const MOST = 0.75

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
      const isMost = within.length * HOUR_MS > MOST * (upper - lower)
      return isMost ? null : within.map((hour) => new Date(hour))
    },
  }
}

/** The newest hours before a moment that have what is sought, back to where the list or the figures begin. */
async function listBefore(ctx: Context, wanted: Occurrences, from: Date, until: number): Promise<Listed> {
  const period = { from, to: new Date(until), limit: MAX_HOURS }
  const hours = (await listOccurrences(ctx.db, wanted, period)).map(Number)
  const oldest = hours.length < MAX_HOURS ? undefined : hours.at(-1)
  return { hours, since: oldest ?? from.getTime() }
}

/**
 * Tells a search, which goes back in time, where it need not read: hours are counted by the values that their records have. Of the latest
 * hours, and of those before figures begin, nothing is known.
 */
export function hoursOf(ctx: Context, { occurrences }: LogSource): (upper: number) => Promise<KnownHours> {
  if (!occurrences) return async (upper) => unknownBefore(upper)
  let counted: Promise<HourRange | null> | null = null
  let listed: Listed | null = null
  return async (upper) => {
    counted ??= findCountedPeriod(ctx.db, occurrences.log, ctx.now())
    const period = await counted
    if (!period || upper <= period.from.getTime()) return unknownBefore(upper)
    if (upper > period.to.getTime()) return unknownBefore(upper, period.to.getTime())
    if (!listed || upper <= listed.since) listed = await listBefore(ctx, occurrences, period.from, upper)
    return knownBefore(upper, listed)
  }
}
