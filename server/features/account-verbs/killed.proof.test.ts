import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { BatchAnswer } from '#shared/contract/user-verbs.ts'
import { openPortal } from '../../testing/portal.ts'
import { startNode } from '../../testing/process.ts'
import { PEOPLE, school } from '../../testing/school.ts'
import { testServer } from '../../testing/server.ts'
import { runTasks, taskEnd } from '../../testing/tasks.ts'
import { batchChangeTask } from './index.ts'

const MANY = 8000

test('a node killed while it reactivates all matches leaves only whole steps; another continues, and nobody is reactivated twice', {
  timeout: 120_000,
}, async () => {
  const server = await testServer()
  const { sql, config } = server.platform
  const { organizationId } = await school(server)
  const page = await openPortal(server, { isSuperUser: true })
  const node = await startNode({
    DATABASE_URL: config.databaseUrl ?? '',
    SECRET_KEY: 'a test key of more than thirty-two characters',
  })
  onTestFinished(() => void node.process.kill('SIGKILL'))
  await sql`
    insert into users (id, account, name, organization_id, created_at, updated_at, dormant_since)
    select gen_random_uuid(), 'n' || n, 'N' || n, ${organizationId('cs')}, now(), now(), now() from generate_series(1, ${MANY}) n`
  const left = async () => (await sql`select from users where dormant_since is not null`).length
  const lines = async () => {
    const [found] = await sql`
      select count(*)::int as lines, count(distinct target_id)::int as people from audit_records where action = 'account.wake'`
    return found
  }
  const selection = { all: { dormancy: 'dormant' }, expected: MANY }
  const body = { selection, verb: 'wake' }
  const { taskId } = (await page.call<BatchAnswer>(`${PEOPLE}/batch_lift/`, { body })).data
  while ((await left()) === MANY) await pause(5)
  node.process.kill('SIGKILL')
  await node.ended
  const woken = MANY - (await left())
  expect(woken).toBeLessThan(MANY)
  expect(await lines()).toEqual({ lines: woken, people: woken })
  // As if the dead node had been silent long enough.
  await sql`update background_tasks set heartbeat_at = now() - interval '1 minute' where state = 'running'`
  await runTasks(server, [batchChangeTask])
  const end = await taskEnd(server, taskId ?? '')
  expect(end).toMatchObject({ state: 'done', result: { changed: MANY - woken, unchanged: woken, refusedCount: 0 } })
  expect(await left()).toBe(0)
  expect(await lines()).toEqual({ lines: MANY, people: MANY })
  // Killed after the last step, before the task was marked as done.
  await sql`update background_tasks set state = 'queued', result = null, finished_at = null where id = ${taskId}`
  expect(await taskEnd(server, taskId ?? '')).toMatchObject({ state: 'done', result: { changed: 0, unchanged: MANY } })
  expect(await lines()).toEqual({ lines: MANY, people: MANY })
})
