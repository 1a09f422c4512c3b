import { expect, test } from 'vitest'
import type { BackgroundTask } from '#shared/contract/background-tasks.ts'
import type { BatchAnswer } from '#shared/contract/user-verbs.ts'
import { openPortal } from '../../testing/portal.ts'
import { PEOPLE, school } from '../../testing/school.ts'
import { testServer } from '../../testing/server.ts'
import { runTasks, taskEnd } from '../../testing/tasks.ts'
import { batchChangeTask } from './index.ts'

/** A dean who has requested to disable 1,300 people, which waits for the background task. */
async function waiting() {
  const server = await testServer()
  const { organizationId, id } = await school(server)
  const { sql, now } = server.platform
  await sql`
    insert into users (id, account, name, organization_id, created_at, updated_at)
    select gen_random_uuid(), 'n' || n, 'N' || n, ${organizationId('cs')}, ${now()}, ${now()} from generate_series(1, 1298) n`
  const root = await openPortal(server, { account: 'root', isSuperUser: true })
  const dean = await openPortal(server, { account: 'dean', permissions: ['edit'], administers: organizationId('cs') })
  const selection = { all: { organizationId: organizationId('cs') }, expected: 1300 }
  const asked = await dean.call<BatchAnswer>(`${PEOPLE}/batch_change/`, { body: { selection, verb: 'disable' } })
  const taskId = asked.data.taskId ?? ''
  const run = async () => {
    await runTasks(server, [batchChangeTask])
    return await taskEnd(server, taskId)
  }
  const disabled = async () => (await sql`select 1 from users where not enabled`).length
  return { server, root, dean, organizationId, id, taskId, run, disabled }
}

test('a queued task does not start if its owner administers nothing any more by then', async () => {
  const { server, root, taskId, run, disabled } = await waiting()
  const [row] = await server.platform.sql<{ id: string }[]>`select id from appointments`
  await root.call('/administrator_manage/withdraw/', { body: { ids: [row?.id] } })
  await run()
  const { data } = await root.call<BackgroundTask>(`/background_task/${taskId}/details/`)
  expect(data).toMatchObject({ state: 'failed', error: { code: 'permission.denied' } })
  expect(await disabled()).toBe(0)
})

test('it ends with the step in which its owner loses all permissions, and says so', async () => {
  const { server, root, taskId, run, disabled } = await waiting()
  const { sql } = server.platform
  // When the first people have been changed.
  await sql.unsafe(`
    create function lose_all() returns trigger language plpgsql as $$ begin delete from appointments; return null; end $$;
    create trigger lose_all after update of enabled on users for each statement execute function lose_all()`)
  await run()
  const { data } = await root.call<BackgroundTask>(`/background_task/${taskId}/details/`)
  expect(data).toMatchObject({ state: 'failed', error: { code: 'permission.denied' } })
  expect(await disabled()).toBe(500)
})

test('a person who has left the scope meanwhile is left alone, and a scope that was lost is left as it is', async () => {
  const { server, organizationId, id, run, disabled, root, dean } = await waiting()
  const { sql } = server.platform
  await sql`update users set organization_id = ${organizationId('art')} where account like 'n_'`
  await sql`update appointments set permissions = '{unlock}'`
  expect(await run()).toMatchObject({ state: 'done', result: { changed: 0, refusedCount: 1300 } })
  expect(await disabled()).toBe(0)
  await root.call(`${PEOPLE}/${id('20260001')}/update/`, {
    body: { version: 1, organizationId: organizationId('art') },
  })
  await sql`update appointments set permissions = '{edit}'`
  // Visible in the preview, out of scope during the run: as if they didn't exist.
  const selection = { ids: [id('20260001'), id('20260002')] }
  const answer = await dean.call<BatchAnswer>(`${PEOPLE}/batch_change/`, { body: { selection, verb: 'disable' } })
  expect(answer.data).toMatchObject({
    reversibleIds: [id('20260002')],
    refused: [{ id: id('20260001'), account: '', name: '', code: 'user.not-found' }],
  })
})
