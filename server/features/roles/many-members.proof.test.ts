import { expect, onTestFinished, test } from 'vitest'
import { openPortal } from '../../testing/portal.ts'
import { startNode } from '../../testing/process.ts'
import { crowd, holdSecondBatch, PEOPLE, STEP } from '../../testing/role-members.ts'
import { testServer } from '../../testing/server.ts'
import { runTasks, taskEnd } from '../../testing/tasks.ts'
import { removeMembersTask } from './index.ts'

test('a node killed in the middle leaves only whole steps; another continues, and nobody is removed twice', {
  timeout: 120_000,
}, async () => {
  const server = await testServer()
  const { sql } = server.platform
  const env = {
    DATABASE_URL: server.platform.config.databaseUrl ?? '',
    SECRET_KEY: 'a test key of more than thirty-two characters',
  }
  const node = await startNode(env)
  onTestFinished(() => void node.process.kill('SIGKILL'))
  const page = await openPortal(server, { isSuperUser: true })
  const { id, people, remove } = await crowd(server, page)
  const held = await holdSecondBatch(server, id)
  const { taskId } = (await remove('', PEOPLE)).data
  await held.reached()
  node.process.kill('SIGKILL')
  await node.ended
  await held.release()
  expect(await people()).toBe(PEOPLE - STEP)
  await sql`update background_tasks set heartbeat_at = now() - interval '1 minute' where id = ${taskId}`
  await runTasks(server, [removeMembersTask])
  expect(await taskEnd(server, taskId ?? '')).toMatchObject({ state: 'done', result: { changed: PEOPLE } })
  expect(await people()).toBe(0)
  const [lines] = await sql`
    select count(*)::int as lines, count(distinct user_id)::int as people from audit_records where action = 'role.leave'`
  expect(lines).toEqual({ lines: PEOPLE, people: PEOPLE })
})
