import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, inject, onTestFinished, test } from 'vitest'
import { lockWaits } from '../testing/lock-waits.ts'
import { until } from '../testing/process.ts'
import { randomToken } from './crypto.ts'
import { openDatabase } from './db.ts'
import { migrate, newestMigration } from './migrate.ts'

/** A database of this test's own without any table. */
async function emptyDatabase(options = ''): Promise<string> {
  const admin = openDatabase(inject('adminUrl'), { max: 1 })
  const name = `gatehouse_test_${randomToken(12).toLowerCase()}`
  await admin.unsafe(`create database ${name} ${options}`)
  onTestFinished(async () => {
    await admin.unsafe(`drop database if exists ${name} with (force)`)
    await admin.end()
  })
  const url = new URL(inject('adminUrl'))
  url.pathname = `/${name}`
  return url.href
}

function connect(url: string) {
  const sql = openDatabase(url, { max: 2 })
  onTestFinished(() => sql.end({ timeout: 1 }))
  return sql
}

test('of nodes that start together one migrates and the others find it done', async () => {
  const url = await emptyDatabase()
  const nodes = [connect(url), connect(url), connect(url)]
  const applied = await Promise.all(nodes.map((sql) => migrate(sql, new Date())))
  expect(applied.filter((names) => names.length > 0)).toHaveLength(1)
})

test('a migration killed halfway leaves nothing, and the next start completes it', async () => {
  const url = await emptyDatabase()
  const sql = connect(url)
  const blocker = await sql.reserve()
  // Whoever creates a table of the same name waits for us, which stops the migration in its middle.
  await blocker`begin`
  await blocker`create table audit_records (id int)`
  const program = fileURLToPath(new URL('../testing/migrate.program.ts', import.meta.url))
  const child = spawn(process.execPath, [program, url], { stdio: 'ignore' })
  await until(async () => (await lockWaits(sql)) > 0, 10_000)
  child.kill('SIGKILL')
  await once(child, 'exit')
  await blocker`rollback`
  blocker.release()
  expect((await migrate(sql, new Date())).length).toBeGreaterThan(0)
  const [row] = await sql`select max(version) as version from schema_migrations`
  expect(row).toEqual({ version: newestMigration() })
  expect(await migrate(sql, new Date())).toEqual([])
})

test('a database of a newer version is refused in one line', async () => {
  const sql = connect(await emptyDatabase())
  await migrate(sql, new Date())
  await sql`insert into schema_migrations values (9999, 'later', '', ${new Date()})`
  await expect(migrate(sql, new Date())).rejects.toThrow('migrated by a newer version (schema 9999, this program knows')
})

test.each([
  ['a locale that sees no Chinese', "template template0 encoding 'UTF8' locale 'C'", /locale C/],
  ['an encoding other than UTF-8', "template template0 encoding 'LATIN1' locale 'C'", /must be UTF8/],
])('a database with %s is refused in one line', async (_name, options, words) => {
  const sql = connect(await emptyDatabase(options))
  await expect(migrate(sql, new Date())).rejects.toThrow(words)
})
