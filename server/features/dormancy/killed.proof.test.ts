import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { dormancyNight } from '../../testing/dormancy.ts'
import { startNode } from '../../testing/process.ts'
import { testServer } from '../../testing/server.ts'
import { setPolicy } from '../../testing/sign-in.ts'
import { startSweep } from './index.ts'

const PEOPLE = 40_000
const IDLE = PEOPLE / 10

test('a node killed in the middle of a run leaves whole batches with their mark; another continues, and repeating changes nothing', {
  timeout: 120_000,
}, async () => {
  const server = await testServer()
  const { sql, config } = server.platform
  await setPolicy(server, { dormantWarnDays: [] })
  const node = await startNode({
    DATABASE_URL: config.databaseUrl ?? '',
    SECRET_KEY: 'a test key of more than thirty-two characters',
  })
  onTestFinished(() => void node.process.kill('SIGKILL'))
  await sql`
    insert into users (id, account, name, created_at, updated_at, last_login_at)
    select gen_random_uuid(), 'n' || n, 'n', now() - interval '200 days', now(), case when n % 10 > 0 then now() end
    from generate_series(1, ${PEOPLE}) n`
  const count = async () => (await sql`select from users where dormant_since is not null`).length
  const lines = async () => {
    const [found] = await sql`
      select count(*)::int as lines, count(distinct target_id)::int as people from audit_records where action = 'account.dormant'`
    return found
  }
  await startSweep(server.platform)
  while ((await count()) === 0) await pause(5)
  node.process.kill('SIGKILL')
  await node.ended
  const done = await count()
  expect(done).toBeLessThan(IDLE)
  expect(await sql`select dormant from dormancy_runs`).toEqual([{ dormant: done }])
  expect(await lines()).toEqual({ lines: done, people: done })
  // As if the dead node had been silent long enough.
  const takeOver = () =>
    sql`update background_tasks set heartbeat_at = now() - interval '1 minute' where state = 'running'`
  expect(await dormancyNight(server, async () => takeOver())).toMatchObject({
    state: 'done',
    result: { dormant: IDLE },
  })
  expect(await lines()).toEqual({ lines: IDLE, people: IDLE })
  expect(await dormancyNight(server)).toMatchObject({ state: 'done', result: { dormant: 0, locked: 0, told: 0 } })
  expect(await lines()).toEqual({ lines: IDLE, people: IDLE })
})
