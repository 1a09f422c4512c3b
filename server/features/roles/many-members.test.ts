import { expect, test } from 'vitest'
import type { Role } from '#shared/contract/roles.ts'
import { openPortal } from '../../testing/portal.ts'
import { crowd, holdSecondBatch, PEOPLE, STEP } from '../../testing/role-members.ts'
import { testServer } from '../../testing/server.ts'
import { runTasks, taskEnd } from '../../testing/tasks.ts'
import { removeMembersTask } from './index.ts'

test('a few matching members are removed at once, thousands in the background, each with a record', async () => {
  const server = await testServer()
  const page = await openPortal(server, { isSuperUser: true })
  const { id, people, remove } = await crowd(server, page)
  expect(await remove('ann', 300)).toMatchObject({ data: { changed: 300, taskId: null } })
  const wrong = await remove('', PEOPLE)
  expect([wrong.status, wrong.envelope.code]).toEqual([409, 'role.members-changed'])
  const rest = await remove('', PEOPLE - 300)
  expect(rest).toMatchObject({ data: { changed: 0, taskId: expect.any(String) } })
  expect(await people()).toBe(PEOPLE - 300)
  await runTasks(server, [removeMembersTask])
  const end = await taskEnd(server, rest.data.taskId ?? '')
  expect(end).toMatchObject({ state: 'done', done: PEOPLE - 300, result: { changed: PEOPLE - 300 } })
  expect(await people()).toBe(0)
  const [lines] = await server.platform.sql`
    select count(*)::int as lines, count(distinct user_id)::int as people from audit_records
    where action = 'role.leave' and target_id = ${id}`
  expect(lines).toEqual({ lines: PEOPLE, people: PEOPLE })
})

test('stopped in the middle whole steps are done, and it continues when requested again', async () => {
  const server = await testServer()
  const page = await openPortal(server, { isSuperUser: true })
  const { id, people, remove } = await crowd(server, page)
  const held = await holdSecondBatch(server, id)
  const { taskId } = (await remove('', PEOPLE)).data
  await runTasks(server, [removeMembersTask])
  await held.reached()
  expect(await people()).toBe(PEOPLE - STEP)
  await page.call(`/background_task/${taskId}/cancel/`, { body: {} })
  await held.release()
  expect(await taskEnd(server, taskId ?? '')).toMatchObject({ state: 'cancelled', result: { changed: 2 * STEP } })
  expect(await people()).toBe(PEOPLE - 2 * STEP)
  expect((await remove('', PEOPLE - 2 * STEP)).data).toMatchObject({ changed: PEOPLE - 2 * STEP, taskId: null })
})

test('a former super user removes the role from nobody else', async () => {
  const server = await testServer()
  const page = await openPortal(server, { isSuperUser: true })
  const { id, remove } = await crowd(server, page)
  const held = await holdSecondBatch(server, id)
  const { taskId } = (await remove('', PEOPLE)).data
  await runTasks(server, [removeMembersTask])
  await held.reached()
  const { sql } = server.platform
  await sql`update users set is_super_user = false where id = ${page.user.userId}`
  await held.release()
  expect(await taskEnd(server, taskId ?? '')).toMatchObject({ state: 'failed', error: 'permission.denied' })
  // The waiting step is rolled back with it.
  expect(await sql`select from role_members where role_id = ${id}`).toHaveLength(PEOPLE - STEP)
  const other = await openPortal(server, { isSuperUser: true })
  const roles = await other.call<{ records: Role[] }>('/role/query/')
  expect(roles.data.records).toMatchObject([{ people: PEOPLE - STEP }])
})
