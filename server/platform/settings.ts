import type { z } from 'zod'
import type { Db } from './db.ts'
import type { Platform } from './platform.ts'

const TOPIC = 'settings'

/**
 * A settings document with its defaults filled in; cached on every node until `writeSettings`. Within a transaction it is read
 * through that: waiting there for another connection could wait for ever, when as many transactions as connections do so.
 */
export function readSettings<T extends z.ZodType>(
  platform: Platform & { db?: Db },
  name: string,
  schema: T,
): Promise<z.output<T>> {
  return platform.cache.read(TOPIC, name, async () => {
    const db = platform.db ?? platform.sql
    const [row] = await db<{ value: unknown }[]>`select value from settings where name = ${name}`
    return schema.parse(row?.value ?? {})
  })
}

/** Merges `changes` into a settings document. `changes` must already be valid; absent keys stay. */
export async function mergeSettings(ctx: Platform & { db: Db }, name: string, changes: object): Promise<void> {
  const { db } = ctx
  await db`
    insert into settings as s (name, value, updated_at)
    values (${name}, ${JSON.stringify(changes)}::text::jsonb, ${ctx.now()})
    on conflict (name) do update
      set value = s.value || excluded.value, version = s.version + 1, updated_at = excluded.updated_at
      where s.value || excluded.value is distinct from s.value`
  await ctx.cache.invalidate(db, TOPIC)
}

/**
 * Puts `value` in the place of a settings document.
 * @param version that it must have; 0: it was never written.
 * @returns false when it has another one by now.
 */
export async function replaceSettings(
  ctx: Platform & { db: Db },
  name: string,
  value: object,
  version: number,
): Promise<boolean> {
  const { db } = ctx
  const document = db`${JSON.stringify(value)}::text::jsonb`
  const written =
    version === 0
      ? await db`
          insert into settings (name, value, updated_at) values (${name}, ${document}, ${ctx.now()})
          on conflict (name) do nothing`
      : await db`
          update settings set value = ${document}, version = version + 1, updated_at = ${ctx.now()}
          where name = ${name} and version = ${version}`
  await ctx.cache.invalidate(db, TOPIC)
  return written.count > 0
}
