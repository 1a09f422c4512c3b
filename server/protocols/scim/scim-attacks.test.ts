import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ScimClient } from '#shared/contract/scim-clients.ts'
import { insertAppointment, insertPerson, openPortal, type Portal } from '../../testing/portal.ts'
import { callScim, openScim, patchOf, type ScimSession } from '../../testing/scim.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let root: Portal
let hr: ScimSession
beforeAll(async () => {
  server = await startTestServer()
  root = await openPortal(server, { isSuperUser: true, account: 'root' })
  hr = await openScim(root, { maxDisabledPerDay: 3, callsPerMinute: 6000 })
})
afterAll(() => server.close())

const create = async (userName: string): Promise<string> =>
  (await hr.call('POST', '/Users', { userName, displayName: userName })).body.id
const isEnabled = async (id: string) =>
  (await server.platform.sql`select enabled from users where id = ${id}`)[0]?.['enabled']
const statusOf = (token: string, path = '/Users') =>
  callScim(server.url, token, 'GET', path).then(({ status }) => status)

test('without a valid token nothing is revealed, not even what exists', async () => {
  const other = await openScim(root, { name: 'Other' })
  expect(await statusOf(other.token)).toBe(200)
  for (const path of ['/Users', '/ServiceProviderConfig', '/no-such', '/Users/1'])
    for (const token of ['', 'x', `${other.token}x`, 'a'.repeat(5000), root.token])
      expect(await statusOf(token, path)).toBe(401)
  const { headers, body } = await callScim(server.url, 'x', 'GET', '/Users')
  expect(headers.get('www-authenticate')).toContain('Bearer')
  expect(body).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '401' })
  await root.call(`/scim_client/${other.client.id}/update/`, {
    body: { name: 'Other', scopes: ['users.read'], enabled: false, version: 1 },
  })
  expect(await statusOf(other.token)).toBe(401)
  const cookies = await root.browser.get('/scim/v2/Users')
  expect(cookies.status).toBe(401)
})

