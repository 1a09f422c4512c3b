import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { ConfigurationError } from './config.ts'
import type { Database, Transaction } from './db.ts'
import { projectFile } from './project-files.ts'

/** Any constant: the advisory lock by which one of several starting nodes migrates while the others wait. */
const MIGRATION_LOCK = 7_402_116

type Migration = { version: number; name: string; text: string; checksum: string }

function readMigrations(): Migration[] {
  const folder = projectFile('migrations/')
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

/** The schema version of this program. */
export const latestSchemaVersion = (): number => (latestVersion ??= readMigrations().at(-1)?.version ?? 0)
let latestVersion: number | undefined

/**
 * Brings the schema up to date, forward only. Migrations commit together with their rows in `schema_migrations`, so a kill at any moment
 * leaves all or nothing; nodes that start together take turns.
 * @param recreate the advice to the operator for a database that can't be migrated.
 * @returns the names applied now.
 * @throws ConfigurationError for an unsuitable server, or a schema that this program can't migrate.
 */
export async function migrate(
  sql: Database,
  now: Date,
  recreate = 'name an empty database in DATABASE_URL',
): Promise<string[]> {
  await requireSuitableServer(sql)
  const migrations = readMigrations()
  return (await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${MIGRATION_LOCK})`
    await tx`create table if not exists schema_migrations (
      version int primary key, name text not null, checksum text not null, applied_at timestamptz not null)`
    const applied = await tx<{ version: number; name: string; checksum: string }[]>`
      select version, name, checksum from schema_migrations order by version`
    // The first file changes until the first release; from then on it never does.
    if (applied[0] && applied[0].checksum !== migrations[0]?.checksum) {
      throw new ConfigurationError(`the database was made before the first release and can't be migrated: ${recreate}`)
    }
    const present = applied.at(-1)?.version ?? 0
    const known = migrations.at(-1)?.version ?? 0
    if (present > known) {
      throw new ConfigurationError(
        `the database was migrated by a newer version (schema ${present}, this program knows ${known})`,
      )
    }
    const pending = migrations.filter((migration) => !applied.some(({ version }) => version === migration.version))
    for (const migration of pending) await applyMigration(tx, migration, now)
    return pending.map(({ name }) => name)
  })) as string[]
}

async function applyMigration(tx: Transaction, migration: Migration, now: Date): Promise<void> {
  await tx.unsafe(migration.text)
  await tx`insert into schema_migrations values (${migration.version}, ${migration.name}, ${migration.checksum}, ${now})`
}

async function requireSuitableServer(sql: Database): Promise<void> {
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
