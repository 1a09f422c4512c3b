import { expect, test } from 'vitest'
import type { OrganizationNode } from '#shared/contract/organizations.ts'
import { ENDING_HANDLERS } from '../../ending-handlers.ts'
import { change, details, type Faculty, faculty, merge, PEOPLE, STEP } from '../../testing/faculty.ts'
import { importFile } from '../../testing/imports.ts'
import { hold } from '../../testing/lock-waits.ts'
import { insertAppointment, openPortal } from '../../testing/portal.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { runTasks, taskEnd } from '../../testing/tasks.ts'
import { applyBootstrap } from '../bootstrap/index.ts'
import { importTasks } from '../user-imports/index.ts'
import { organizationTasks } from './index.ts'

/** The second of its steps waits until it is released. */
const holdSecondBatch = ({ platform }: TestServer, { id }: Faculty) =>
  hold(
    platform.sql,
    (sql) => sql`
      select from users where id = (
        select id from users where organization_id = ${id('old')} order by id limit 1 offset ${STEP + 10}) for update`,
    '%for no key update%',
  )

test('an organisation with thousands of people is merged in the background, and deleted at once when nobody is left in it', async () => {
  const server = await testServer()
  const page = await openPortal(server, { isSuperUser: true })
  const place = await faculty(server)
  const { id, left } = place
  const answer = await change(page, id('old'), 'merge', { version: 1, into: id('new') })
  expect(answer).toMatchObject({ status: 200, data: { code: 'new', people: { direct: 0 } } })
  expect(await left()).toBe(PEOPLE)
  await runTasks(server, organizationTasks(ENDING_HANDLERS))
  const end = await taskEnd(server, answer.data.taskId ?? '')
  expect(end).toMatchObject({
    state: 'done',
    result: { name: 'Old department', gone: true, people: PEOPLE - 1, secondaryMembers: 1, children: 1 },
  })
  expect(await details(page, id('new'))).toMatchObject({ people: { direct: PEOPLE - 1, all: PEOPLE - 1 }, children: 1 })
  expect((await page.call(`/organization/${id('old')}/details/`)).status).toBe(404)
  const { sql } = server.platform
  expect(await sql`select from users where organization_id = ${id('new')}`).toHaveLength(PEOPLE)
  const beside = await sql`
    select u.account from user_organizations o join users u on u.id = o.user_id where o.organization_id = ${id('new')}`
  expect(beside.map(({ account }) => account)).toEqual(['guest'])
  const [lines] = await sql`
    select count(distinct target_id)::int as people, count(*)::int as lines from audit_records where action = 'account.update'`
  expect(lines).toEqual({ people: PEOPLE - 1, lines: PEOPLE - 1 })
  const [gone] = await sql`
    select before, after from audit_records where target_id = ${id('old')} and action = 'organization.merge'`
  expect(gone).toMatchObject({ before: { name: 'Old department' }, after: { people: PEOPLE - 1, children: 1 } })
})

test('the result tells a scoped administrator nothing about secondary members from elsewhere', async () => {
  const server = await testServer()
  const place = await faculty(server)
  const { sql } = server.platform
  await applyBootstrap(
    server.platform,
    {
      organizations: [{ code: 'elsewhere', name: 'Elsewhere' }],
      users: [{ account: 'far', name: 'Far', organization: 'elsewhere' }],
    },
    { source: 'test' },
  )
  await sql`insert into user_organizations (user_id, organization_id) select id, ${place.id('old')} from users where account = 'far'`
  const page = await openPortal(server, { permissions: ['edit'], administers: place.id('faculty') })
  const taskId = await merge(page, place)
  await runTasks(server, organizationTasks(ENDING_HANDLERS))
  expect(await taskEnd(server, taskId)).toMatchObject({
    total: PEOPLE + 2,
    result: { people: PEOPLE - 1, secondaryMembers: 1 },
  })
  // The audit records, which only super users read, count everybody.
  const [line] = await sql<{ after: object }[]>`
    select after from audit_records where action = 'organization.merge' and target_id = ${place.id('old')}`
  expect(line?.after).toMatchObject({ people: PEOPLE - 1, secondaryMembers: 2 })
  const beside = await sql`
    select u.account from user_organizations o join users u on u.id = o.user_id where o.organization_id = ${place.id('new')}`
  expect(beside.map(({ account }) => account).toSorted()).toEqual(['far', 'guest'])
})

