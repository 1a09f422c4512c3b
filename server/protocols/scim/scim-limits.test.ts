import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ScimClient } from '#shared/contract/scim-clients.ts'
import { hold, lockWaits } from '../../testing/lock-waits.ts'
import type { Portal } from '../../testing/portal.ts'
import { until } from '../../testing/process.ts'
import type { school } from '../../testing/school.ts'
import { ENTERPRISE, openScim, openScimSchool, patchOf, type ScimReply, type ScimSession } from '../../testing/scim.ts'
import type { TestServer } from '../../testing/server.ts'

const GROUP = 'urn:gatehouse:params:scim:schemas:extension:1.0:Group'
const NOTHING = { disabled: 0, moved: 0, renamed: 0, created: 0 }
let server: TestServer
let root: Portal
/** Creates what others change; nothing is limited that it does. */
let hr: ScimSession
let ids: Awaited<ReturnType<typeof school>>
beforeAll(async () => {
  ;({ server, root, hr, ids } = await openScimSchool())
})
afterAll(() => server.close())

let clients = 0
const limited = (fields: object) => openScim(root, { name: `Limited ${++clients}`, callsPerMinute: 6000, ...fields })
const statusOf = (...answers: ScimReply[]) => answers.map(({ status }) => status)
const countsOf = async ({ client }: ScimSession) =>
  (await root.call<ScimClient>(`/scim_client/${client.id}/details/`)).data.changedLastDay
const release = ({ client }: ScimSession) =>
  root.call(`/scim_client/${client.id}/release/`, { body: { reason: 'Checked' } })

let people = 0
const person = async (more: object = {}): Promise<string> => {
  const userName = `limit-${++people}`
  const fields = { userName, displayName: userName, [ENTERPRISE]: { department: 'cs' }, ...more }
  return (await hr.call('POST', '/Users', fields)).body.id
}
const persons = async (count: number): Promise<string[]> => {
  const made: string[] = []
  while (made.length < count) made.push(await person())
  return made
}
const group = async (displayName: string, more?: object): Promise<string> => {
  const extension = more && { [GROUP]: { kind: 'organization', code: displayName, ...more } }
  return (await hr.call('POST', '/Groups', { displayName, ...extension })).body.id
}
const toDepartment = (value: string) => patchOf({ op: 'replace', path: `${ENTERPRISE}:department`, value })
const toName = (value: string) => patchOf({ op: 'replace', path: 'displayName', value })
const toParent = (value: string) => patchOf({ op: 'replace', path: `${GROUP}:parent`, value: { value } })
const stored = async (id: string | undefined) => {
  const [row] = await server.platform.sql`
    select u.name, u.enabled, o.code as department, (select count(*)::int from user_organizations s where s.user_id = u.id) as secondary
    from users u left join organizations o on o.id = u.organization_id where u.id = ${id ?? null}`
  return { ...row }
}

test('a client moves as many people as it may, by PATCH, PUT and Bulk; a department that they have already counts nothing', async () => {
  const client = await limited({ maxMovedPerDay: 2 })
  const [one = '', two = '', three = ''] = await persons(3)
  const patch = (id: string, department: string, headers = {}) =>
    client.call('PATCH', `/Users/${id}`, toDepartment(department), headers)
  expect(statusOf(await patch(one, 'cs'), await patch(three, 'Computing'))).toEqual([200, 200])
  expect(await countsOf(client)).toEqual(NOTHING)
  expect((await patch(one, 'art')).status).toBe(200)
  const put = await client.call('PUT', `/Users/${two}`, { [ENTERPRISE]: { department: 'art' } })
  expect(put.status).toBe(200)
  // Somebody who has been counted goes back and forth.
  expect(statusOf(await patch(one, 'cs'), await patch(one, 'art'))).toEqual([200, 200])
  expect(await countsOf(client)).toEqual({ ...NOTHING, moved: 2 })
  const refused = await patch(three, 'art', { 'accept-language': 'en' })
  expect([refused.status, refused.body.detail]).toEqual([
    403,
    'The client may move 2 people and organisations within 24 hours. Nothing else is moved until an administrator releases it.',
  ])
  const chinese = await patch(three, 'art', { 'accept-language': 'zh-TW' })
  expect(chinese.body.detail).toContain('最多調動 2 個')
  const data = { [ENTERPRISE]: { department: 'art' }, nickName: 'Not written either' }
  const Operations = [
    { method: 'PUT', path: `/Users/${three}`, data },
    { method: 'PATCH', path: `/Users/${three}`, data: patchOf({ op: 'add', path: 'nickName', value: 'Written' }) },
  ]
  const bulk = await client.call('POST', '/Bulk', { Operations })
  expect(bulk.body.Operations.map(({ status }: { status: string }) => status)).toEqual(['403', '200'])
  expect((await stored(three))['department']).toBe('cs')
  expect((await client.call('GET', `/Users/${three}`)).body.nickName).toBe('Written')
})

