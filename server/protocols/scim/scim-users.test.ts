import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Portal } from '../../testing/portal.ts'
import type { school } from '../../testing/school.ts'
import {
  byEntra,
  ENTERPRISE,
  usersWhere as of,
  openScim,
  openScimSchool,
  patchOf,
  type ScimSession,
} from '../../testing/scim.ts'
import type { TestServer } from '../../testing/server.ts'

let server: TestServer
let root: Portal
let hr: ScimSession
let ids: Awaited<ReturnType<typeof school>>
beforeAll(async () => {
  ;({ server, root, hr, ids } = await openScimSchool())
})
afterAll(() => server.close())

const stored = async (id: string) => {
  const [row] = await server.platform.sql<{ account: string; enabled: boolean; activated: boolean; version: number }[]>`
    select account, enabled, activated, version from users where id = ${id}`
  return { ...row }
}

test('a person is provisioned as Entra ID does it: searched for, created, read, searched for again, changed, disabled', async () => {
  expect((await hr.call('GET', of('userName eq "e100"'))).body).toMatchObject({ totalResults: 0, Resources: [] })
  const made = await hr.call('POST', '/Users', byEntra('e100', { userType: 'student' }))
  expect(made.status).toBe(201)
  expect(made.headers.get('content-type')).toMatch(/^application\/scim\+json/)
  expect(made.headers.get('location')).toBe(`${server.url}/scim/v2/Users/${made.body.id}`)
  expect(made.body).toMatchObject({
    userName: 'e100',
    externalId: 'entra-e100',
    displayName: 'Name of e100',
    name: { formatted: 'Name of e100' },
    active: true,
    userType: 'student',
    emails: [{ value: 'e100@example.edu', type: 'work', primary: true }],
    [ENTERPRISE]: { department: 'Computing' },
    groups: [{ value: ids.organizationId('cs'), display: 'Computing' }],
    meta: { resourceType: 'User', version: 'W/"1"' },
  })
  const { id } = made.body
  expect(await stored(id)).toMatchObject({ account: 'e100', activated: false, enabled: true })
  const found = await hr.call('GET', of('userName eq "E100"'))
  expect(found.body).toMatchObject({ totalResults: 1, startIndex: 1, itemsPerPage: 1, Resources: [{ id }] })
  const patched = await hr.call(
    'PATCH',
    `/Users/${id}`,
    patchOf(
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'new@example.edu' },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '13800005678' },
      { op: 'Replace', path: `${ENTERPRISE}:department`, value: 'Art' },
      { op: 'Replace', path: 'name.familyName', value: 'Other' },
      { op: 'Add', path: 'title', value: 'Professor' },
    ),
  )
  expect(patched.status).toBe(200)
  expect(patched.body).toMatchObject({
    displayName: 'Name of e100',
    emails: [{ value: 'new@example.edu' }],
    phoneNumbers: [{ value: '+8613800005678' }],
    [ENTERPRISE]: { department: 'Art' },
  })
  const off = await hr.call('PATCH', `/Users/${id}`, patchOf({ op: 'Replace', path: 'active', value: 'False' }))
  expect(off.body.active).toBe(false)
  expect((await stored(id)).enabled).toBe(false)
})

test('a PATCH without a path names attributes in its value, in the ways that clients write them', async () => {
  const { body } = await hr.call('POST', '/Users', byEntra('e110'))
  const patched = await hr.call(
    'PATCH',
    `/Users/${body.id}`,
    patchOf({
      op: 'replace',
      value: {
        DisplayName: '王小明',
        'name.givenName': 'Ann',
        [`${ENTERPRISE}:department`]: 'art',
        'emails[type eq "work"].value': 'ann@example.edu',
        nickName: 'Ming',
        active: 'True',
        id: body.id,
      },
    }),
  )
  expect(patched.body).toMatchObject({
    displayName: '王小明',
    nickName: 'Ming',
    emails: [{ value: 'ann@example.edu' }],
    [ENTERPRISE]: { department: 'Art' },
    active: true,
  })
  const removed = await hr.call(
    'PATCH',
    `/Users/${body.id}`,
    patchOf({ op: 'remove', path: 'nickName' }, { op: 'Remove', path: 'emails[value eq "ann@example.edu"]' }),
  )
  expect(removed.body.nickName).toBeUndefined()
  expect(removed.body.emails).toBeUndefined()
  const gone = await hr.call('PATCH', `/Users/${body.id}`, patchOf({ op: 'remove', path: 'emails[type eq "home"]' }))
  expect([gone.status, gone.body.scimType]).toEqual([400, 'noTarget'])
})

