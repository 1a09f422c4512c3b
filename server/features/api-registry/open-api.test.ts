import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { OpenPerson } from '#shared/contract/open-api.ts'
import { randomToken } from '../../platform/crypto.ts'
import { callWithKey, type OpenClient, openClient } from '../../testing/open-api.ts'
import { addCasApplication, changeApplication } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { signedRequest } from '../../testing/signed.ts'
import { applyBootstrap, type BootstrapInput } from '../bootstrap/index.ts'

const ALL = [
  'application.read',
  'person.read',
  'people.list',
  'people.changes',
  'organization.children',
  'visit.record',
]
const PERSON = '/open_api/person/'

let server: TestServer
let other: TestServer
let admin: Portal
let library: OpenClient
let applications = 0

beforeAll(async () => {
  server = await startTestServer()
  other = await server.secondNode()
  await applyBootstrap(
    server.platform,
    {
      organizations: [
        { code: 'school', name: 'School' },
        { code: 'cs', name: 'Computer Science', parent: 'school' },
        { code: 'lab', name: 'Lab', parent: 'cs' },
        { code: 'physics', name: 'Physics', parent: 'cs' },
        { code: 'optics', name: 'Optics', parent: 'physics' },
        { code: 'arts', name: 'Arts', parent: 'school' },
      ],
    },
    { source: 'test' },
  )
  await addPeople(
    { account: 'lilei', name: '李雷', organization: 'cs', mailbox: 'lilei@example.edu', phone: '13800000001' },
    { account: 'meimei', name: '韩梅梅', organization: 'lab' },
    { account: 'painter', name: '画家', organization: 'arts' },
  )
})
afterAll(() => server.close())

/** For a fresh application that is granted to one department, with people inside and outside it. */
beforeEach(async () => {
  applications += 1
  admin = await openPortal(server, { isSuperUser: true })
  const id = await addCasApplication(server, {
    appId: `library-${applications}`,
    type: 'system',
    attributes: ['account', { name: 'cn', from: 'name' }, 'organizationCode'],
    authorized: { organizations: ['cs'] },
  })
  library = await openClient(admin, id, ALL)
})

type Newcomer = NonNullable<BootstrapInput['users']>[number]
const addPeople = (...users: Newcomer[]) => applyBootstrap(server.platform, { users }, { source: 'test' })

const codeOf = async (answer: Promise<{ status: number; code: string | undefined }>) => {
  const { status, code } = await answer
  return [status, code]
}

test('an application reads a person by account or id, and gets what it gets at a login, nothing more', async () => {
  const { data, status } = await library.call<OpenPerson>(`${PERSON}?account=lilei`)
  expect(status).toBe(200)
  expect(data).toEqual({
    id: expect.any(String),
    user: 'lilei',
    active: true,
    attributes: { account: ['lilei'], cn: ['李雷'], organizationCode: ['cs'] },
    changedAt: expect.any(String),
  })
  expect(JSON.stringify(data)).not.toMatch(/13800000001|example\.edu/)
  expect((await library.call<OpenPerson>(`${PERSON}?id=${data.id}`)).data.user).toBe('lilei')
  for (const query of ['', `?account=lilei&id=${data.id}`, '?account=', '?mailbox=lilei@example.edu']) {
    expect(await codeOf(library.call(PERSON + query))).toEqual([400, 'request.invalid'])
  }
})

test('a person who may not use the application does not exist for it, by any call', async () => {
  for (const account of ['painter', 'nobody']) {
    expect(await codeOf(library.call(`${PERSON}?account=${account}`))).toEqual([404, 'open-api.person-not-found'])
    const visit = library.call('/open_api/app_visit/', { body: { account } })
    expect(await codeOf(visit)).toEqual([404, 'open-api.person-not-found'])
  }
  const all = await library.call<{ people: OpenPerson[] }>('/open_api/people/?organizationCode=school')
  const told = all.data.people.map(({ user }) => user)
  expect(told).toEqual(expect.arrayContaining(['lilei', 'meimei']))
  expect(told).not.toContain('painter')
  await changeApplication(server, library.appId, { type: 'whitelist' })
  expect((await library.call(`${PERSON}?account=painter`)).status).toBe(200)
})

