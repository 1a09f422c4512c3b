import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  byEntra,
  callScim,
  ENTERPRISE,
  openScimSchool,
  patchOf,
  type ScimSession,
  usersWhere,
} from '../../testing/scim.ts'
import type { TestServer } from '../../testing/server.ts'

// The checks of Microsoft's SCIM validator, in the order of its overview.

const CORE = 'urn:ietf:params:scim:schemas:core:2.0'
let server: TestServer
let entra: ScimSession
beforeAll(async () => {
  ;({ server, hr: entra } = await openScimSchool())
})
afterAll(() => server.close())

const make = async (userName: string, more: object = {}): Promise<string> => {
  const { status, body } = await entra.call('POST', '/Users', byEntra(userName, more))
  expect(status).toBe(201)
  return body.id
}
const patch = (path: string, ...operations: object[]) => entra.call('PATCH', path, patchOf(...operations))
const makeGroup = (displayName: string, more: object = {}) =>
  entra.call('POST', '/Groups', {
    schemas: [`${CORE}:Group`],
    externalId: `id of ${displayName}`,
    displayName,
    ...more,
  })
const groupsNamed = (name: string) =>
  entra.call('GET', `/Groups?excludedAttributes=members&filter=${encodeURIComponent(`displayName eq "${name}"`)}`)

