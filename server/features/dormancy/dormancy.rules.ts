/** What a run does, or would do, with how many of those whom it is about. */
export type SweepCounts = { people: number; dormant: number; locked: number; told: number }

/** The hour (UTC) at which a run begins: three in the morning of China. */
export const SWEEP_HOUR = 19

/** When the next run begins. */
export function nextRunAt(now: Date): Date {
  const at = new Date(now)
  at.setUTCHours(SWEEP_HOUR, 0, 0, 0)
  if (at <= now) at.setUTCDate(at.getUTCDate() + 1)
  return at
}

/** As many as a small installation may lose in a night. */
const FEW = 20
const LARGEST_SHARE = 0.2

/**
 * Is this more at once than the passing of one night explains? Then the clock has jumped, the days were set anew, or many accounts came
 * on one day: a person has to look at it.
 */
export const isTooMuch = ({ people, dormant, locked, told }: SweepCounts): boolean =>
  Math.max(dormant, locked, told) > Math.max(FEW, people * LARGEST_SHARE)
