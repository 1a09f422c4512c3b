import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { ENDING_HANDLERS } from '../../ending-handlers.ts'
import { details, faculty, merge, STEP } from '../../testing/faculty.ts'
import { openPortal } from '../../testing/portal.ts'
import { startNode } from '../../testing/process.ts'
import { testServer } from '../../testing/server.ts'
import { runTasks, taskEnd } from '../../testing/tasks.ts'
import { organizationTasks } from './index.ts'

test('a node killed in the middle leaves only whole steps; another continues, and nobody is moved twice', {
  timeout: 120_000,
}, async () => {
  const people = 8000
  const server = await testServer()
  const { sql } = server.platform
  const page = await openPortal(server, { isSuperUser: true })
  const env = {
    DATABASE_URL: server.platform.config.databaseUrl ?? '',
    SECRET_KEY: 'a test key of more than thirty-two characters',
  }
  // Before there are records: nodes create their partitions first.
  const node = await startNode(env)
  const place = await faculty(server, people)
  const { id, left } = place
  onTestFinished(() => void node.process.kill('SIGKILL'))
  const taskId = await merge(page, place)
  while ((await left()) === people) await pause(5)
  node.process.kill('SIGKILL')
  await node.ended
  const moved = people - (await left())
  const [lines] = await sql<{ count: number }[]>`
    select count(*)::int as count from audit_records where action = 'account.update'`
  const [task] = await sql<
    { done: number; state: string }[]
  >`select done, state from background_tasks where id = ${taskId}`
  expect(task).toEqual({ state: 'running', done: moved })
  expect(moved % STEP).toBe(0)
  // The deleted person has no record.
  expect([moved, moved - 1]).toContain(lines?.count)
  expect((await details(page, id('old'))).ending).not.toBeNull()
  await sql`update background_tasks set heartbeat_at = now() - interval '1 minute' where id = ${taskId}`
  await runTasks(server, organizationTasks(ENDING_HANDLERS))
  expect(await taskEnd(server, taskId)).toMatchObject({ state: 'done', result: { people: people - 1, gone: true } })
  const [twice] = await sql`
    select count(*)::int as lines, count(distinct target_id)::int as people from audit_records where action = 'account.update'`
  expect(twice).toEqual({ lines: people - 1, people: people - 1 })
  // Killed after the last transaction, before the task was marked as done.
  await sql`update background_tasks set state = 'queued', result = null, finished_at = null where id = ${taskId}`
  expect(await taskEnd(server, taskId)).toMatchObject({ state: 'done', result: { people: people - 1, gone: true } })
})
