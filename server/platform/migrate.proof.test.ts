import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { connect, emptyDatabase } from '../testing/empty-database.ts'
import { lockWaits } from '../testing/lock-waits.ts'
import { until } from '../testing/process.ts'
import { latestSchemaVersion, migrate } from './migrate.ts'

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
  // Creating a table of the same name waits for us, which stops the migration in the middle.
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
  expect(row).toEqual({ version: latestSchemaVersion() })
  expect(await migrate(sql, new Date())).toEqual([])
})