test('secondary departments and parents of organisations count as moves, a first department does not', async () => {
  const client = await limited({ maxMovedPerDay: 3 })
  const choir = await group('limit-choir', {})
  const fresh = await person({ [ENTERPRISE]: undefined })
  const [one = '', two = '', three = ''] = await persons(3)
  const join = (...members: string[]) =>
    client.call(
      'PATCH',
      `/Groups/${choir}`,
      patchOf({ op: 'add', path: 'members', value: members.map((value) => ({ value })) }),
    )
  expect((await join(fresh)).status).toBe(200)
  expect(await stored(fresh)).toMatchObject({ department: 'limit-choir' })
  expect(await countsOf(client)).toEqual(NOTHING)
  expect((await join(one, two)).status).toBe(200)
  expect((await client.call('PATCH', `/Groups/${choir}`, toParent(ids.organizationId('school')))).status).toBe(200)
  expect(await countsOf(client)).toEqual({ ...NOTHING, moved: 3 })
  expect((await join(three)).status).toBe(403)
  expect(await stored(three)).toMatchObject({ secondary: 0 })
  // Beyond the limit all of a request is refused.
  const wide = await limited({ maxMovedPerDay: 1 })
  const leave = await wide.call(
    'PATCH',
    `/Groups/${choir}`,
    patchOf({ op: 'replace', path: 'members', value: [{ value: fresh }] }),
  )
  expect(leave.status).toBe(403)
  expect([await stored(one), await stored(two)]).toMatchObject([{ secondary: 1 }, { secondary: 1 }])
})

test('people, organisations and roles that get another name count together; the same name counts nothing', async () => {
  const client = await limited({ maxRenamedPerDay: 3 })
  const [one = '', two = ''] = await persons(2)
  const [role, place] = [await group('Limit role'), await group('limit-place', {})]
  const rename = (path: string, name: string) => client.call('PATCH', path, toName(name))
  const { name } = await stored(one)
  expect(statusOf(await rename(`/Users/${one}`, name), await rename(`/Groups/${role}`, 'Limit role'))).toEqual([
    200, 200,
  ])
  expect(await countsOf(client)).toEqual(NOTHING)
  const renamed = [
    await rename(`/Users/${one}`, 'Other'),
    await rename(`/Groups/${role}`, 'Other role'),
    await client.call('PUT', `/Groups/${place}`, { displayName: 'Other place' }),
  ]
  expect(statusOf(...renamed)).toEqual([200, 200, 200])
  expect(await countsOf(client)).toEqual({ ...NOTHING, renamed: 3 })
  const refused = await client.call('PUT', `/Users/${two}`, { displayName: 'Other' }, { 'accept-language': 'en' })
  expect(refused.status).toBe(403)
  expect(refused.body.detail).toContain('may rename 3 people, organisations and roles')
  expect((await stored(two))['name']).not.toBe('Other')
})

test('creations are limited if a limit is set, and otherwise not even counted', async () => {
  const client = await limited({ maxCreatedPerDay: 3 })
  const create = (userName: string, session = client) =>
    session.call('POST', '/Users', { userName, displayName: userName }, { 'accept-language': 'en' })
  const extension = { [GROUP]: { kind: 'organization', code: 'limit-made' } }
  const made = [
    await create('made-1'),
    await client.call('POST', '/Groups', { displayName: 'Made role' }),
    await client.call('POST', '/Groups', { displayName: 'Made place', ...extension }),
  ]
  expect(statusOf(...made)).toEqual([201, 201, 201])
  const Operations = ['made-2', 'made-3'].map((userName) => {
    return { method: 'POST', path: '/Users', bulkId: userName, data: { userName, displayName: userName } }
  })
  const bulk = await client.call('POST', '/Bulk', { Operations })
  expect(bulk.body.Operations.map(({ status }: { status: string }) => status)).toEqual(['403', '403'])
  expect((await create('made-4')).body.detail).toContain('may create 3 people, organisations and roles')
  const [row] = await server.platform.sql`select count(*)::int as n from users where account like 'made-%'`
  expect(row).toEqual({ n: 1 })
  const free = await limited({ maxCreatedPerDay: null })
  expect(statusOf(await create('free-1', free), await create('free-2', free))).toEqual([201, 201])
  expect(await countsOf(free)).toEqual(NOTHING)
})

test('a change that moves, renames and disables counts as each of them, and is refused as a whole by any', async () => {
  const client = await limited({ maxDisabledPerDay: 2 })
  const [one = '', two = '', three = ''] = await persons(3)
  const data = { displayName: 'Gone', active: false, [ENTERPRISE]: { department: 'art' } }
  const patch = patchOf({
    op: 'replace',
    value: { displayName: 'Gone', active: false, [`${ENTERPRISE}:department`]: 'art' },
  })
  const answers = [
    await client.call('PUT', `/Users/${one}`, data),
    await client.call('PATCH', `/Users/${two}`, patch),
    await client.call('PUT', `/Users/${three}`, data),
  ]
  expect(statusOf(...answers)).toEqual([200, 200, 403])
  expect(await countsOf(client)).toEqual({ disabled: 2, moved: 2, renamed: 2, created: 0 })
  expect(await stored(three)).toMatchObject({ enabled: true, department: 'cs' })
})