test('a PUT changes what it names and leaves what it does not; a name is composed if only its parts are given', async () => {
  const { body } = await hr.call('POST', '/Users', { userName: 'e120', name: { familyName: '欧阳', givenName: '锋' } })
  expect(body.displayName).toBe('欧阳锋')
  await hr.call('PATCH', `/Users/${body.id}`, patchOf({ op: 'add', value: { nickName: 'Feng', userType: 'Student' } }))
  const put = await hr.call('PUT', `/Users/${body.id}`, {
    userName: 'e120',
    name: { familyName: 'Ouyang', givenName: 'Feng' },
    emails: [
      { type: 'home', value: 'home@example.edu' },
      { type: 'work', value: 'work@example.edu' },
    ],
  })
  expect(put.body).toMatchObject({ displayName: 'Feng Ouyang', nickName: 'Feng', userType: 'student' })
  expect(put.body.emails).toEqual([{ value: 'work@example.edu', type: 'work', primary: true }])
  const renamed = await hr.call('PUT', `/Users/${body.id}`, { userName: 'e121', displayName: 'x' })
  expect([renamed.status, renamed.body.scimType]).toEqual([400, 'mutability'])
})

test('a second person with an account, address or external id is refused as a conflict', async () => {
  const { body } = await hr.call('POST', '/Users', byEntra('e130'))
  const taken = async (more: object) => {
    const { status, body } = await hr.call('POST', '/Users', byEntra('e131', more))
    return [status, body.status, body.scimType]
  }
  const conflict = [409, '409', 'uniqueness']
  expect(await taken({ userName: 'E130' })).toEqual(conflict)
  expect(await taken({ emails: [{ value: 'e130@example.edu' }] })).toEqual(conflict)
  expect(await taken({ externalId: 'entra-e130' })).toEqual(conflict)
  expect((await hr.call('GET', of('userName eq "e131"'))).body.totalResults).toBe(0)
  const other = await openScim(root, { name: 'Another' })
  const same = await other.call('POST', '/Users', byEntra('e132', { externalId: 'entra-e130' }))
  expect(same.status).toBe(201)
  expect((await other.call('GET', `/Users/${body.id}`)).body.externalId).toBeUndefined()
})

test('a version is a condition: a newer one changes nothing, the same one sends nothing', async () => {
  const { body, headers } = await hr.call('POST', '/Users', byEntra('e160'))
  const etag = headers.get('etag') ?? ''
  expect(body.meta.version).toBe(etag)
  expect((await hr.call('GET', `/Users/${body.id}`, undefined, { 'if-none-match': etag })).status).toBe(304)
  const rename = (displayName: string, match: string) =>
    hr.call('PATCH', `/Users/${body.id}`, patchOf({ op: 'replace', value: { displayName } }), { 'if-match': match })
  expect((await rename('First', etag)).status).toBe(200)
  expect((await rename('Second', etag)).status).toBe(412)
  expect((await rename('Second', '"*garbage"')).status).toBe(412)
  expect((await hr.call('DELETE', `/Users/${body.id}`, undefined, { 'if-match': etag })).status).toBe(412)
  expect((await rename('Third', '*')).body.displayName).toBe('Third')
})

