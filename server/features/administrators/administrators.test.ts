import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import type { Administrator, MyAdministration } from '#shared/contract/administrators.ts'
import { insertAppointment, insertPerson, openPortal, type Portal } from '../../testing/portal.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { setPolicy } from '../../testing/sign-in.ts'

type Listing = { records: Administrator[]; total: number }
const LIST = '/administrator_manage/query/'
const list = async (page: Portal, query = '') => (await page.call<Listing>(LIST + query)).data
const DAY = 86_400_000
const inDays = (server: TestServer, days: number) =>
  new Date(server.platform.now().getTime() + days * DAY).toISOString()

async function addOrganization(server: TestServer, code: string, parent?: string) {
  const id = v7()
  const { sql, now } = server.platform
  await sql`
    insert into organizations (id, code, name, names, parent_id, ancestor_ids, created_at, updated_at)
    values (${id}, ${code}, ${`Name of ${code}`}, '{"zh_CN": "院系"}', ${parent ?? null},
      (select coalesce((select ancestor_ids from organizations where id = ${parent ?? null}::uuid), '{}') || ${id}::uuid), ${now()}, ${now()})`
  return id
}

async function school() {
  const server = await testServer()
  const root = await openPortal(server, { account: 'root', isSuperUser: true })
  const top = await addOrganization(server, 'school')
  const cs = await addOrganization(server, 'cs', top)
  const userId = await insertPerson(server, { account: 'dean' })
  const appoint = (body: object = {}) =>
    root.call<Administrator>('/administrator_manage/create/', {
      body: { userId, organizationId: cs, permissions: ['unlock'], ...body },
    })
  return { server, root, top, cs, userId, appoint }
}

const lines = (server: TestServer) => server.platform.sql`
  select action, target_kind as kind, user_id, before, after, reason from audit_records
  where target_kind = 'appointment' order by id`

test('a super user appoints a person for a department: listed with path, permissions and period, and recorded', async () => {
  const { server, root, cs, userId, appoint } = await school()
  const validUntil = inDays(server, 30)
  const answer = await appoint({ permissions: ['reset', 'edit', 'edit'], validUntil, reason: 'New dean' })
  expect(answer.status).toBe(200)
  const expected = {
    id: answer.data.id,
    kind: 'appointed',
    userId,
    account: 'dean',
    organizationId: cs,
    organizationPath: ['Name of school', 'Name of cs'],
    permissions: ['edit', 'reset'],
    validFrom: null,
    validUntil,
    state: 'holds',
    grantedBy: 'Name of root',
    version: 1,
  }
  expect(answer.data).toMatchObject(expected)
  const { records, total } = await list(root, '?kind=appointed')
  expect([records, total]).toEqual([[answer.data], 1])
  const details = await root.call<Administrator>(`/administrator_manage/${answer.data.id}/details/`, {
    headers: { 'accept-language': 'zh-CN' },
  })
  expect(details.data.organizationPath).toEqual(['院系', '院系'])
  const written = { account: 'dean', organization: 'cs', permissions: ['edit', 'reset'], validFrom: null, validUntil }
  expect(await lines(server)).toEqual([
    {
      action: 'appointment.create',
      kind: 'appointment',
      userId,
      before: null,
      after: { ...written, organizationId: cs },
      reason: 'New dean',
    },
  ])
})

test('the list finds super users and administrators by kind, by person and by place', async () => {
  const { server, root, top, cs, appoint } = await school()
  const other = await addOrganization(server, 'physics', top)
  await appoint()
  const later = await insertPerson(server, { account: 'later' })
  await appoint({ userId: later, organizationId: other, permissions: [], validFrom: inDays(server, 1) })
  const over = await insertPerson(server, { account: 'over' })
  await appoint({ userId: over, permissions: ['edit'], validUntil: inDays(server, 2) })
  const gone = await insertPerson(server, { account: 'gone' })
  await appoint({ userId: gone })
  await server.platform.sql`update users set enabled = false where id = ${gone}`
  server.advance(3 * 86_400)
  const again = await openPortal(server, { userId: root.user.userId })
  const found = async (query: string) => (await list(again, query)).records.map(({ account }) => account)
  expect(await found('')).toEqual(['dean', 'gone', 'later', 'over', 'root'])
  expect(await found('?sort=-account&pageSize=2&pageIndex=3')).toEqual(['dean'])
  expect(await found('?kind=super')).toEqual(['root'])
  expect(await found('?state=over')).toEqual(['over'])
  expect(await found('?state=dormant')).toEqual(['gone'])
  expect(await found('?state=planned')).toEqual([])
  expect(await found('?permission=unlock')).toEqual(['dean', 'gone', 'root'])
  expect(await found(`?organizationId=${cs}`)).toEqual(['dean', 'gone', 'over', 'root'])
  expect(await found(`?organizationId=${other}`)).toEqual(['later', 'root'])
  expect(await found('?search=physics')).toEqual(['later'])
  expect(await found('?search=DEA')).toEqual(['dean'])
})

