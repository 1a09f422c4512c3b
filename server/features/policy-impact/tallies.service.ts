import { setImmediate as othersTurn } from 'node:timers/promises'
import { ACCESS_FIGURES, type AccessFigureKey, IMPACT_ROWS } from '#shared/contract/policy-impact.ts'
import type { ReplayedPlaces } from './places.types.ts'
import { type LoginGroup, loginsOf, type ReplayedLogin } from './replay.store.ts'

type Placed = { login: ReplayedLogin; places: ReplayedPlaces }

/** What is counted of a figure. */
export type Tally = {
  count: number
  people: Set<string>
  latest: Placed[]
  /** The time of the oldest in `latest`, once that is full. */
  oldest: number
}
export type Tallies = ReadonlyMap<AccessFigureKey, Tally>

export const emptyTallies = (): Tallies =>
  new Map(ACCESS_FIGURES.map((key) => [key, { count: 0, people: new Set(), latest: [], oldest: 0 }]))

/** The figures that a group of logins counts for; null: for none. */
export type Judge = (group: LoginGroup) => { keys: readonly AccessFigureKey[]; places: ReplayedPlaces } | null

/** Logins per slice: between two of them others have their turn. */
const SLICE = 20_000

type Step = { counted: readonly Tally[]; placed: Placed }

/** Each login with what it counts for; null for a group that counts for nothing, which took its time as well. */
function* stepsOf(tallies: Tallies, groups: readonly LoginGroup[], judge: Judge): Generator<Step | null> {
  for (const group of groups) {
    const judged = judge(group)
    if (!judged) {
      yield null
      continue
    }
    const counted = judged.keys.flatMap((key) => tallies.get(key) ?? [])
    for (const login of loginsOf(group)) yield { counted, placed: { login, places: judged.places } }
  }
}

/**
 * Counts logins as long as there is time: a week has hundreds of thousands, which take a busy processor longer than reading them.
 * @returns whether all were counted; if not, the figures are lower bounds
 */
export async function countLogins(
  tallies: Tallies,
  groups: readonly LoginGroup[],
  judge: Judge,
  msLeft: () => number,
): Promise<boolean> {
  let done = 0
  for (const step of stepsOf(tallies, groups, judge)) {
    if (step) for (const tally of step.counted) note(tally, step.placed)
    done += 1
    if (done % SLICE > 0) continue
    await othersTurn()
    if (msLeft() <= 0) return false
  }
  return true
}

function note(tally: Tally, placed: Placed): void {
  tally.count += 1
  tally.people.add(placed.login.userId)
  if (placed.login.at.getTime() < tally.oldest) return
  tally.latest.push(placed)
  if (tally.latest.length >= 10 * IMPACT_ROWS) keepLatest(tally)
}

/** Leaves the rows that are shown. */
export function keepLatest(tally: Tally): void {
  const { latest } = tally
  latest.sort((a, b) => b.login.at.getTime() - a.login.at.getTime())
  latest.length = Math.min(latest.length, IMPACT_ROWS)
  tally.oldest = latest[IMPACT_ROWS - 1]?.login.at.getTime() ?? 0
}