test('deleting disables, and the client may reverse its own changes; those of others stay', async () => {
  const { body } = await hr.call('POST', '/Users', byEntra('e170'))
  expect((await hr.call('DELETE', `/Users/${body.id}`)).status).toBe(204)
  expect((await hr.call('GET', `/Users/${body.id}`)).status).toBe(404)
  expect((await hr.call('DELETE', `/Users/${body.id}`)).status).toBe(404)
  expect((await hr.call('GET', of('userName eq "e170"'))).body.totalResults).toBe(0)
  expect(await stored(body.id)).toMatchObject({ account: 'e170', enabled: false })
  const back = await hr.call('POST', '/Users', byEntra('e170'))
  expect([back.status, back.body.id, back.body.active]).toEqual([201, body.id, true])
  await root.call(`/user_information/${body.id}/disable_user/`, { body: {} })
  expect((await stored(body.id)).enabled).toBe(false)
  const enable = await hr.call('PATCH', `/Users/${body.id}`, patchOf({ op: 'replace', path: 'active', value: true }))
  expect([enable.status, (await stored(body.id)).enabled]).toEqual([403, false])
})

test('an invalid value is rejected by name, and nothing is written', async () => {
  const { body } = await hr.call('POST', '/Users', byEntra('e180'))
  const answer = async (operation: object) => {
    const { status, body: error } = await hr.call('PATCH', `/Users/${body.id}`, patchOf(operation))
    return [status, error.scimType]
  }
  expect(await answer({ op: 'replace', path: 'active', value: 'perhaps' })).toEqual([400, 'invalidValue'])
  expect(await answer({ op: 'replace', path: 'displayName', value: { a: 1 } })).toEqual([400, 'invalidValue'])
  expect(await answer({ op: 'replace', path: `${ENTERPRISE}:department`, value: 'No such' })).toEqual([
    400,
    'invalidValue',
  ])
  expect(await answer({ op: 'replace', path: 'emails', value: [{ value: 'no address' }] })).toEqual([
    400,
    'invalidValue',
  ])
  expect(await answer({ op: 'replace', path: 'isSuperUser', value: true })).toEqual([400, 'invalidPath'])
  expect(await answer({ op: 'replace', path: 'id', value: 'x' })).toEqual([400, 'mutability'])
  expect(await answer({ op: 'replace', path: 'emails[', value: 'x' })).toEqual([400, 'invalidPath'])
  expect(await answer({ op: 'move', path: 'emails', value: 'x' })).toEqual([400, 'invalidSyntax'])
  expect(await answer({ op: 'remove' })).toEqual([400, 'noTarget'])
  const missing = await hr.call('POST', '/Users', { displayName: 'Nobody' })
  expect([missing.status, missing.body.scimType]).toEqual([400, 'invalidValue'])
  expect((await hr.call('GET', `/Users/${body.id}`)).body.meta.version).toBe('W/"1"')
})

test('a client can not set a password: it is not stored, and the account must be activated', async () => {
  const { body } = await hr.call('POST', '/Users', byEntra('e190', { password: 'Secret-of-another-42' }))
  expect(JSON.stringify(body)).not.toContain('Secret')
  const [row] = await server.platform.sql`select count(*)::int as n from passwords where user_id = ${body.id}`
  expect(row).toEqual({ n: 0 })
  expect((await stored(body.id)).activated).toBe(false)
})

test('each change is recorded in the history with the name of the client', async () => {
  const { body } = await hr.call('POST', '/Users', byEntra('e200'))
  await hr.call('PATCH', `/Users/${body.id}`, patchOf({ op: 'replace', path: 'displayName', value: 'Another' }))
  const lines = await server.platform.sql`
    select action, reason, before->>'name' as before, after->>'name' as after from audit_records
    where target_id = ${body.id} order by at`
  expect(lines.map((line) => ({ ...line }))).toEqual([
    { action: 'account.create', reason: 'HR', before: null, after: 'Name of e200' },
    { action: 'account.update', reason: 'HR', before: 'Name of e200', after: 'Another' },
  ])
})
