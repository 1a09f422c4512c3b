import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { ConfigurationError } from './config.ts'
import type { Sql, Transaction } from './db.ts'

/** Any constant: the advisory lock that makes one of several starting nodes migrate while the others wait. */
const MIGRATION_LOCK = 7_402_116

type Migration = { version: number; name: string; text: string; checksum: string }

function readMigrations(): Migration[] {
  const folder = new URL('../../migrations/', import.meta.url)
  return readdirSync(folder)
    .filter((name) => /^\d{4}_[\w-]+\.sql$/.test(name))
    .sort()
    .map((name) => {
      const text = readFileSync(new URL(name, folder), 'utf8')
      return {
        version: Number(name.slice(0, 4)),
        name,
        text,
        checksum: createHash('sha256').update(text).digest('hex'),
      }
    })
}

/** The version that a database migrated by this program has. */
export const newestMigration = (): number => (newest ??= readMigrations().at(-1)?.version ?? 0)
let newest: number | undefined

/**
 * Brings the schema up to date, forward only. Each migration commits together with its mark, so a kill at any moment
 * leaves it done or not begun; nodes that start together take turns.
 * @returns the names applied now.
 * @throws ConfigurationError for an unsuitable server, or a schema newer than this program.
 */
export async function migrate(sql: Sql, now: Date): Promise<string[]> {
  await refuseUnsuitable(sql)
  const migrations = readMigrations()
  return (await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${MIGRATION_LOCK})`
    await tx`create table if not exists schema_migrations (
      version int primary key, name text not null, checksum text not null, applied_at timestamptz not null)`
    const applied = await tx<{ version: number }[]>`select version from schema_migrations order by version`
    const present = applied.at(-1)?.version ?? 0
    const known = migrations.at(-1)?.version ?? 0
    if (present > known) {
      throw new ConfigurationError(
        `the database was migrated by a newer version (schema ${present}, this program knows ${known})`,
      )
    }
    const pending = migrations.filter((migration) => !applied.some(({ version }) => version === migration.version))
    for (const migration of pending) await apply(tx, migration, now)
    return pending.map(({ name }) => name)
  })) as string[]
}

async function apply(tx: Transaction, migration: Migration, now: Date): Promise<void> {
  await tx.unsafe(migration.text)
  await tx`insert into schema_migrations values (${migration.version}, ${migration.name}, ${migration.checksum}, ${now})`
}

async function refuseUnsuitable(sql: Sql): Promise<void> {
  const [server] = await sql<{ version: number; encoding: string; ctype: string }[]>`
    select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
      datctype as ctype from pg_database where datname = current_database()`
  if (!server) return
  if (server.version < 150_000)
    throw new ConfigurationError(`PostgreSQL 15 or newer is needed, this is ${server.version}`)
  if (server.encoding !== 'UTF8') throw new ConfigurationError(`the database must be UTF8, it is ${server.encoding}`)
  if (/^(C|POSIX)$/i.test(server.ctype)) {
    throw new ConfigurationError(
      `the database has the locale ${server.ctype}, in which Chinese names can't be searched: create it with C.UTF-8 or an ICU locale`,
    )
  }
}