test('an invalid appointment is rejected, and nothing is written', async () => {
  const { server, root, top, appoint } = await school()
  const nobody = v7()
  const disabled = await insertPerson(server, { account: 'disabled' })
  const deleted = await insertPerson(server, { account: 'deleted' })
  await server.platform.sql`update users set enabled = false where id = ${disabled}`
  await server.platform.sql`update users set deleted_at = now() where id = ${deleted}`
  const refusals: [object, number, string][] = [
    [{ userId: nobody }, 404, 'administrator.person-unknown'],
    [{ userId: deleted }, 404, 'administrator.person-unknown'],
    [{ userId: disabled }, 409, 'administrator.person-disabled'],
    [{ userId: root.user.userId }, 409, 'administrator.is-super-user'],
    [{ organizationId: nobody }, 404, 'administrator.organization-unknown'],
    [{ validUntil: inDays(server, -1) }, 400, 'administrator.period-over'],
    [{ validFrom: inDays(server, 2), validUntil: inDays(server, 1) }, 400, 'administrator.period-reversed'],
    [{ permissions: ['superUser'] }, 400, 'request.invalid'],
    [{ isSuperUser: true }, 400, 'request.invalid'],
  ]
  for (const [body, status, code] of refusals) {
    const { envelope } = await appoint(body)
    expect([body, envelope.state, envelope.code]).toEqual([body, status, code])
  }
  expect(await lines(server)).toEqual([])
  await appoint()
  expect((await appoint()).envelope.code).toBe('administrator.exists')
  expect((await appoint({ organizationId: top })).status).toBe(200)
})

test('of two changes of the same appointment the later one is shown the first', async () => {
  const { server, root, appoint } = await school()
  const { id } = (await appoint()).data
  const change = (body: object) => root.call<Administrator>(`/administrator_manage/${id}/update/`, { body })
  const first = await change({ version: 1, permissions: ['edit'], validUntil: inDays(server, 9) })
  expect(first.data).toMatchObject({ permissions: ['edit'], version: 2 })
  const second = await change({ version: 1, permissions: [] })
  expect([second.status, second.envelope.code]).toEqual([409, 'version.conflict'])
  expect(second.data).toEqual({ current: first.data })
  expect(await lines(server)).toHaveLength(2)
  const [, line] = await lines(server)
  expect(line).toMatchObject({
    before: { permissions: ['unlock'], validUntil: null },
    after: { permissions: ['edit'] },
  })
  expect(
    (await root.call(`/administrator_manage/${v7()}/update/`, { body: { version: 1, permissions: [] } })).status,
  ).toBe(404)
})

test('appointments are renewed together, or not at all', async () => {
  const { server, root, top, appoint } = await school()
  const { id } = (await appoint({ validUntil: inDays(server, 1) })).data
  const planned = (await appoint({ organizationId: top, validFrom: inDays(server, 20) })).data.id
  const renew = (ids: string[], validUntil: string | null) =>
    root.call('/administrator_manage/renew/', { body: { ids, validUntil } })
  expect((await renew([id, v7()], inDays(server, 9))).envelope.code).toBe('administrator.not-found')
  expect((await renew([id], inDays(server, -1))).envelope.code).toBe('administrator.period-over')
  expect((await renew([id, planned], inDays(server, 9))).envelope.code).toBe('administrator.period-reversed')
  expect(await lines(server)).toHaveLength(2)
  const end = inDays(server, 400)
  expect((await renew([id, id, planned], end)).data).toEqual({ changed: 2 })
  const renewed = (await lines(server)).slice(2)
  expect(renewed.map(({ before, after }) => [before.validUntil === null, after.validUntil])).toEqual([
    [false, end],
    [true, end],
  ])
})