test('an ending organisation accepts nobody and can not be changed; its successor can not be deleted', async () => {
  const server = await testServer()
  await runTasks(server, importTasks)
  const page = await openPortal(server, { isSuperUser: true })
  const place = await faculty(server)
  const { id } = place
  const taskId = await merge(page, place)
  const ending = { kind: 'merge', taskId }
  expect(await details(page, id('old'))).toMatchObject({ ending })
  const nodes = await page.call<{ records: OrganizationNode[] }>(`/organization/children/?parentId=${id('faculty')}`)
  expect(nodes.data.records.map((node) => [node.code, node.ending])).toEqual([
    ['old', ending],
    ['new', null],
    ['other', null],
  ])
  const refusals: [string, string, object][] = [
    ['old', 'update', { version: 1, name: 'Renamed' }],
    ['old', 'move', { version: 1, parentId: id('new') }],
    ['old', 'merge', { version: 1, into: id('other') }],
    ['old', 'delete', { version: 1, peopleTo: id('other'), childrenTo: id('other') }],
    ['other', 'move', { version: 1, parentId: id('old') }],
    ['other', 'move', { version: 1, parentId: id('section') }],
    ['other', 'merge', { version: 1, into: id('old') }],
  ]
  for (const [code, verb, body] of refusals) {
    const { status, envelope } = await change(page, id(code), verb, body)
    expect([code, verb, status, envelope.code]).toEqual([code, verb, 409, 'organization.ending'])
  }
  for (const [code, verb, body] of [
    ['new', 'merge', { version: 1, into: id('other') }],
    ['new', 'delete', { version: 1 }],
    ['faculty', 'delete', { version: 1, childrenTo: id('other') }],
  ] as const) {
    const { status, envelope } = await change(page, id(code), verb, body)
    expect([code, verb, status, envelope.code]).toEqual([code, verb, 409, 'organization.takes-over'])
  }
  const create = { code: 'sub', name: 'Sub', parentId: id('old') }
  expect((await page.call('/organization/create/', { body: create })).envelope.code).toBe('organization.ending')
  const person = { account: 'late', name: 'Late', gender: 'unknown' }
  const further = { ...person, organizationId: id('other'), secondaryOrganizationIds: [id('old')] }
  for (const body of [{ ...person, organizationId: id('old') }, further]) {
    const answer = await page.call('/user_information/create/', { body })
    expect([answer.status, JSON.stringify(answer.envelope)]).toEqual([
      400,
      expect.stringContaining("doesn't accept new people"),
    ])
  }
  const run = await importFile(page, 'account,name,department\nlate,Late,old\n')
  expect(run.counts).toMatchObject({ new: 0, bad: 1 })
  const choosable = await page.call<{ records: { code: string }[] }>('/organization/search/?search=department&for=edit')
  expect(choosable.data.records.map(({ code }) => code)).toEqual(['new', 'other'])
  // Cancelled before it began: there is nothing to clean up.
  await page.call(`/background_task/${taskId}/cancel/`, { body: {} })
  expect((await change(page, id('old'), 'update', { version: 1, name: 'Renamed' })).status).toBe(200)
})

