import type { ReservedSql, Sql } from 'postgres'
import { onTestFinished } from 'vitest'
import type { SqlFragment } from '../platform/db.ts'
import { until } from './process.ts'

/** How many statements of this database wait for a lock. @param like only those whose text matches */
export async function lockWaits(sql: Sql, like = '%'): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like ${like}`
  return row?.count ?? 0
}

/**
 * Holds the lock taken by `lock` until it is released or the test ends, so that something can happen in the middle.
 * @param like the statement that will wait for it; `reached` resolves when one does
 */
export async function hold(sql: Sql, lock: (connection: ReservedSql) => SqlFragment, like: string) {
  const connection = await sql.reserve()
  await connection`begin`
  await lock(connection)
  let isHeld = true
  const release = async (): Promise<void> => {
    if (!isHeld) return
    isHeld = false
    await connection`rollback`
    connection.release()
  }
  onTestFinished(release)
  return { reached: () => until(async () => (await lockWaits(sql, like)) > 0, 20_000), release }
}
