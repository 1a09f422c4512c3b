import type { Sql } from './db.ts'

/** The end of the line at each lock. */
const lines = new WeakMap<Sql, Map<number, Promise<unknown>>>()

/**
 * Runs `work` while no other node runs work under the same key; the others wait. The lock belongs to a connection of its
 * own, so it ends with the process however that ends, and `work` may use the pool and open transactions.
 */
export async function withAdvisoryLock<T>(sql: Sql, key: number, work: () => Promise<T>): Promise<T> {
  const line = lines.get(sql) ?? new Map<number, Promise<unknown>>()
  lines.set(sql, line)
  // Within the process they wait without a connection: a pool full of them would leave none to the one at work.
  const turn = Promise.resolve(line.get(key)).then(() => locked(sql, key, work))
  const settled = turn.catch(() => {})
  line.set(key, settled)
  return await turn.finally(() => {
    if (line.get(key) === settled) line.delete(key)
  })
}

async function locked<T>(sql: Sql, key: number, work: () => Promise<T>): Promise<T> {
  const connection = await sql.reserve()
  try {
    await connection`select pg_advisory_lock(${key})`
    try {
      return await work()
    } finally {
      await connection`select pg_advisory_unlock(${key})`
    }
  } finally {
    connection.release()
  }
}
