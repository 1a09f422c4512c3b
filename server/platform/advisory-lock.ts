import type { Database } from './db.ts'

/** The end of the queue for each lock. */
const queues = new WeakMap<Database, Map<number, Promise<unknown>>>()

/**
 * Runs `work` while no other node runs work under the same key; the others wait. The lock belongs to a dedicated connection, so it ends
 * with the process however that ends, and `work` may use the pool and open transactions.
 */
export async function withAdvisoryLock<T>(sql: Database, key: number, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(sql) ?? new Map<number, Promise<unknown>>()
  queues.set(sql, queue)
  // Within the process they wait without a connection: if waiting calls took the whole pool, none would be left for the running one.
  const run = Promise.resolve(queue.get(key)).then(() => runLocked(sql, key, work))
  const settled = run.catch(() => {})
  queue.set(key, settled)
  return await run.finally(() => {
    if (queue.get(key) === settled) queue.delete(key)
  })
}

async function runLocked<T>(sql: Database, key: number, work: () => Promise<T>): Promise<T> {
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