test('a merge stopped halfway leaves an organisation with the remaining people, and can be requested again', async () => {
  const server = await testServer()
  const page = await openPortal(server, { isSuperUser: true })
  const place = await faculty(server)
  const { id, left } = place
  const held = await holdSecondBatch(server, place)
  const taskId = await merge(page, place)
  await runTasks(server, organizationTasks(ENDING_HANDLERS))
  await held.reached()
  await page.call(`/background_task/${taskId}/cancel/`, { body: {} })
  await held.release()
  expect(await taskEnd(server, taskId)).toMatchObject({ state: 'cancelled', result: { gone: false } })
  expect(await left()).toBe(PEOPLE - 2 * STEP)
  expect(await details(page, id('old'))).toMatchObject({ ending: null, children: 1, version: 1 })
  await taskEnd(server, await merge(page, place))
  expect((await page.call(`/organization/${id('old')}/details/`)).status).toBe(404)
  expect((await details(page, id('new'))).people.direct).toBe(PEOPLE - 1)
})

test('an owner who loses the permission in the middle gets no further, and is told why', async () => {
  const server = await testServer()
  const place = await faculty(server)
  const { id, left } = place
  const page = await openPortal(server, { permissions: ['edit'], administers: id('faculty') })
  const held = await holdSecondBatch(server, place)
  const taskId = await merge(page, place)
  expect((await details(page, id('old'))).ending).toEqual({ kind: 'merge', taskId })
  const colleague = await openPortal(server, { permissions: ['edit'], administers: id('faculty') })
  expect((await details(colleague, id('old'))).ending).toEqual({ kind: 'merge', taskId: null })
  await runTasks(server, organizationTasks(ENDING_HANDLERS))
  await held.reached()
  await server.platform.sql`delete from appointments where user_id = ${page.user.userId}`
  await insertAppointment(server, page.user.userId, { permissions: ['edit'], administers: id('old') })
  await held.release()
  expect(await taskEnd(server, taskId)).toMatchObject({ state: 'failed', error: 'organization.outside' })
  expect(await left()).toBe(PEOPLE - 2 * STEP)
  const task = await page.call<{ error: { message: string } }>(`/background_task/${taskId}/details/`)
  expect(task.data.error.message).toContain('Old department')
})

test('a person of higher rank among the people stops it before anybody is moved', async () => {
  const server = await testServer()
  const place = await faculty(server)
  const page = await openPortal(server, { permissions: ['edit'], administers: place.id('faculty') })
  await server.platform.sql`update users set is_super_user = true where account = 'p9'`
  const answer = await change(page, place.id('old'), 'merge', { version: 1, into: place.id('new') })
  expect(answer).toMatchObject({ status: 403, envelope: { code: 'organization.super-user-only' } })
  expect(await server.platform.sql`select from background_tasks`).toHaveLength(0)
})

test('a large organisation is deleted in the background, and its people and organisations are moved as requested', async () => {
  const server = await testServer()
  const page = await openPortal(server, { isSuperUser: true })
  const place = await faculty(server)
  const { id } = place
  await runTasks(server, organizationTasks(ENDING_HANDLERS))
  // Into a direct child, which moves up meanwhile.
  const body = { version: 1, peopleTo: id('section'), childrenTo: id('other') }
  const { data } = await change(page, id('old'), 'delete', body)
  expect(await taskEnd(server, data.taskId ?? '')).toMatchObject({
    state: 'done',
    result: { gone: true, people: PEOPLE - 1, children: 1 },
  })
  expect(await details(page, id('section'))).toMatchObject({ people: { direct: PEOPLE - 1 }, parentId: id('other') })
  // Only deleted people are left in it: they move up.
  await server.platform.sql`update users set deleted_at = now() where organization_id = ${id('section')}`
  const empty = await change(page, id('section'), 'delete', { version: 2 })
  expect(await taskEnd(server, empty.data.taskId ?? '')).toMatchObject({ state: 'done', result: { people: 0 } })
  expect(await server.platform.sql`select from users where organization_id = ${id('other')}`).toHaveLength(PEOPLE + 1)
})
