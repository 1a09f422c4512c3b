import type { Db } from './db.ts'
import { forceCustomPlan } from './list.ts'
import type { Context } from './platform.ts'

const STATEMENT_CANCELLED = '57014'

/** Runs one statement in what is left of the time. */
export type Ask = <T>(statement: (db: Db) => PromiseLike<T>) => Promise<T>

class OutOfTimeError extends Error {}

/** Asks the database in a transaction that only reads. @returns null: it took longer, and was broken off. */
export async function readWithin<T>(
  ctx: Context,
  ms: number,
  read: (ask: Ask, msLeft: () => number) => Promise<T>,
): Promise<{ value: T } | null> {
  const deadline = performance.now() + ms
  try {
    return (await ctx.sql.begin('read only', async (tx) => {
      // The same statement reads an hour and a week.
      await forceCustomPlan(tx)
      const ask: Ask = async (statement) => {
        const left = Math.round(deadline - performance.now())
        if (left <= 0) throw new OutOfTimeError()
        await tx`select set_config('statement_timeout', ${String(left)}, true)`
        return await statement(tx)
      }
      return { value: await read(ask, () => deadline - performance.now()) }
    })) as { value: T }
  } catch (error) {
    if (error instanceof OutOfTimeError || (error as { code?: string }).code === STATEMENT_CANCELLED) return null
    throw error
  }
}
