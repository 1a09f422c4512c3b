import { latestIssueTime } from './clock.ts'
import { sha256 } from './crypto.ts'
import type { Database } from './db.ts'
import type { EphemeralState } from './state.ts'
import { createStatement } from './statement.ts'

const IS_VALID = '(expires_at > :now and put_at <= :latestPut)'

const insert = createStatement(`
  insert into ephemeral_state (kind, key, value, put_at, expires_at) values (:kind, :key, :value::text::jsonb, :now, :expiresAt)
  on conflict (kind, key) do update set value = excluded.value, put_at = excluded.put_at, expires_at = excluded.expires_at, hits = 0`)
const remove = createStatement<{ value: never; lives: boolean }>(
  `delete from ephemeral_state where kind = :kind and key = :key returning value, ${IS_VALID} as lives`,
)
const find = createStatement<{ value: never }>(
  `select value from ephemeral_state where kind = :kind and key = :key and ${IS_VALID}`,
)
const count = createStatement<{ hits: number }>(`
  insert into ephemeral_state as s (kind, key, value, expires_at, hits) values (:kind, :key, 'null', :expiresAt, 1)
  on conflict (kind, key) do update set
    hits = case when s.expires_at > :now then s.hits + 1 else 1 end,
    expires_at = case when s.expires_at > :now then s.expires_at else excluded.expires_at end
  returning hits`)

/** Ephemeral state in the unlogged table `ephemeral_state`; keys are stored as hashes, because most of them are secrets. */
export function createPostgresState(sql: Database, now: () => Date): EphemeralState {
  const expiresAt = (seconds: number) => new Date(now().getTime() + seconds * 1000)
  const entry = (kind: string, key: string) => ({
    kind,
    key: sha256(key),
    now: now(),
    latestPut: latestIssueTime(now()),
  })
  return {
    async put(kind, key, value, seconds) {
      await insert(sql, { ...entry(kind, key), value: JSON.stringify(value), expiresAt: expiresAt(seconds) })
    },
    async take(kind, key) {
      const [row] = await remove(sql, entry(kind, key))
      return row?.lives ? row.value : null
    },
    async peek(kind, key) {
      const [row] = await find(sql, entry(kind, key))
      return row ? row.value : null
    },
    async increment(kind, key, seconds) {
      const [row] = await count(sql, { ...entry(kind, key), expiresAt: expiresAt(seconds) })
      return row?.hits ?? 1
    },
    async sweep() {
      await sql`delete from ephemeral_state where expires_at < ${now()}`
    },
    async close() {},
  }
}
