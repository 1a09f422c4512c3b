import { sha256 } from './crypto.ts'
import type { Sql } from './db.ts'
import type { State } from './state.ts'

/** Hot state in the unlogged table `hot_state`; keys are stored as hashes, because most of them are secrets. */
export function createPostgresState(sql: Sql, now: () => Date): State {
  const until = (seconds: number) => new Date(now().getTime() + seconds * 1000)
  return {
    async put(kind, key, value, seconds) {
      await sql`
        insert into hot_state (kind, key, value, expires_at)
        values (${kind}, ${sha256(key)}, ${JSON.stringify(value)}::text::jsonb, ${until(seconds)})
        on conflict (kind, key) do update set value = excluded.value, expires_at = excluded.expires_at, hits = 0`
    },
    async take<T>(kind: string, key: string) {
      const [row] = await sql<{ value: T; expires_at: Date }[]>`
        delete from hot_state where kind = ${kind} and key = ${sha256(key)} returning value, expires_at`
      return row && row.expires_at > now() ? row.value : null
    },
    async peek<T>(kind: string, key: string) {
      const [row] = await sql<{ value: T }[]>`
        select value from hot_state where kind = ${kind} and key = ${sha256(key)} and expires_at > ${now()}`
      return row ? row.value : null
    },
    async use<T>(kind: string, key: string) {
      const [row] = await sql<{ value: T; uses: number }[]>`
        update hot_state set hits = hits + 1
        where kind = ${kind} and key = ${sha256(key)} and expires_at > ${now()}
        returning value, hits as uses`
      return row ?? null
    },
    async count(kind, key, seconds) {
      const [row] = await sql<{ hits: number }[]>`
        insert into hot_state as s (kind, key, value, expires_at, hits)
        values (${kind}, ${sha256(key)}, 'null', ${until(seconds)}, 1)
        on conflict (kind, key) do update set
          hits = case when s.expires_at > ${now()} then s.hits + 1 else 1 end,
          expires_at = case when s.expires_at > ${now()} then s.expires_at else excluded.expires_at end
        returning hits`
      return row?.hits ?? 1
    },
    async sweep() {
      await sql`delete from hot_state where expires_at < ${now()}`
    },
    async close() {},
  }
}