test('a person who can not log in is returned as not active, without the reason', async () => {
  await addPeople({ account: 'frozen', name: 'Frozen', organization: 'cs' })
  await server.platform.sql`
    update users set frozen_from = ${server.platform.now()}, freeze_reason = 'secret' where account = 'frozen'`
  const { data } = await library.call<OpenPerson>(`${PERSON}?account=frozen`)
  expect(data.active).toBe(false)
  expect(JSON.stringify(data)).not.toContain('secret')
})

test('where consent is required, only people who gave it are returned', async () => {
  const { sql } = server.platform
  await sql`update applications set protocol = 'oauth2', client_id = ${library.appId}, consent = 'explicit' where id = ${library.applicationId}`
  expect((await library.call(`${PERSON}?account=lilei`)).status).toBe(404)
  await sql`insert into consents (user_id, application_id, scopes, given_at)
    select id, ${library.applicationId}, '{openid}', now() from users where account = 'lilei'`
  expect((await library.call(`${PERSON}?account=lilei`)).status).toBe(200)
})

test('people are returned page by page, with or without descendants, each of them once', async () => {
  const places = Array.from({ length: 9 }, (_, i) => (i % 2 ? 'optics' : 'physics'))
  await addPeople(...places.map((organization, i) => ({ account: `student-${i}`, name: 'Student', organization })))
  type Page = { people: OpenPerson[]; next: string | null }
  const seen: string[] = []
  let after = ''
  for (let pages = 0; pages < 10; pages++) {
    const query = `?organizationCode=physics&pageSize=2${after && `&after=${after}`}`
    const { data } = await library.call<Page>(`/open_api/people/${query}`)
    expect(data.people.length).toBeLessThanOrEqual(2)
    seen.push(...data.people.map(({ user }) => user ?? ''))
    if (!data.next) break
    after = data.next
  }
  expect(seen.length).toBe(9)
  expect(new Set(seen).size).toBe(9)
  const direct = await library.call<Page>('/open_api/people/?organizationCode=optics&directOnly=1')
  expect(direct.data.people.map(({ user }) => user)).toEqual(['student-1', 'student-3', 'student-5', 'student-7'])
  expect(direct.data.next).toBeNull()
  const unknown = library.call('/open_api/people/?organizationCode=nowhere')
  expect(await codeOf(unknown)).toEqual([404, 'open-api.organization-not-found'])
})

test('changes since a moment are returned oldest first; a deleted person has no attributes', async () => {
  await addPeople(
    { account: 'changer', name: '张三', organization: 'cs' },
    { account: 'leaver', name: '李四', organization: 'cs' },
  )
  server.advance(60)
  const since = server.platform.now().toISOString()
  server.advance(60)
  const { sql } = server.platform
  await sql`update users set name = '张山', updated_at = ${server.platform.now()} where account = 'changer'`
  server.advance(60)
  const at = server.platform.now()
  await sql`update users set deleted_at = ${at}, updated_at = ${at} where account = 'leaver'`
  await sql`update users set updated_at = ${at} where account = 'painter'`
  server.advance(60)
  const { data } = await library.call<{ people: OpenPerson[] }>(`/open_api/people_changes/?since=${since}`)
  expect(data.people.map(({ user, active, attributes }) => [user, active, attributes['cn']])).toEqual([
    ['changer', true, ['张山']],
    ['leaver', false, undefined],
  ])
})

