import type { Db } from './db.ts'
import { forceCustomPlan } from './list.ts'
import type { Context } from './platform.ts'

const STATEMENT_CANCELLED = '57014'

/** Runs one statement in the time that is left. */
export type Ask = <T>(statement: (db: Db) => PromiseLike<T>) => Promise<T>

class OutOfTimeError extends Error {}

type Options = {
  /** Keeps the query to one core of the database, and from compiling what it runs once. */
  onOneCore?: boolean
}

const keepToOneCore = (db: Db) =>
  db`select set_config('max_parallel_workers_per_gather', '0', true), set_config('jit', 'off', true)`

/** Queries the database in a read-only transaction. @returns null if it took longer and was cancelled */
export async function readWithin<T>(
  ctx: Context,
  ms: number,
  read: (ask: Ask, msLeft: () => number) => Promise<T>,
  { onOneCore = false }: Options = {},
): Promise<{ value: T } | null> {
  const deadline = performance.now() + ms
  try {
    return (await ctx.sql.begin('read only', async (tx) => {
      // The same statement serves an hour and a week.
      await Promise.all([forceCustomPlan(tx), ...(onOneCore ? [keepToOneCore(tx)] : [])])
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
