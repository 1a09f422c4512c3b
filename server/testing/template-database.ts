import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomToken } from '../platform/crypto.ts'
import { openDatabase } from '../platform/db.ts'
import { removeEmbeddedDatabase, startEmbeddedDatabase } from '../platform/embedded-database.ts'
import { migrate } from '../platform/migrate.ts'
import { ensureRecordPartitions } from '../platform/partitions.ts'
import { prepareReset } from './database-reset.ts'

export type TemplateDatabase = {
  /** An administrative connection to the server. */
  adminUrl: string
  /** The migrated, empty database; the names of its clones start with its own. */
  template: string
  /** Drops the template and its remaining clones. */
  drop(): Promise<void>
}

/** One database server for a whole test run, the one in DATABASE_URL or an embedded one, with a template to clone. */
export async function openTemplateDatabase(): Promise<TemplateDatabase> {
  const given = process.env['DATABASE_URL']
  const server = given ? { url: given, stop: async () => {} } : await startEmbedded()
  const template = `gatehouse_test_${randomToken(10).toLowerCase()}`
  const admin = openDatabase(server.url, { max: 1 })
  await admin.unsafe(`create database ${template}`)
  // Of clones that could not be emptied and reused.
  await admin.unsafe(`create table ${template} (problem text not null)`)
  const url = new URL(server.url)
  url.pathname = `/${template}`
  const sql = openDatabase(url.href, { max: 1 })
  await migrate(sql, new Date())
  // Otherwise each start would create them in its own clone.
  await ensureRecordPartitions(sql, new Date())
  await prepareReset(sql)
  await sql.end()
  return {
    adminUrl: server.url,
    template,
    async drop() {
      const unusable = await admin.unsafe(`select problem, count(*) from ${template} group by problem order by problem`)
      const counts = unusable.map(({ problem, count }) => `${count} ${problem}`).join(', ')
      if (counts) process.stdout.write(`Test databases that could not be emptied and reused: ${counts}\n`)
      await admin.unsafe(`drop table ${template}`)
      const all = await admin<{ name: string }[]>`
        select datname as name from pg_database where starts_with(datname, ${template})`
      for (const { name } of all) await admin.unsafe(`drop database if exists ${name} with (force)`)
      await admin.end()
      await server.stop()
    },
  }
}

async function startEmbedded() {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  // As root, the database runs as another user, who must be able to reach it.
  chmodSync(dataDir, 0o711)
  const database = await startEmbeddedDatabase({ dataDir })
  const sql = openDatabase(database.url, { max: 1 })
  // Hundreds of databases are created and thrown away here; crash safety is tested on separate servers.
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit'])
    await sql.unsafe(`alter system set ${setting} = off`)
  await sql`select pg_reload_conf()`
  // Each test opens connections of its own, and each would derive the key of the password from 4,096 rounds.
  const { username, password } = new URL(database.url)
  await sql.unsafe('set scram_iterations = 1')
  await sql.unsafe(`alter role ${username} password '${password}'`)
  await sql.end()
  return {
    url: database.url,
    async stop() {
      await database.stop()
      removeEmbeddedDatabase(database, dataDir)
    },
  }
}