test('the schemas name what can be mapped, and what they name as writable is written and read back', async () => {
  const { status, body } = await entra.call('GET', '/Schemas')
  expect(status).toBe(200)
  const attributesOf = (id: string) =>
    body.Resources.find((one: { id: string }) => one.id === id).attributes as {
      name: string
      mutability: string
      subAttributes?: { name: string }[]
    }[]
  const written: Record<string, unknown> = {
    displayName: 'Changed Name',
    'name.formatted': 'Changed Name',
    nickName: 'Changed nickname',
    userType: 'student',
    active: false,
    'emails[type eq "work"].value': 'v1.changed@example.edu',
    'phoneNumbers[type eq "mobile"].value': '+8613800001111',
    [`${ENTERPRISE}:department`]: 'Art',
  }
  const named = attributesOf(`${CORE}:User`).filter(({ mutability }) => mutability === 'readWrite')
  const stems = new Set(Object.keys(written).map((path) => path.split(/[.[]/)[0]))
  expect(named.map(({ name }) => name).toSorted()).toEqual(
    [...stems].filter((name) => name !== undefined && !name.startsWith('urn')).toSorted(),
  )
  expect(attributesOf(ENTERPRISE).map(({ name }) => name)).toEqual(['department'])
  expect(attributesOf(`${CORE}:Group`).map(({ name }) => name)).toEqual(['displayName', 'members'])
  const id = await make('v1')
  const steps = Object.entries(written).map(([path, value]) => ({ op: 'Replace', path, value }))
  expect((await patch(`/Users/${id}`, ...steps)).status).toBe(200)
  expect((await entra.call('GET', `/Users/${id}`)).body).toMatchObject({
    displayName: 'Changed Name',
    name: { formatted: 'Changed Name' },
    nickName: 'Changed nickname',
    userType: 'student',
    active: false,
    emails: [{ value: 'v1.changed@example.edu' }],
    phoneNumbers: [{ value: '+8613800001111' }],
    [ENTERPRISE]: { department: 'Art' },
  })
})

test('empty texts and nulls empty what is optional, once and again', async () => {
  const id = await make('v2', { nickName: 'Nick', phoneNumbers: [{ type: 'mobile', value: '13800002222' }] })
  const paths = ['nickName', 'emails[type eq "work"].value', 'phoneNumbers[type eq "mobile"].value', 'title']
  for (const value of ['', null]) {
    const steps = paths.map((path) => ({ op: 'Replace', path, value }))
    expect((await patch(`/Users/${id}`, ...steps)).status).toBe(200)
    const { body } = await entra.call('GET', `/Users/${id}`)
    expect([body.nickName, body.emails, body.phoneNumbers, body.title]).toEqual(Array(4).fill(undefined))
  }
  const back = await patch(
    `/Users/${id}`,
    { op: 'Add', path: 'emails[type eq "work"].value', value: 'v2.again@example.edu' },
    { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '13800002223' },
  )
  expect(back.body).toMatchObject({ emails: [{ value: 'v2.again@example.edu' }], phoneNumbers: [{ type: 'mobile' }] })
})

test('somebody who is disabled is still found, says so, and is enabled again in any way that flags are written', async () => {
  const id = await make('v3')
  const states = [
    [{ op: 'Replace', path: 'active', value: 'False' }, false],
    [{ op: 'Replace', value: { active: 'True' } }, true],
    [{ op: 'replace', path: 'active', value: false }, false],
    [{ op: 'Add', path: 'active', value: 'true' }, true],
  ] as const
  for (const [step, active] of states) {
    await patch(`/Users/${id}`, step)
    const found = (await entra.call('GET', usersWhere('userName eq "v3"'))).body
    expect(found).toMatchObject({ totalResults: 1, Resources: [{ id, active }] })
  }
})

test('somebody who is deleted is found no longer, and comes back with a new creation', async () => {
  const id = await make('v4')
  expect((await entra.call('POST', '/Users', byEntra('v4'))).body).toMatchObject({
    status: '409',
    scimType: 'uniqueness',
  })
  expect((await entra.call('DELETE', `/Users/${id}`)).status).toBe(204)
  for (const filter of ['userName eq "v4"', 'externalId eq "entra-v4"'])
    expect((await entra.call('GET', usersWhere(filter))).body).toMatchObject({ totalResults: 0, Resources: [] })
  const gone = await entra.call('GET', `/Users/${id}`)
  expect([gone.status, gone.body.schemas]).toEqual([404, ['urn:ietf:params:scim:api:messages:2.0:Error']])
  expect((await entra.call('DELETE', `/Users/${id}`)).status).toBe(404)
  const again = await entra.call('POST', '/Users', byEntra('v4', { displayName: 'Back again' }))
  expect(again).toMatchObject({ status: 201, body: { userName: 'v4', active: true, displayName: 'Back again' } })
  expect((await entra.call('GET', usersWhere('externalId eq "entra-v4"'))).body.totalResults).toBe(1)
})

test('a manager is set, changed and removed without an error, though none is stored', async () => {
  const id = await make('v5')
  const path = `${ENTERPRISE}:manager`
  const steps = [
    { op: 'Add', path, value: id },
    { op: 'Add', path, value: [{ $ref: `../Users/${id}`, value: id }] },
    { op: 'Replace', path, value: { value: id } },
    { op: 'Replace', path: `${path}.value`, value: '' },
    { op: 'Remove', path },
  ]
  for (const step of steps) expect(await patch(`/Users/${id}`, step)).toMatchObject({ status: 200 })
  expect((await entra.call('GET', `/Users/${id}`)).body[ENTERPRISE]).toEqual({ department: 'Computing' })
})

test('a group is created, renamed, filled, emptied, deleted and created again', async () => {
  const [first, second] = [await make('v6a'), await make('v6b')]
  const made = await makeGroup('Validated')
  expect(made).toMatchObject({ status: 201, body: { displayName: 'Validated', externalId: 'id of Validated' } })
  const place = `/Groups/${made.body.id}`
  expect(
    (await patch(place, { op: 'Replace', value: { id: made.body.id, displayName: 'Validated twice' } })).status,
  ).toBe(200)
  expect((await groupsNamed('Validated')).body.totalResults).toBe(0)
  const [found] = (await groupsNamed('Validated twice')).body.Resources
  expect(found.id).toBe(made.body.id)
  expect(found).not.toHaveProperty('members')
  const members = async () =>
    ((await entra.call('GET', place)).body.members ?? []).map(({ value }: { value: string }) => value).toSorted()
  await patch(place, {
    op: 'Add',
    path: 'members',
    value: [
      { $ref: null, value: first },
      { $ref: null, value: second },
    ],
  })
  expect(await members()).toEqual([first, second].toSorted())
  await patch(place, { op: 'Remove', path: `members[value eq "${first}"]` })
  expect(await members()).toEqual([second])
  await patch(place, { op: 'Replace', path: 'members', value: [{ value: first }] })
  expect(await members()).toEqual([first])
  await patch(place, { op: 'Remove', path: 'members', value: [{ $ref: null, value: first }] })
  expect(await members()).toEqual([])
  expect((await entra.call('DELETE', place)).status).toBe(204)
  expect((await entra.call('GET', place)).status).toBe(404)
  expect((await groupsNamed('Validated twice')).body.totalResults).toBe(0)
  expect((await makeGroup('Validated twice')).status).toBe(201)
})

test('pages follow each other without a gap, for people and for groups', async () => {
  for (let at = 0; at < 12; at++) {
    await make(`v7-${at}`)
    expect((await makeGroup(`Page ${at}`)).status).toBe(201)
  }
  for (const path of ['/Users', '/Groups']) {
    const seen: string[] = []
    let total = 1
    for (let startIndex = 1; startIndex <= total; startIndex += 5) {
      const { status, body } = await entra.call('GET', `${path}?startIndex=${startIndex}&count=5`)
      expect([status, body.startIndex]).toEqual([200, startIndex])
      total = body.totalResults
      seen.push(...body.Resources.map(({ id }: { id: string }) => id))
    }
    expect(total).toBeGreaterThan(10)
    expect(new Set(seen).size).toBe(total)
  }
})

test('a wrong token is told from a wrong request, and the test of a connection finds nobody', async () => {
  const probe = usersWhere('userName eq "0f6a3a8e-no-such-user"')
  expect(await entra.call('GET', probe)).toMatchObject({ status: 200, body: { totalResults: 0, Resources: [] } })
  expect((await callScim(server.url, 'wrong', 'GET', probe)).status).toBe(401)
  expect((await entra.call('GET', '/Users?filter=userName%20equals%20x')).body).toMatchObject({
    status: '400',
    scimType: 'invalidFilter',
  })
})