test('withdrawn or expired permissions are gone with the next request, on both nodes', async () => {
  const { server, root, appoint, userId } = await school()
  const node = await server.secondNode()
  const { id } = (await appoint()).data
  const here = await openPortal(server, { userId })
  const there = await openPortal(node, { userId })
  const mine = async (page: Portal) => (await page.call<MyAdministration>('/administrator_manage/mine/')).data
  expect(here.user.permissions).toEqual(['unlock'])
  expect(await mine(there)).toEqual({
    isSuperUser: '0',
    permissions: ['unlock'],
    places: [
      {
        organizationId: expect.any(String),
        organization: 'Name of cs',
        permissions: ['unlock'],
        validUntil: null,
      },
    ],
  })
  expect((await root.call('/administrator_manage/withdraw/', { body: { ids: [id, v7()] } })).data).toEqual({
    withdrawn: 1,
  })
  for (const page of [here, there])
    expect(await mine(page)).toEqual({ isSuperUser: '0', permissions: null, places: [] })
  expect(await mine(root)).toMatchObject({ isSuperUser: '1', places: [] })

  await appoint({ permissions: ['edit'], validUntil: new Date(server.platform.now().getTime() + 60_000).toISOString() })
  expect((await mine(there)).permissions).toEqual(['edit'])
  server.advance(61)
  for (const page of [here, there]) expect((await mine(page)).permissions).toBeNull()
})

test('only super users appoint, whatever permissions others have', async () => {
  const { server, cs, userId } = await school()
  const dean = await openPortal(server, {
    account: 'head',
    permissions: ['edit', 'unlock', 'reset', 'import', 'authorise'],
    administers: cs,
  })
  const { sql } = server.platform
  const [own] = await sql<{ id: string }[]>`select id from appointments`
  const count = async () =>
    (await sql`select user_id, permissions, valid_until from appointments`).map((row) => ({ ...row }))
  const before = await count()
  const attempts: [string, object | undefined][] = [
    [LIST, undefined],
    [`/administrator_manage/${own?.id}/details/`, undefined],
    ['/administrator_manage/create/', { userId: dean.user.userId, organizationId: cs, permissions: ['edit'] }],
    ['/administrator_manage/create/', { userId, organizationId: cs, permissions: ['edit'] }],
    [`/administrator_manage/${own?.id}/update/`, { version: 1, permissions: ['edit'] }],
    ['/administrator_manage/renew/', { ids: [own?.id], validUntil: null }],
    ['/administrator_manage/withdraw/', { ids: [own?.id] }],
  ]
  for (const [path, body] of attempts) {
    const { status, envelope } = await dean.call(path, body ? { body } : {})
    expect([path, status, envelope.code]).toEqual([path, 403, 'permission.denied'])
  }
  expect(await count()).toEqual(before)
})

test('where super users need a second factor, so do administrators, from their appointment on', async () => {
  const { server, appoint, userId } = await school()
  const page = await openPortal(server, { userId, lacksFactor: true })
  const refused = async () => (await page.call('/administrator_manage/mine/')).envelope.code
  expect(await refused()).toBeUndefined()
  await appoint({ validFrom: inDays(server, 1) })
  expect(await refused()).toBeUndefined()
  server.advance(86_460)
  const later = await openPortal(server, { userId, lacksFactor: true })
  expect(later.user.secondFactorDue).toBe('1')
  expect((await later.call('/administrator_manage/mine/')).envelope.code).toBe('session.second-factor-required')
  await setPolicy(server, { secondFactorSuperUsers: false })
  expect((await later.call('/administrator_manage/mine/')).status).toBe(200)
})

test('the place of an administrator is located in the current tree', async () => {
  const { server, top, cs, userId } = await school()
  await insertAppointment(server, userId, { permissions: ['edit'], administers: cs })
  const page = await openPortal(server, { userId })
  const elsewhere = await addOrganization(server, 'elsewhere')
  await server.platform.sql`
    update organizations set parent_id = ${elsewhere}, ancestor_ids = array[${elsewhere}, id]::uuid[] where id = ${cs}`
  const { data } = await page.call<MyAdministration>('/administrator_manage/mine/')
  expect(data.places.map(({ organization }) => organization)).toEqual(['Name of cs'])
  await server.platform.sql`delete from organizations where id = ${cs}`
  expect((await page.call<MyAdministration>('/administrator_manage/mine/')).data.permissions).toBeNull()
  expect(top).toBeTruthy()
})
