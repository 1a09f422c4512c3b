import { latestIssueTime } from './clock.ts'
import { sha256 } from './crypto.ts'
import type { Database } from './db.ts'
import type { EphemeralState } from './state.ts'

/** Hot state in the unlogged table `hot_state`; keys are stored as hashes, because most of them are secrets. */
export function createPostgresState(sql: Database, now: () => Date): EphemeralState {
  const expiry = (seconds: number) => new Date(now().getTime() + seconds * 1000)
  const isValid = () => sql`(expires_at > ${now()} and put_at <= ${latestIssueTime(now())})`
  return {
    async put(kind, key, value, seconds) {
      await sql`
        insert into hot_state (kind, key, value, put_at, expires_at)
        values (${kind}, ${sha256(key)}, ${JSON.stringify(value)}::text::jsonb, ${now()}, ${expiry(seconds)})
        on conflict (kind, key) do update set value = excluded.value, put_at = excluded.put_at,
          expires_at = excluded.expires_at, hits = 0`
    },
    async take<T>(kind: string, key: string) {
      const [row] = await sql<{ value: T; lives: boolean }[]>`
        delete from hot_state where kind = ${kind} and key = ${sha256(key)} returning value, ${isValid()} as lives`
      return row?.lives ? row.value : null
    },
    async peek<T>(kind: string, key: string) {
      const [row] = await sql<{ value: T }[]>`
        select value from hot_state where kind = ${kind} and key = ${sha256(key)} and ${isValid()}`
      return row ? row.value : null
    },
    async readAndCount<T>(kind: string, key: string) {
      const [row] = await sql<{ value: T; uses: number }[]>`
        update hot_state set hits = hits + 1
        where kind = ${kind} and key = ${sha256(key)} and ${isValid()}
        returning value, hits as uses`
      return row ?? null
    },
    async increment(kind, key, seconds) {
      const [row] = await sql<{ hits: number }[]>`
        insert into hot_state as s (kind, key, value, expires_at, hits)
        values (${kind}, ${sha256(key)}, 'null', ${expiry(seconds)}, 1)
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
