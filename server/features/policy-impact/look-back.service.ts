import { IMPACT_DAYS } from '#shared/contract/policy-impact.ts'
import { DAY_MS, HOUR_MS } from '#shared/rules/durations.ts'
import type { Context } from '../../platform/platform.ts'
import { type Ask, readWithin } from '../../platform/read-within.ts'
import { workLimit } from '../../platform/work-limit.ts'
import { type Blocks, countUserBlocks } from './user-blocks.store.ts'

/** Periods to look back, with their time limits: if one is not finished in time, a shorter one is tried. */
const LOOKS = [
  { spanMs: IMPACT_DAYS * DAY_MS, ms: 1700 },
  { spanMs: DAY_MS, ms: 500 },
  { spanMs: HOUR_MS, ms: 300 },
] as const

/** One evaluation of the records of a period. */
export type Look = {
  since: Date
  until: Date
  /** Runs one statement in the time that is left. */
  ask: Ask
}

/** The result and the start of its period; `isAll`: the full period. */
export type Looked<T> = { found: T; since: Date; isAll: boolean }

/**
 * Reads the records of the last days; of fewer if that takes too long.
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

/** Target duration of a step: its results are lost if time runs out, and are evaluated in one go. */
const STEP_MS = 300
/** Nights have fewer logins than mornings. */
const MAX_GROWTH = 4

/** The length of the next step, from the duration of the last one and the time left. */
export function nextSpan(span: number, tookMs: number, leftMs: number): number {
  const growth = Math.min(STEP_MS, leftMs * 0.8) / Math.max(1, tookMs)
  return span * Math.max(1 / MAX_GROWTH, Math.min(MAX_GROWTH, growth))
}

/** Blocks of the users table read first, and at most per step: the number of people in some says little about the next. */
const FIRST_BLOCKS = 500
const MAX_BLOCKS = 4000

/** Reads everybody in steps, as long as there is time. @returns whether it finished */
export async function readEverybody(
  ctx: Context,
  ms: number,
  step: (ask: Look['ask'], blocks: Blocks) => Promise<void>,
): Promise<boolean> {
  const completed = await readWithin(ctx, ms, async (ask, msLeft) => {
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
  return completed !== null
}

/** Predictions are requested again with each change of a form: excess ones are rejected at once. @throws Refusal `service.busy`. */
export const { run: withPrediction } = workLimit({ running: 2, waiting: 0, waitMs: 0 })
