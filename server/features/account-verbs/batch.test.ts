import { expect, test, vi } from 'vitest'
import type { BatchAnswer } from '#shared/contract/user-verbs.ts'
import { declaredErrors } from '../../platform/errors.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { PEOPLE, school } from '../../testing/school.ts'
import { testServer } from '../../testing/server.ts'
import { runTasks, taskEnd } from '../../testing/tasks.ts'
import { startTasks } from '../background-tasks/index.ts'
import { batchChangeTask } from './index.ts'

test('a bulk change of more than a thousand people continues in the background, and misses nobody', async () => {
  const server = await testServer()
  const { organizationId } = await school(server)
  const { sql, now } = server.platform
  await sql`
    insert into users (id, account, name, organization_id, created_at, updated_at)
    select gen_random_uuid(), 'n' || n, 'N' || n, ${organizationId('cs')}, ${now()}, ${now()} from generate_series(1, 1200) n`
  const page = await openPortal(server, { isSuperUser: true })
  const selection = { all: { organizationId: organizationId('cs'), state: 'enabled' }, expected: 1202 }
  const answer = await page.call<BatchAnswer>(`${PEOPLE}/batch_change/`, { body: { selection, verb: 'disable' } })
  expect(answer.data).toMatchObject({ changed: 0, taskId: expect.any(String) })
  const runner = await startTasks(server.platform, [batchChangeTask])
  try {
    await vi.waitFor(
      async () => {
        const [task] = await sql`select state, result from background_tasks where id = ${answer.data.taskId}`
        expect(task).toMatchObject({ state: 'done', result: { changed: 1202, refusedCount: 0 } })
      },
      { timeout: 20_000, interval: 100 },
    )
  } finally {
    await runner.stop()
  }
  const [left] =
    await sql`select count(*)::int as count from users where enabled and organization_id = ${organizationId('cs')}`
  expect(left?.['count']).toBe(0)
}, 40_000)

test('a person for whom a value is invalid is reported with an error code of the contract and the field', async () => {
  const server = await testServer()
  const { organizationId, id, category } = await school(server)
  const page = await openPortal(server, { isSuperUser: true })
  const dean = await openPortal(server, { permissions: ['edit'], administers: organizationId('cs') })
  const set = async (by: Portal, fields: object, ids = [id('20260001')]) =>
    (await by.call<BatchAnswer>(`${PEOPLE}/batch_update/`, { body: { selection: { ids }, fields } })).data.refused
  const refused = [
    ...(await set(page, { categoryId: organizationId('cs') })),
    ...(await set(page, { validFrom: '2030-01-01T00:00:00Z', validUntil: '2029-01-01T00:00:00Z' })),
    ...(await set(dean, { organizationId: organizationId('art') })),
    ...(await set(dean, { categoryId: category }, [id('20260003')])),
  ]
  expect(refused.map(({ code, message }) => [code, message])).toEqual([
    ['request.invalid', 'Category: Not found, or not administered by you.'],
    ['request.invalid', 'Valid until: Must be after the start.'],
    ['request.invalid', 'Department: Not found, or not administered by you.'],
    ['user.not-found', "This person doesn't exist, or you don't administer them."],
  ])
  for (const { code } of refused) expect(declaredErrors().has(code)).toBe(true)
})

test('thousands of search results are added to a role at once, and the result says for each whether they are new', async () => {
  const server = await testServer()
  const { organizationId } = await school(server)
  const { sql, now } = server.platform
  await sql`
    insert into users (id, account, name, organization_id, created_at, updated_at)
    select gen_random_uuid(), 'n' || n, 'N' || n, ${organizationId('cs')}, ${now()}, ${now()} from generate_series(1, 1200) n`
  const page = await openPortal(server, { isSuperUser: true })
  const role = await page.call<{ id: string }>('/role/create/', { body: { code: 'everybody', name: 'Everybody' } })
  const roleId = role.data.id
  const join = (body: object) =>
    page.call<BatchAnswer>(`${PEOPLE}/batch_role/`, { body: { roleId, verb: 'join', ...body } })
  const [some] = await sql<{ ids: string[] }[]>`
    select array_agg(id) as ids from users where account ~ '^n[12]$'`
  const ids = [...(some?.ids ?? []), roleId]
  expect((await join({ selection: { ids }, dryRun: true })).data).toMatchObject({ changed: 2, refusedCount: 1 })
  expect((await join({ selection: { ids } })).data).toMatchObject({
    changed: 2,
    unchanged: 0,
    refused: [{ id: roleId, code: 'user.not-found' }],
  })
  expect((await join({ selection: { ids } })).data).toMatchObject({ changed: 0, unchanged: 2 })
  const selection = { all: { organizationId: organizationId('cs'), state: 'enabled' }, expected: 1202 }
  await runTasks(server, [batchChangeTask])
  const { taskId } = (await join({ selection })).data
  const end = await taskEnd(server, taskId ?? '')
  expect(end).toMatchObject({ state: 'done', result: { changed: 1200, unchanged: 2, refusedCount: 0 } })
  expect((await page.call(`/role/${roleId}/details/`)).data).toMatchObject({ people: 1202 })
  const lines = await sql`select count(distinct user_id)::int as people from audit_records where action = 'role.join'`
  expect(lines[0]).toEqual({ people: 1202 })
  const gone = await join({ roleId: ids[0] ?? '', selection: { ids } })
  expect([gone.status, gone.envelope.code]).toEqual([404, 'role.not-found'])
}, 40_000)

test('only people whose lock, freeze or exemption is new are reported as reversible', async () => {
  const server = await testServer()
  const { id } = await school(server)
  const page = await openPortal(server, { isSuperUser: true })
  const until = new Date(server.platform.now().getTime() + 3_600_000).toISOString()
  const ids = [id('20260001'), id('20260002')]
  const change = async (verb: string, people: string[], more: object = {}) => {
    const body = { selection: { ids: people }, verb, ...more }
    const { changed, reversibleIds } = (await page.call<BatchAnswer>(`${PEOPLE}/batch_change/`, { body })).data
    return { changed, reversibleIds }
  }
  for (const verb of ['lock', 'freeze', 'exempt']) {
    expect(await change(verb, ids.slice(0, 1), { until })).toEqual({ changed: 1, reversibleIds: ids.slice(0, 1) })
    expect(await change(verb, ids)).toEqual({ changed: 2, reversibleIds: ids.slice(1) })
    expect(await change(verb, ids)).toEqual({ changed: 0, reversibleIds: [] })
  }
  expect(await change('disable', ids)).toEqual({ changed: 2, reversibleIds: ids })
})