test('an application can navigate the organisations, and read its own registration', async () => {
  const top = await library.call<{ records: object[] }>('/open_api/organization_children/')
  expect(top.data.records).toMatchObject([{ code: 'school', parentCode: null, hasChildren: true }])
  const below = await library.call<{ records: { code: string }[] }>(
    '/open_api/organization_children/?parentCode=school',
  )
  expect(below.data.records.map(({ code }) => code).sort()).toEqual(['arts', 'cs'])
  expect(below.data).toMatchObject({ total: 2 })
  const own = await library.call<{ interfaces: object[] }>('/open_api/application/')
  expect(own.data).toMatchObject({
    appId: library.appId,
    type: 'system',
    attributes: ['account', 'cn', 'organizationCode'],
  })
  expect(own.data.interfaces).toHaveLength(ALL.length)
})

test('a visit recorded by the application is among the records of the person', async () => {
  const visit = await library.call('/open_api/app_visit/', { body: { account: 'lilei', ip: '2001:db8::7' } })
  expect(visit.status).toBe(200)
  const rows = await server.platform.sql`select entry, host(ip) as ip, client_type from visit_records`
  expect([...rows]).toEqual([{ entry: 'application', ip: '2001:db8::7', clientType: 'other' }])
})

test('a wrong key, another application and any alteration are rejected alike', async () => {
  const refused = [403, 'request.bad-signature']
  const { appId, appKey } = library
  const wrong = [
    { appId, appKey: 'gatehouse-web' },
    { appId, appKey: `${appKey}x` },
    { appId: 'nobody', appKey },
    { appId: 'portal', appKey },
    { appId: '', appKey },
  ]
  for (const one of wrong) expect(await codeOf(callWithKey(server, one, `${PERSON}?account=lilei`))).toEqual(refused)
  const { url, init } = signedRequest(server, `${PERSON}?account=lilei`, { appKey, headers: { appid: appId } })
  url.searchParams.set('account', 'meimei')
  expect((await fetch(url, init)).status).toBe(403)
  const late = library.call(`${PERSON}?account=lilei`, { timestamp: Date.now() - 600_000 })
  expect(await codeOf(late)).toEqual([403, 'request.clock-skew'])
})

test('the same signed request is answered once, also a reading one, on whichever node', async () => {
  const { appId, appKey } = library
  const { url, init } = signedRequest(server, `${PERSON}?account=lilei`, { appKey, headers: { appid: appId } })
  const nodes = [server, other, server, other].map((node) => fetch(node.url + url.pathname + url.search, init))
  const statuses = await Promise.all(nodes.map(async (answer) => (await answer).status))
  expect(statuses.sort()).toEqual([200, 403, 403, 403])
})

test('a call that is not granted, disabled or of a disabled application is rejected at once on every node', async () => {
  const read = (node: TestServer) => codeOf(callWithKey(node, library, `${PERSON}?account=lilei`))
  expect(await read(other)).toEqual([200, undefined])
  await admin.call('/api_manage/person.read/update/', { body: { status: 0, version: 0 } })
  expect(await read(other)).toEqual([403, 'open-api.interface-disabled'])
  await admin.call('/api_manage/person.read/update/', { body: { status: 1, version: 1 } })
  expect(await read(other)).toEqual([200, undefined])
  await admin.call(`/application_interface/${library.applicationId}/withdraw/`, { body: { apiIds: ['person.read'] } })
  expect(await read(other)).toEqual([403, 'open-api.not-granted'])
  expect((await callWithKey(other, library, '/open_api/application/')).status).toBe(200)
  await changeApplication(server, library.appId, { enabled: false })
  expect(await read(server)).toEqual([403, 'open-api.application-disabled'])
})

test('above its rate limit an application waits for the next minute, counted across both nodes', async () => {
  const path = `/application_interface/${library.applicationId}/limit/`
  const limited = await admin.call(path, { body: { apiId: 'person.read', callsPerMinute: 4, version: 1 } })
  expect(limited.status).toBe(200)
  // To the beginning of a minute, so that none ends meanwhile.
  server.advance(60 - ((server.platform.now().getTime() / 1000) % 60))
  const read = (node: TestServer) => callWithKey(node, library, `${PERSON}?account=lilei`)
  const answers = await Promise.all([server, other, server, other, server, other, server].map(read))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(4)
  const refused = answers.find(({ status }) => status === 429)
  expect(refused?.code).toBe('open-api.too-many-calls')
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(30)
  expect((await library.call('/open_api/application/')).status).toBe(200)
  server.advance(60)
  expect((await read(other)).status).toBe(200)
})

