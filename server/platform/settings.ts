import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { type Db, isLockTimeout } from './db.ts'
import { errors } from './errors.ts'
import type { Platform } from './platform.ts'

const TOPIC = 'settings'

/**
 * A settings document with its defaults; cached on every node until it is written. Inside a transaction it is read through that: waiting
 * for another connection could deadlock when as many transactions as connections do so.
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

const lockKey = (db: Db, name: string) => db`hashtextextended('settings ' || ${name}::text, 0)`

/** Whoever wants to write by the document meanwhile waits too, with a connection. */
const LOCK_TIMEOUT = '2500ms'

/**
 * Until the end of the transaction nobody else changes the document, nor does anybody write by it (`readSettingsForWrite`). Taken before a
 * lock of the row, or two writers could wait for each other.
 * @param options `isPatient`: waits for every write under way, however long it takes.
 * @throws Refusal `service.busy` if one takes too long.
 */
export async function lockSettingsDocument(db: Db, name: string, { isPatient = false } = {}): Promise<void> {
  if (!isPatient) await db`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`
  try {
    await db`select pg_advisory_xact_lock(${lockKey(db, name)})`
  } catch (error) {
    throw isLockTimeout(error) ? errors['service.busy']({ retryAfter: 2 }) : error
  }
  if (!isPatient) await db`set local lock_timeout to default`
}

/**
 * A settings document for a write by its rules: read in the transaction of the write, until whose end nobody changes it. What is cached may
 * be a second old. The lock is no row lock, since a document that was never written has no row.
 */
export async function readSettingsForWrite<T extends z.ZodType>(db: Db, name: string, schema: T): Promise<z.output<T>> {
  await db`select pg_advisory_xact_lock_shared(${lockKey(db, name)})`
  const [row] = await db<{ value: unknown }[]>`select value from settings where name = ${name}`
  return schema.parse(row?.value ?? {})
}

/**
 * A schema for what every page shows: a key of the stored document that can't be parsed takes its default, so that there always is a page.
 * @param schema has a default for each key.
 */
export function readableByKey<T extends z.ZodObject>(schema: T): z.ZodType<z.output<T>> {
  const shipped = schema.parse({}) as Record<string, unknown>
  const shape = Object.entries(schema.shape).map(([key, part]) => [key, (part as z.ZodType).catch(shipped[key])])
  return z.object(Object.fromEntries(shape)).catch(shipped) as unknown as z.ZodType<z.output<T>>
}

/** Keys of a stored document that `schema` can't parse, as after a downgrade. */
export function unreadableKeys(schema: z.ZodObject, value: SettingsValue): string[] {
  const isUnreadable = ([key, part]: [string, unknown]) =>
    Object.hasOwn(value, key) && !(part as z.ZodType).safeParse(value[key]).success
  return Object.entries(schema.shape)
    .filter(isUnreadable)
    .map(([key]) => key)
}

type SettingsValue = Record<string, unknown>

type SettingsDocument = {
  /** The stored keys; missing ones have their default. */
  value: SettingsValue
  /** 0: it was never written. */
  version: number
  /** Keys set by the bootstrap file when it was last applied. */
  fileKeys: string[]
}

/** A settings document as stored, for the page that edits it. */
export async function findSettingsDocument(db: Db, name: string): Promise<SettingsDocument> {
  const [row] = await db<SettingsDocument[]>`
    select value, version, file_keys from settings where name = ${name}`
  return row ?? { value: {}, version: 0, fileKeys: [] }
}

/**
 * Keys set by the bootstrap file would be set again at the next start: nobody else may change them.
 * @throws Refusal `settings.set-by-file`, which names the first such key; `data` names them all.
 */
async function refuseFileKeys(db: Db, name: string, next: (stored: SettingsValue) => SettingsValue): Promise<void> {
  const [row] = await db<{ value: SettingsValue; keys: string[] }[]>`
    select value, file_keys as keys from settings where name = ${name} for update`
  if (!row || row.keys.length === 0) return
  const after = next(row.value)
  const fields = row.keys.filter((key) => !isDeepStrictEqual(after[key], row.value[key]))
  const [first] = fields
  if (first === undefined) return
  // A document encrypted as a whole has one key, whose name means nothing to people.
  const field = first === SEALED_KEY ? name : `${name}.${first}`
  throw errors['settings.set-by-file']({
    params: { field },
    data: { fields: fields.filter((key) => key !== SEALED_KEY) },
  })
}

/** The one key of a document that is stored encrypted. */
export const SEALED_KEY = 'sealed'

/** Stores which keys of which documents the bootstrap file sets, replacing the previous list. */
export async function replaceFileKeys(db: Db, keys: Readonly<Record<string, readonly string[]>>): Promise<void> {
  await db`
    with given as (
      select d.name, array(select jsonb_array_elements_text(d.keys) order by 1) as keys
      from jsonb_each(${JSON.stringify(keys)}::text::jsonb) as d (name, keys)),
    wanted as (select s.name, coalesce(g.keys, '{}') as keys from settings s left join given g on g.name = s.name)
    update settings s set file_keys = w.keys from wanted w where w.name = s.name and s.file_keys <> w.keys`
}

/**
 * Merges `changes` into a settings document. `changes` must already be valid; absent keys stay.
 * @throws Refusal `service.busy`, `settings.set-by-file`, unless the bootstrap file itself sets them.
 */
export async function mergeSettings(
  ctx: Platform & { db: Db },
  name: string,
  changes: object,
  { byFile = false } = {},
): Promise<void> {
  const { db } = ctx
  // A file's change must not fail the start because somebody writes.
  await lockSettingsDocument(db, name, { isPatient: byFile })
  if (!byFile) await refuseFileKeys(db, name, (stored) => ({ ...stored, ...changes }))
  await db`
    insert into settings as s (name, value, updated_at)
    values (${name}, ${JSON.stringify(changes)}::text::jsonb, ${ctx.now()})
    on conflict (name) do update
      set value = s.value || excluded.value, version = s.version + 1, updated_at = excluded.updated_at
      where s.value || excluded.value is distinct from s.value`
  await ctx.cache.invalidate(db, TOPIC)
}

/**
 * Replaces a settings document.
 * @param version that it must have; 0: it was never written.
 * @returns false if it has another one by now.
 * @throws Refusal `settings.set-by-file`, `service.busy`.
 */
export async function replaceSettings(
  ctx: Platform & { db: Db },
  name: string,
  value: object,
  version: number,
): Promise<boolean> {
  const { db } = ctx
  await lockSettingsDocument(db, name)
  await refuseFileKeys(db, name, () => value as SettingsValue)
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
