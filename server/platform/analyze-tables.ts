import type { Db } from './db.ts'

/** Tables that grew by thousands of rows within seconds would otherwise be read by plans made for their former size. */
export const analyzeTables = (db: Db, tables: readonly string[]) => db`analyze ${db([...tables])}`

const FIRST_ROWS = 2000
const GROWTH = 16

/** For a task that fills tables: call the result with each number of rows written; it analyzes the tables in good time. */
export function analyzeWhileFilling(db: Db, tables: readonly string[]): (rows: number) => Promise<void> {
  let written = 0
  let next = FIRST_ROWS
  return async (rows) => {
    written += rows
    if (written < next) return
    next *= GROWTH
    await analyzeTables(db, tables)
  }
}
