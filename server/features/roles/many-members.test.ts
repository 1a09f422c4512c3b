import { expect, onTestFinished, test } from 'vitest'
import type { Role, RoleDetails } from '#shared/contract/roles.ts'
import { hold } from '../../testing/lock-waits.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startNode } from '../../testing/process.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { runTasks, taskEnd } from '../../testing/tasks.ts'
import { removeMembersTask } from './index.ts'

const PEOPLE = 2600
const STEP = 1000

/** A role with many members, of whom 300 are called Ann. */
async function crowd(server: TestServer, page: Portal) {
  const { sql } = server.platform
  const role = await page.call<{ id: string }>('/role/create/', { body: { code: 'crowd', name: 'Crowd' } })
  const { id } = role.data
  await sql`
    insert into users (id, account, name, created_at, updated_at)
    select gen_random_uuid(), 'm' || n, case when n <= 300 then 'Ann' else 'Bob' end, now(), now()
    from generate_series(1, ${PEOPLE}) n`
  await sql`insert into role_members (role_id, user_id) select ${id}, id from users where account ~ '^m[0-9]'`
  const people = async () => (await page.call<RoleDetails>(`/role/${id}/details/`)).data.people
  const remove = (search: string, expected: number) =>
    page.call<{ changed: number; taskId: string | null }>(`/role/${id}/member/remove/`, {
      body: { kind: 'user', selection: { all: { search }, expected } },
    })
  return { id, people, remove }
}

/** The second step waits for one of its people until it is released. */
const holdSecondStep = ({ platform }: TestServer, roleId: string) =>
  hold(
    platform.sql,
    (sql) => sql`
      select from role_members where role_id = ${roleId} and user_id = (
        select user_id from role_members where role_id = ${roleId} order by user_id limit 1 offset ${STEP + 10})
      for update`,
    '%delete from role_members%',
  )

test('a few members of a search leave at once, thousands in the background, each with a line', async () => {
  const server = await testServer()
  const page = await openPortal(server, { isSuperUser: true })
  const { id, people, remove } = await crowd(server, page)
  expect((await remove('ann', 300)).data).toMatchObject({ changed: 300, taskId: null })
  const wrong = await remove('', PEOPLE)
  expect([wrong.status, wrong.envelope.code]).toEqual([409, 'role.members-changed'])
  const { data } = await remove('', PEOPLE - 300)
  expect(data).toMatchObject({ changed: 0, taskId: expect.any(String) })
  expect(await people()).toBe(PEOPLE - 300)
  await runTasks(server, [removeMembersTask])
  const end = await taskEnd(server, data.taskId ?? '')
  expect(end).toMatchObject({ state: 'done', done: PEOPLE - 300, result: { changed: PEOPLE - 300 } })
  expect(await people()).toBe(0)
  const [lines] = await server.platform.sql`
    select count(*)::int as lines, count(distinct user_id)::int as people from audit_records
    where action = 'role.leave' and target_id = ${id}`
  expect(lines).toEqual({ lines: PEOPLE, people: PEOPLE })
})

test('stopped in the middle whole steps are done, and it goes on when it is asked again', async () => {
  const server = await testServer()
  const page = await openPortal(server, { isSuperUser: true })
  const { id, people, remove } = await crowd(server, page)
  const held = await holdSecondStep(server, id)
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

test('a node that is killed in the middle leaves whole steps; another goes on, and nobody leaves twice', {
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
  const held = await holdSecondStep(server, id)
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

test('who is no super user any more takes the role from nobody else', async () => {
  const server = await testServer()
  const page = await openPortal(server, { isSuperUser: true })
  const { id, remove } = await crowd(server, page)
  const held = await holdSecondStep(server, id)
  const { taskId } = (await remove('', PEOPLE)).data
  await runTasks(server, [removeMembersTask])
  await held.reached()
  const { sql } = server.platform
  await sql`update users set is_super_user = false where id = ${page.user.userId}`
  await held.release()
  expect(await taskEnd(server, taskId ?? '')).toMatchObject({ state: 'failed', error: 'permission.denied' })
  // The step that waited is undone with it.
  expect(await sql`select from role_members where role_id = ${id}`).toHaveLength(PEOPLE - STEP)
  const other = await openPortal(server, { isSuperUser: true })
  const roles = await other.call<{ records: Role[] }>('/role/query/')
  expect(roles.data.records).toMatchObject([{ people: PEOPLE - STEP }])
})
