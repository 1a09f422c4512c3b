import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GrantedInterface, Interface } from '#shared/contract/api-manage.ts'
import { addCasApplication } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let admin: Portal
beforeAll(async () => {
  server = await startTestServer()
  admin = await openPortal(server, { account: 'root', isSuperUser: true })
})
afterAll(() => server.close())

type Page<Row> = { records: Row[]; total: number }
const catalogue = async (query = '') => (await admin.call<Page<Interface>>(`/api_manage/query/${query}`)).data
const NOBODY = '00000000-0000-7000-8000-000000000000'

test('the catalogue is what the contract opens to applications, in the form of the picker', async () => {
  const { records, total } = await catalogue('?status=1&pageIndex=1&pageSize=100')
  const calls = server.app.surface.endpoints.filter(({ access }) => access === 'application')
  expect(records.map(({ apiId }) => apiId)).toEqual(calls.map(({ apiId }) => apiId).sort())
  expect(total).toBe(calls.length)
  expect(records.find(({ apiId }) => apiId === 'person.read')).toMatchObject({
    apiComment: 'Read one person by account or ID',
    apiPath: '/auth_service/open_api/person/',
    apiMethod: 'GET',
    status: 1,
    version: 0,
  })
  expect((await catalogue('?search=ORGANISATION&sort=-apiId')).records.map(({ apiId }) => apiId)).toEqual([
    'people.list',
    'organization.children',
  ])
  expect((await catalogue('?apiMethod=POST')).records).toMatchObject([{ apiId: 'visit.record' }])
  expect((await catalogue('?pageIndex=2&pageSize=5')).records).toHaveLength(total - 5)
  const chinese = await admin.call<Page<Interface>>('/api_manage/query/?search=查询人员', {
    headers: { 'accept-language': 'zh-CN' },
  })
  expect(chinese.data.records).toMatchObject([{ apiId: 'person.read' }])
})

test('of two people who switch an interface at once one is shown what the other did', async () => {
  const path = '/api_manage/people.list/update/'
  const answers = await Promise.all([0, 0].map((status) => admin.call(path, { body: { status, version: 0 } })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const lost = answers.find(({ status }) => status === 409)
  expect(lost?.envelope).toMatchObject({ code: 'version.conflict', data: { current: { status: 0, version: 1 } } })
  expect((await catalogue('?status=0')).records).toMatchObject([{ apiId: 'people.list' }])
  const lines = await server.platform.sql`
    select action, target_kind as kind, target_id as id, before, after from audit_records where target_kind = 'interface'`
  expect([...lines]).toEqual([
    { action: 'interface.update', kind: 'interface', id: 'people.list', before: { status: 1 }, after: { status: 0 } },
  ])
  const unknown = await admin.call('/api_manage/no.such/update/', { body: { status: 0, version: 0 } })
  expect([unknown.status, unknown.envelope.code]).toEqual([404, 'interface.not-found'])
})

test('grants are counted, limited and withdrawn, each change with all grants before and after', async () => {
  const id = await addCasApplication(server, { appId: 'library' })
  const path = `/application_interface/${id}/`
  const apiIds = ['person.read', 'people.list']
  for (const changed of [2, 0]) {
    expect((await admin.call(`${path}grant/`, { body: { apiIds } })).data).toEqual({ changed })
  }
  const limited = await admin.call<GrantedInterface>(`${path}limit/`, {
    body: { apiId: 'person.read', callsPerMinute: 5, version: 1 },
  })
  expect(limited.data).toMatchObject({ callsPerMinute: 5, version: 2, grantedBy: 'Name of root' })
  const late = await admin.call(`${path}limit/`, { body: { apiId: 'person.read', callsPerMinute: 9, version: 1 } })
  expect(late.envelope).toMatchObject({ code: 'version.conflict', data: { current: { callsPerMinute: 5 } } })
  const never = await admin.call(`${path}limit/`, { body: { apiId: 'visit.record', callsPerMinute: 9, version: 1 } })
  expect([never.status, never.envelope.code]).toEqual([409, 'interface.not-granted'])
  for (const callsPerMinute of [0, -1, 1.5, 60_001, '5']) {
    const bad = await admin.call(`${path}limit/`, { body: { apiId: 'person.read', callsPerMinute, version: 2 } })
    expect(bad.envelope.code).toBe('request.invalid')
  }
  expect((await catalogue('?search=person.read')).records).toMatchObject([{ applications: 1 }])
  expect((await admin.call(`${path}withdraw/`, { body: { apiIds } })).data).toEqual({ changed: 2 })
  expect((await admin.call<Page<GrantedInterface>>(`${path}query/`)).data).toEqual({ records: [], total: 0 })
  const lines = await server.platform.sql`
    select action, before, after from audit_records where target_kind = 'application-interface' and target_id = ${id} order by at, id`
  const none = { callsPerMinute: null }
  const granted = { interfaces: { 'people.list': none, 'person.read': none } }
  const withLimit = { interfaces: { 'people.list': none, 'person.read': { callsPerMinute: 5 } } }
  expect([...lines]).toEqual([
    { action: 'application-interface.grant', before: { interfaces: {} }, after: granted },
    { action: 'application-interface.limit', before: granted, after: withLimit },
    { action: 'application-interface.withdraw', before: withLimit, after: { interfaces: {} } },
  ])
})

test('an interface that is not in the catalogue makes the whole grant fail', async () => {
  const id = await addCasApplication(server, { appId: 'wiki' })
  const body = { apiIds: ['person.read', 'person.everything'] }
  const refused = await admin.call(`/application_interface/${id}/grant/`, { body })
  expect([refused.status, refused.envelope.code]).toEqual([404, 'interface.not-found'])
  expect((await admin.call<Page<object>>(`/application_interface/${id}/query/`)).data.total).toBe(0)
})

test('nothing can be granted to a missing application, or to the portal itself', async () => {
  const [portal] = await server.platform.sql<{ id: string }[]>`select id from applications where built_in`
  for (const id of [NOBODY, portal?.id]) {
    const calls: [string, object?][] = [
      [`/application_interface/${id}/query/`],
      [`/application_interface/${id}/calls/`],
      [`/application_interface/${id}/grant/`, { apiIds: ['person.read'] }],
      [`/application_interface/${id}/withdraw/`, { apiIds: ['person.read'] }],
      [`/application_key/${id}/query/`],
      [`/application_key/${id}/create/`, {}],
      [`/application_key/${id}/revoke/`, { keyId: NOBODY }],
    ]
    for (const [path, body] of calls) {
      const answer = await admin.call(path, body ? { body } : {})
      expect([path, answer.status, answer.envelope.code]).toEqual([path, 404, 'application.not-found'])
    }
  }
})

test('of many concurrent requests for a new key each gets one, and at most two are valid', async () => {
  const id = await addCasApplication(server, { appId: 'forum' })
  const made = await Promise.all(
    Array.from({ length: 6 }, () => admin.call<{ appKey: string }>(`/application_key/${id}/create/`, { body: {} })),
  )
  expect(new Set(made.map(({ data }) => data.appKey)).size).toBe(6)
  expect((await admin.call<{ keys: object[] }>(`/application_key/${id}/query/`)).data.keys).toHaveLength(2)
})