test('a new key works beside the former one for the chosen time, a revoked one for no call more', async () => {
  const keys = `/application_key/${library.applicationId}/`
  const read = (appKey: string) =>
    codeOf(callWithKey(server, { appId: library.appId, appKey }, `${PERSON}?account=lilei`))
  const next = await admin.call<{ appKey: string; key: { id: string } }>(`${keys}create/`, { body: { keepHours: 24 } })
  expect(next.data.appKey).not.toBe(library.appKey)
  for (const key of [library.appKey, next.data.appKey]) expect(await read(key)).toEqual([200, undefined])
  server.advance(25 * 3600)
  admin = await openPortal(server, { isSuperUser: true })
  expect(await read(library.appKey)).toEqual([403, 'request.bad-signature'])
  expect(await read(next.data.appKey)).toEqual([200, undefined])
  const third = await admin.call<{ appKey: string }>(`${keys}create/`, { body: { keepHours: 168 } })
  const fourth = await admin.call<{ appKey: string }>(`${keys}create/`, { body: { keepHours: 168 } })
  expect(await read(next.data.appKey)).toEqual([403, 'request.bad-signature'])
  for (const key of [third.data.appKey, fourth.data.appKey]) expect(await read(key)).toEqual([200, undefined])
  const { data } = await admin.call<{ keys: { id: string; hint: string; lastUsedAt: string }[] }>(`${keys}query/`)
  expect(data.keys).toHaveLength(2)
  expect(JSON.stringify(data)).not.toContain(fourth.data.appKey)
  expect(data.keys.every(({ lastUsedAt }) => lastUsedAt)).toBe(true)
  await admin.call(`${keys}revoke/`, {
    body: { keyId: data.keys.find(({ hint }) => fourth.data.appKey.endsWith(hint))?.id },
  })
  expect(await read(fourth.data.appKey)).toEqual([403, 'request.bad-signature'])
})

test('the database holds nothing from which the key could be read', async () => {
  const rows = await server.platform.sql`select k::text as text from application_keys k`
  const lines = await server.platform
    .sql`select before::text || after::text as text from audit_records where action like 'app-key%'`
  expect(JSON.stringify([rows, lines])).not.toContain(library.appKey.slice(0, 20))
})

test('every call is in the application’s list, of a flood of rejected ones only some', async () => {
  await library.call(`${PERSON}?account=lilei`)
  await library.call(`${PERSON}?account=nobody`)
  for (let i = 0; i < 40; i++) {
    await callWithKey(server, { appId: library.appId, appKey: randomToken(20) }, `${PERSON}?account=lilei`)
  }
  type Calls = {
    records: { apiId: string; status: number; code: string | null; requestId: string; ms: number }[]
    total: number
  }
  const list = (query = '') => admin.call<Calls>(`/application_interface/${library.applicationId}/calls/${query}`)
  // Records of rejected calls are written after the answer.
  await expect.poll(async () => (await list()).data.total).toBe(32)
  const { data } = await list('?pageSize=100&sort=at')
  expect(data.records.slice(0, 2)).toMatchObject([
    { apiId: 'person.read', status: 200, code: null, requestId: expect.stringMatching(/.{10}/) },
    { apiId: 'person.read', status: 404, code: 'open-api.person-not-found', reason: expect.stringContaining('person') },
  ])
  expect(data.total).toBe(32)
  expect((await list('?result=answered')).data.total).toBe(1)
  expect((await list('?result=refused&apiId=person.read')).data.total).toBe(31)
})
