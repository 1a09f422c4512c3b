import type { Db, Sql } from './db.ts'

const CHANNEL = 'gatehouse_cache'

/**
 * Bounded in-process cache of what seldom changes (applications, settings, wording).
 * `drop` empties a topic on every node: at once here after the transaction, within a second elsewhere (LISTEN/NOTIFY).
 */
export type Cache = {
  /** The cached value of (topic, key), loaded once however many ask at the same time. */
  read<T>(topic: string, key: string, load: () => Promise<T>): Promise<T>
  /** Empties a topic on all nodes; inside a transaction it takes effect when that commits. */
  drop(db: Db, topic: string): Promise<void>
  close(): Promise<void>
}

const MOST_ENTRIES = 2000
/** Even without a notice (a lost connection) nothing stays cached for longer than this. */
const LONGEST_MS = 30_000

export async function createCache(sql: Sql, onListening?: () => void): Promise<Cache> {
  const entries = new Map<string, { at: number; value: Promise<unknown> }>()
  const forget = (topic: string) => {
    for (const name of entries.keys()) if (name.startsWith(`${topic}\n`)) entries.delete(name)
  }
  // After a reconnect notices may have been missed, so everything goes.
  const subscription = await sql.listen(
    CHANNEL,
    (topic) => forget(topic),
    () => {
      entries.clear()
      onListening?.()
    },
  )
  return {
    read<T>(topic: string, key: string, load: () => Promise<T>) {
      const name = `${topic}\n${key}`
      const known = entries.get(name)
      if (known && performance.now() - known.at < LONGEST_MS) return known.value as Promise<T>
      const value = load()
      value.catch(() => entries.delete(name))
      if (entries.size >= MOST_ENTRIES) entries.delete(entries.keys().next().value ?? name)
      entries.set(name, { at: performance.now(), value })
      return value
    },
    async drop(db, topic) {
      await db`select pg_notify(${CHANNEL}, ${topic})`
      forget(topic)
    },
    async close() {
      await subscription.unlisten()
    },
  }
}
