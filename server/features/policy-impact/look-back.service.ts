import { IMPACT_DAYS } from '#shared/contract/policy-impact.ts'
import { DAY_MS, HOUR_MS } from '#shared/rules/durations.ts'
import type { Context } from '../../platform/platform.ts'
import { type Ask, readWithin } from '../../platform/read-within.ts'
import { workLimit } from '../../platform/work-limit.ts'
import { type Blocks, countUserBlocks } from './user-blocks.store.ts'

/** How far back is looked, and how much time that may take: what is not through by then is asked about less. */
const LOOKS = [
  { spanMs: IMPACT_DAYS * DAY_MS, ms: 1700 },
  { spanMs: DAY_MS, ms: 500 },
  { spanMs: HOUR_MS, ms: 300 },
] as const

/** One look at the records of a span. */
export type Look = {
  since: Date
  until: Date
  /** Runs one statement in what is left of the time. */
  ask: Ask
}

/** What was found, since when; `isAll`: in the whole time that is looked back. */
export type Looked<T> = { found: T; since: Date; isAll: boolean }

/**
 * Reads records of the last days; of fewer when that takes too long.
 * @returns null: not even the last hour could be read in time.
 */
export async function lookBack<T>(ctx: Context, read: (look: Look) => Promise<T>): Promise<Looked<T> | null> {
  const until = ctx.now()
  for (const [turn, { spanMs, ms }] of LOOKS.entries()) {
    const since = new Date(until.getTime() - spanMs)
    const found = await readWithin(ctx, ms, (ask) => read({ since, until, ask }))
    if (found) return { found: found.value, since, isAll: turn === 0 }
  }
  return null
}

/** One step should take so long: what it read is lost when time is up, and what came of it is judged in one go. */
const STEP_MS = 300
/** Nights have fewer logins than mornings. */
const MAX_GROWTH = 4

/** How far the next step goes, by what the last one took and what is left of the time. */
export function nextSpan(span: number, tookMs: number, leftMs: number): number {
  const growth = Math.min(STEP_MS, leftMs * 0.8) / Math.max(1, tookMs)
  return span * Math.max(1 / MAX_GROWTH, Math.min(MAX_GROWTH, growth))
}

/** Blocks of the table of people that are read first, and at most in one step: how many people lie in some says little of the next. */
const FIRST_BLOCKS = 500
const MAX_BLOCKS = 4000

/** Reads everybody in steps, for as long as there is time. @returns whether that was enough. */
export async function readEverybody(
  ctx: Context,
  ms: number,
  step: (ask: Look['ask'], blocks: Blocks) => Promise<void>,
): Promise<boolean> {
  const whole = await readWithin(ctx, ms, async (ask, msLeft) => {
    const blocks = await ask(countUserBlocks)
    let size = FIRST_BLOCKS
    for (let from = 0; from < blocks; ) {
      const began = msLeft()
      const to = from + size
      await step(ask, { from, to })
      size = Math.min(MAX_BLOCKS, Math.ceil(nextSpan(size, began - msLeft(), msLeft())))
      from = to
    }
  })
  return whole !== null
}

/** Predictions are asked anew with each change of a form: who comes too early is told so at once. @throws Refusal `service.busy`. */
export const withPrediction = workLimit({ running: 2, waiting: 0, waitMs: 0 })
