import { IMPACT_DAYS } from '#shared/contract/policy-impact.ts'
import { DAY_MS, HOUR_MS } from '#shared/rules/durations.ts'
import type { Db } from '../../platform/db.ts'
import { errors } from '../../platform/errors.ts'
import type { Context } from '../../platform/platform.ts'

/** How far back is looked, and how much time that may take: what is not through by then is asked about less. */
const LOOKS = [
  { spanMs: IMPACT_DAYS * DAY_MS, ms: 1700 },
  { spanMs: DAY_MS, ms: 500 },
  { spanMs: HOUR_MS, ms: 300 },
] as const

const STATEMENT_CANCELLED = '57014'

/** One look at the records of a span. */
export type Look = {
  since: Date
  until: Date
  /** Runs one statement in what is left of the time. */
  ask<T>(statement: (db: Db) => PromiseLike<T>): Promise<T>
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

class OutOfTimeError extends Error {}

/** Asks the database in a transaction that only reads. @returns null: it took longer, and was broken off. */
export async function readWithin<T>(
  ctx: Context,
  ms: number,
  read: (ask: Look['ask']) => Promise<T>,
): Promise<{ value: T } | null> {
  const deadline = performance.now() + ms
  try {
    return (await ctx.sql.begin('read only', async (tx) => {
      const ask: Look['ask'] = async (statement) => {
        const left = Math.round(deadline - performance.now())
        if (left <= 0) throw new OutOfTimeError()
        await tx`select set_config('statement_timeout', ${String(left)}, true)`
        return await statement(tx)
      }
      return { value: await read(ask) }
    })) as { value: T }
  } catch (error) {
    if (error instanceof OutOfTimeError || (error as { code?: string }).code === STATEMENT_CANCELLED) return null
    throw error
  }
}

/** Predictions under way at once on this node: each may keep the database busy for seconds. */
const MAX_RUNNING = 2
let running = 0

/** @throws Refusal `service.busy`. */
export async function withPrediction<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MAX_RUNNING) throw errors['service.busy']({ retryAfter: 2 })
  running += 1
  try {
    return await work()
  } finally {
    running -= 1
  }
}
