import { onTestFinished, test } from 'vitest'
import { HOUR_MS } from '#shared/rules/durations.ts'
import { openDatabase } from '../../platform/db.ts'
import { expectEqual } from '../../testing/figures.ts'
import { insertPerson } from '../../testing/portal.ts'
import { insertLoginRecord } from '../../testing/records.ts'
import { testServer } from '../../testing/server.ts'
import { rollUp } from './index.ts'

test('a node that dies while counting leaves nothing half counted', async () => {
  const server = await testServer()
  const other = await server.secondNode()
  const person = await insertPerson(server)
  const now = server.platform.now().getTime()
  for (let hours = 0; hours < 100; hours++) {
    await insertLoginRecord(server, person, { at: new Date(now - hours * HOUR_MS) })
  }
  const sql = openDatabase(server.platform.config.databaseUrl ?? '', { max: 1 })
  onTestFinished(() => sql.end())
  for (let kills = 0; kills < 6; kills++) {
    const run = rollUp(server.platform).catch(() => 'cut off')
    await sql`
      select pg_sleep(${0.004 * kills}), pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`
    await run
  }
  await rollUp(other.platform)
  await expectEqual(server)
})
