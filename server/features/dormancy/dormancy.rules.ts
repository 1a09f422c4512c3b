/** What a run does, or would do, with the number of people it examines. */
export type SweepCounts = { people: number; dormant: number; locked: number; told: number }

/** The hour (UTC) at which a run begins: three in the morning in China. */
export const SWEEP_HOUR = 19

/** When the next run begins. */
export function nextRunAt(now: Date): Date {
  const at = new Date(now)
  at.setUTCHours(SWEEP_HOUR, 0, 0, 0)
  if (at <= now) at.setUTCDate(at.getUTCDate() + 1)
  return at
}

/** As many as a small installation may plausibly lose in a night. */
const FEW = 20
const LARGEST_SHARE = 0.2

/**
 * Is this more at once than one night explains? Then the clock has jumped, the terms were changed, or many accounts were created on one
 * day: a person has to check.
 */
export const isTooMuch = ({ people, dormant, locked, told }: SweepCounts): boolean =>
  Math.max(dormant, locked, told) > Math.max(FEW, people * LARGEST_SHARE)

/** What a run would do in addition to what somebody has confirmed. */
export const beyond = (due: SweepCounts, confirmed: SweepCounts): SweepCounts => ({
  people: due.people,
  dormant: due.dormant - confirmed.dormant,
  locked: due.locked - confirmed.locked,
  told: due.told - confirmed.told,
})