test('an attribute named as what every object has is unknown, like any other name', async () => {
  const id = await create('inherited')
  for (const name of ['constructor', '__proto__']) {
    const patched = await hr.call('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: name, value: 'x' }))
    expect([name, patched.status, patched.body.scimType]).toEqual([name, 400, 'invalidPath'])
    for (const filter of [`${name} eq "x"`, `${name} pr`]) {
      const { status, body } = await hr.call('GET', `/Users?filter=${encodeURIComponent(filter)}`)
      expect([filter, status, body.scimType]).toEqual([filter, 400, 'invalidFilter'])
    }
  }
})

test('a token ends when it expires, is replaced or revoked, and is stored as a hash only', async () => {
  const one = await openScim(root, { name: 'Rotated' })
  const issue = (body: object) =>
    root.call<{ token: string; client: ScimClient }>(`/scim_client/${one.client.id}/token/`, { body })
  const second = (await issue({ keepHours: 24 })).data
  expect([await statusOf(one.token), await statusOf(second.token)]).toEqual([200, 200])
  expect(second.client.tokens).toHaveLength(2)
  const third = (await issue({ days: 1 })).data
  expect([await statusOf(one.token), await statusOf(second.token), await statusOf(third.token)]).toEqual([
    401, 401, 200,
  ])
  const rows = await server.platform.sql`select encode(hash, 'escape') as hash, hint from scim_tokens`
  expect(JSON.stringify(rows)).not.toContain(third.token)
  const lines = await server.platform.sql`select coalesce(before::text, '') || after::text as line from audit_records`
  expect(JSON.stringify(lines)).not.toContain(third.token)
  const { data } = await root.call<ScimClient>(`/scim_client/${one.client.id}/details/`)
  expect(data.tokens[0]?.lastUsedAt).not.toBeNull()
  await root.call(`/scim_client/${one.client.id}/revoke_token/`, { body: { tokenId: data.tokens[0]?.id } })
  expect(await statusOf(third.token)).toBe(401)
})

test('a client may do what its scopes allow and nothing else', async () => {
  const reader = await openScim(root, { name: 'Reader', scopes: ['users.read'] })
  const id = await create('scoped')
  expect((await reader.call('GET', `/Users/${id}`)).status).toBe(200)
  const refused = [
    await reader.call('POST', '/Users', { userName: 'no', displayName: 'No' }),
    await reader.call('PUT', `/Users/${id}`, { userName: 'scoped', active: false }),
    await reader.call('DELETE', `/Users/${id}`),
    await reader.call('GET', '/Groups'),
    await reader.call('POST', '/Groups', { displayName: 'No' }),
  ]
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
  const bulk = await reader.call('POST', '/Bulk', { Operations: [{ method: 'DELETE', path: `/Users/${id}` }] })
  expect(bulk.body.Operations[0].status).toBe('403')
  expect(await isEnabled(id)).toBe(true)
  const roles = await openScim(root, { name: 'Roles', scopes: ['roles.write'] })
  const organization = { 'urn:gatehouse:params:scim:schemas:extension:1.0:Group': { kind: 'organization', code: 'o' } }
  expect((await roles.call('POST', '/Groups', { displayName: 'O', ...organization })).status).toBe(403)
  const made = (await hr.call('POST', '/Groups', { displayName: 'O', ...organization })).body.id
  expect((await roles.call('GET', `/Groups/${made}`)).status).toBe(404)
  expect((await roles.call('DELETE', `/Groups/${made}`)).status).toBe(404)
})

test('super users and administrators can not be changed in any way', async () => {
  const boss = await insertPerson(server, { account: 'boss', isSuperUser: true })
  const dean = await insertPerson(server, { account: 'dean' })
  await insertAppointment(server, dean, { permissions: ['edit'] })
  for (const id of [boss, dean]) {
    const tries = [
      await hr.call(
        'PATCH',
        `/Users/${id}`,
        patchOf({ op: 'replace', path: 'emails', value: [{ value: 'me@evil.example' }] }),
      ),
      await hr.call('PUT', `/Users/${id}`, { displayName: 'Mine' }),
      await hr.call('DELETE', `/Users/${id}`),
    ]
    expect(tries.map(({ status }) => status)).toEqual([403, 403, 403])
    expect(await isEnabled(id)).toBe(true)
  }
  expect((await hr.call('POST', '/Users', { userName: 'boss', displayName: 'Mine' })).status).toBe(409)
})

test('a client that disables more people than it may is held, which is recorded in the history, until somebody releases it', async () => {
  const people: string[] = []
  for (let n = 0; n < 6; n++) people.push(await create(`mass-${n}`))
  const off = (id: string | undefined) =>
    hr.call('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'active', value: false }))
  expect((await off(people[0])).status).toBe(200)
  expect((await hr.call('DELETE', `/Users/${people[1]}`)).status).toBe(204)
  const Operations = people.slice(2).map((id) => ({ method: 'PUT', path: `/Users/${id}`, data: { active: false } }))
  const { body } = await hr.call('POST', '/Bulk', { Operations })
  expect(body.Operations.map((one: { status: string }) => one.status)).toEqual(['200', '403', '403', '403'])
  expect(body.Operations[1].response.detail).toContain('3')
  expect((await off(people[3])).status).toBe(403)
  expect(await Promise.all(people.map(isEnabled))).toEqual([false, false, false, true, true, true])
  const held = await server.platform.sql`select after from audit_records where action = 'scim-client.hold'`
  expect(held.map(({ after }) => after)).toEqual([{ client: 'HR', maxDisabledPerDay: 3 }])
  const seen = await root.call<ScimClient>(`/scim_client/${hr.client.id}/details/`)
  expect(seen.data.changedLastDay).toEqual({ disabled: 3, moved: 0, renamed: 0, created: 0 })
  await root.call(`/scim_client/${hr.client.id}/release/`, { body: { reason: 'The term has ended' } })
  expect((await off(people[3])).status).toBe(200)
  server.advance(25 * 3600)
  root = await openPortal(server, { userId: root.user.userId })
  const later = await root.call<ScimClient>(`/scim_client/${hr.client.id}/details/`)
  expect(later.data.changedLastDay.disabled).toBe(0)
})

test('organisations that a client disables count as people do', async () => {
  const mass = await openScim(root, { name: 'Mass', maxDisabledPerDay: 2 })
  const gone: number[] = []
  for (const code of ['mass-a', 'mass-b', 'mass-c']) {
    const body = { code, name: code, parentId: null, names: {} }
    const { data } = await root.call<{ id: string }>('/organization/create/', { body })
    gone.push((await mass.call('DELETE', `/Groups/${data.id}`)).status)
  }
  expect(gone).toEqual([204, 204, 403])
  const open = await server.platform.sql`select code from organizations where code like 'mass-%' and enabled`
  expect(open).toEqual([{ code: 'mass-c' }])
  expect((await mass.call('DELETE', `/Users/${await create('mass-d')}`)).status).toBe(403)
})

test('two requests at once disable no more than one after the other', async () => {
  const race = await openScim(root, { name: 'Race', maxDisabledPerDay: 1 })
  const people = [await create('race-1'), await create('race-2'), await create('race-3')]
  const answers = await Promise.all(people.map((id) => race.call('DELETE', `/Users/${id}`)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 403, 403])
})

test('no filter costs more than its length, and one that is too large is rejected by name', async () => {
  const ask = async (filter: string) => {
    const began = performance.now()
    const { status, body } = await hr.call('POST', '/Users/.search', { filter })
    return { status, scimType: body.scimType, ms: performance.now() - began }
  }
  const bombs = [
    `${'('.repeat(900)}userName eq "x"${')'.repeat(900)}`,
    `${'not ('.repeat(300)}userName eq "x"${')'.repeat(300)}`,
    Array(200).fill('active eq true').join(' or '),
    `userName eq "${'\n'.repeat(1900)}`,
    `userName eq "${'\\"'.repeat(900)}`,
    'emails['.repeat(250),
    'a'.repeat(100_000),
    `${'a.'.repeat(900)} pr`,
  ]
  for (const bomb of bombs) {
    const { status, scimType, ms } = await ask(bomb)
    expect([status, ['invalidFilter', 'tooMany'].includes(scimType)]).toEqual([400, true])
    expect(ms).toBeLessThan(1000)
  }
  for (const broken of [
    'userName',
    'userName eq',
    'eq "x"',
    'userName xx "x"',
    'userName eq "x" and',
    'userName eq x',
    '")',
    'password eq "x"',
    'active gt true',
    "userName eq 'x'; drop table users",
  ])
    expect([broken, (await ask(broken)).status]).toEqual([broken, 400])
  const quoted = await ask(`userName eq "'; delete from users; --"`)
  expect(quoted.status).toBe(200)
})

test('bodies are limited, and what is no SCIM JSON is rejected in SCIM’s format', async () => {
  const huge = await hr
    .call('POST', '/Users', { userName: 'huge', displayName: 'x'.repeat(10 * 1024 * 1024) })
    .catch(() => null)
  if (huge) expect([huge.status, huge.body.status]).toEqual([413, '413'])
  expect((await hr.call('GET', '/Users?filter=userName%20eq%20%22huge%22')).body.totalResults).toBe(0)
  const malformed = await hr.call('POST', '/Users', '{"userName":')
  expect([malformed.status, malformed.body.scimType]).toEqual([400, 'invalidSyntax'])
  for (const body of [
    '[]',
    '"x"',
    'null',
    '{"__proto__":{"isSuperUser":true}}',
    `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  ])
    expect([body.slice(0, 20), (await hr.call('POST', '/Users', body)).status]).toEqual([body.slice(0, 20), 400])
  const form = await hr.call('POST', '/Users', 'userName=x', { 'content-type': 'application/xml' })
  expect([form.status, form.body.status]).toEqual([415, '415'])
  const many = patchOf(...Array(201).fill({ op: 'replace', path: 'nickName', value: 'x' }))
  expect((await hr.call('PATCH', `/Users/${await create('patched')}`, many)).status).toBe(400)
})

test('a bulk can only address users and groups, is limited, and each operation counts as a request', async () => {
  const bulk = (Operations: object[], session = hr) => session.call('POST', '/Bulk', { Operations })
  const inner = { method: 'POST', bulkId: 'x', path: '/Bulk', data: { Operations: [] } }
  expect((await bulk([inner])).body.Operations[0]).toMatchObject({ status: '400' })
  for (const path of ['/Users/../Bulk', '//evil.example/Users', '/Users/x/y', '/scim/v2/Users', 'Users'])
    expect((await bulk([{ method: 'DELETE', path }])).body.Operations[0].status).toBe('400')
  expect((await bulk(Array(101).fill(inner))).status).toBe(413)
  const slow = await openScim(root, { name: 'Slow', callsPerMinute: 5 })
  const { body } = await bulk(
    [...Array(8)].map((_, n) => ({
      method: 'POST',
      path: '/Users',
      bulkId: `${n}`,
      data: { userName: `slow-${n}`, displayName: 'S' },
    })),
    slow,
  )
  const statuses = body.Operations.map((one: { status: string }) => one.status)
  expect(statuses.filter((status: string) => status === '429').length).toBeGreaterThanOrEqual(4)
  const limited = await slow.call('GET', '/Users')
  expect(limited.status).toBe(429)
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('discovery describes what the server can do', async () => {
  const config = (await hr.call('GET', '/ServiceProviderConfig')).body
  expect(config).toMatchObject({
    patch: { supported: true },
    etag: { supported: true },
    changePassword: { supported: false },
  })
  const types = (await hr.call('GET', '/ResourceTypes')).body.Resources
  for (const { id, schema, schemaExtensions } of types) {
    expect((await hr.call('GET', `/ResourceTypes/${id}`)).body.id).toBe(id)
    for (const name of [schema, schemaExtensions[0].schema])
      expect((await hr.call('GET', `/Schemas/${name}`)).body.attributes.length).toBeGreaterThan(0)
  }
  expect((await hr.call('GET', '/Schemas')).body.totalResults).toBe(4)
  expect((await hr.call('GET', '/Nothing')).body).toMatchObject({ status: '404' })
  expect((await hr.call('DELETE', '/Users')).status).toBe(404)
})
