import { type Database, type Db, stopListening } from './db.ts'

const CHANNEL = 'gatehouse_cache'

/**
 * Bounded in-process cache of what seldom changes (applications, settings, wording). `invalidate` empties a topic on every node: here right
 * after the transaction, elsewhere within a second (LISTEN/NOTIFY).
 */
export type Cache = {
  /** The cached value of (topic, key), loaded once for concurrent callers. */
  read<T>(topic: string, key: string, load: () => Promise<T>): Promise<T>
  /** Empties a topic on all nodes; inside a transaction it takes effect when that commits. */
  invalidate(db: Db, topic: string): Promise<void>
  close(): Promise<void>
}

const MAX_ENTRIES = 2000
/** Even if a notification is missed (a lost connection), nothing stays cached longer than this. */
const MAX_AGE_MS = 30_000

export async function createCache(sql: Database, onListening?: () => void): Promise<Cache> {
  const entries = new Map<string, { at: number; value: Promise<unknown> }>()
  const clearTopic = (topic: string) => {
    for (const name of entries.keys()) if (name.startsWith(`${topic}\n`)) entries.delete(name)
  }
  // After a reconnect notifications may have been missed, so everything is dropped.
  const subscription = await sql.listen(
    CHANNEL,
    (topic) => clearTopic(topic),
    () => {
      entries.clear()
      onListening?.()
    },
  )
  return {
    read<T>(topic: string, key: string, load: () => Promise<T>) {
      const name = `${topic}\n${key}`
      const known = entries.get(name)
      if (known && performance.now() - known.at < MAX_AGE_MS) return known.value as Promise<T>
      const value = load()
      value.catch(() => entries.delete(name))
      if (entries.size >= MAX_ENTRIES) entries.delete(entries.keys().next().value ?? name)
      entries.set(name, { at: performance.now(), value })
      return value
    },
    async invalidate(db, topic) {
      await db`select pg_notify(${CHANNEL}, ${topic})`
      clearTopic(topic)
    },
    async close() {
      await stopListening(subscription)
    },
  }
}