test('roles and empty organisations that the client deletes count as disabled', async () => {
  const client = await limited({ maxDisabledPerDay: 2 })
  const made: string[] = []
  for (const displayName of ['Gone 1', 'Gone 2', 'Gone 3']) {
    const extension = displayName === 'Gone 2' && { [GROUP]: { kind: 'organization', code: 'gone-2' } }
    made.push((await client.call('POST', '/Groups', { displayName, ...extension })).body.id)
  }
  const gone: number[] = []
  for (const id of made) gone.push((await client.call('DELETE', `/Groups/${id}`)).status)
  expect(gone).toEqual([204, 204, 403])
  expect((await client.call('GET', `/Groups/${made[2]}`)).status).toBe(200)
})

test('requests at once are counted one after the other', async () => {
  const { sql } = server.platform
  const client = await limited({ maxMovedPerDay: 1 })
  const made = await persons(3)
  const lock = await hold(
    sql,
    (connection) => connection`select from scim_clients where id = ${client.client.id} for no key update`,
    '%scim_clients%',
  )
  const calls = made.map((id) => client.call('PATCH', `/Users/${id}`, toDepartment('art')))
  // Each has written, and none has been counted.
  await until(async () => (await lockWaits(sql, '%scim_clients%')) === made.length, 20_000)
  await lock.release()
  expect(statusOf(...(await Promise.all(calls))).toSorted()).toEqual([200, 403, 403])
  const moved = await Promise.all(made.map(stored))
  expect(moved.filter(({ department }) => department === 'art')).toHaveLength(1)
})

test('memberships and moves at once wait for each other without a deadlock', async () => {
  const client = await limited({ maxMovedPerDay: 100 })
  const made = await persons(6)
  const [choir, team] = [await group('limit-race-1', {}), await group('limit-race-2', {})]
  const join = (id: string, of: readonly string[]) =>
    client.call(
      'PATCH',
      `/Groups/${id}`,
      patchOf({ op: 'add', path: 'members', value: of.map((value) => ({ value })) }),
    )
  const answers = await Promise.all([
    join(choir, made),
    join(team, made.toReversed()),
    client.call('PATCH', `/Groups/${choir}`, toParent(ids.organizationId('school'))),
    ...made.map((id) => client.call('PATCH', `/Users/${id}`, toDepartment('art'))),
  ])
  expect(statusOf(...answers)).toEqual(Array(9).fill(200))
  expect(await countsOf(client)).toEqual({ ...NOTHING, moved: 7 })
})

test('each kind that holds a client is recorded once, and a release lets it go on with all of them', async () => {
  const client = await limited({ maxMovedPerDay: 1, maxRenamedPerDay: 1, maxDisabledPerDay: 0, maxCreatedPerDay: 0 })
  const [one = '', two = ''] = await persons(2)
  const both = (id: string, value: string) => [
    () => client.call('PATCH', `/Users/${id}`, toDepartment(value)),
    () => client.call('PATCH', `/Users/${id}`, toName(`To ${value}`)),
  ]
  const run = async (calls: (() => Promise<ScimReply>)[]) => {
    const answers: ScimReply[] = []
    for (const call of calls) answers.push(await call())
    return statusOf(...answers)
  }
  expect(await run(both(one, 'art'))).toEqual([200, 200])
  expect(await run([...both(two, 'art'), ...both(two, 'art')])).toEqual(Array(4).fill(403))
  expect((await client.call('DELETE', `/Users/${two}`)).status).toBe(403)
  expect((await client.call('POST', '/Users', { userName: 'held', displayName: 'Held' })).status).toBe(403)
  const held = await server.platform.sql<{ after: object }[]>`
    select after from audit_records where action = 'scim-client.hold' and target_id = ${client.client.id} order by at, id`
  const { name } = client.client
  expect(held.map(({ after }) => after)).toEqual([
    { client: name, maxMovedPerDay: 1 },
    { client: name, maxRenamedPerDay: 1 },
    { client: name, maxDisabledPerDay: 0 },
    { client: name, maxCreatedPerDay: 0 },
  ])
  await release(client)
  expect(await countsOf(client)).toEqual(NOTHING)
  const [record] = await server.platform.sql<{ after: object }[]>`
    select after from audit_records where action = 'scim-client.release' and target_id = ${client.client.id}`
  expect(record?.after).toEqual({ client: name, changedLastDay: { moved: 1, renamed: 1 } })
  expect(await run(both(two, 'art'))).toEqual([200, 200])
  expect(await countsOf(client)).toEqual({ ...NOTHING, moved: 1, renamed: 1 })
  // Somebody who was counted before the release counts again.
  expect(await run(both(one, 'cs'))).toEqual([403, 403])
})
