import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertPerson, type Portal } from '../../testing/portal.ts'
import type { school } from '../../testing/school.ts'
import { openScimSchool, patchOf, type ScimSession } from '../../testing/scim.ts'
import type { TestServer } from '../../testing/server.ts'

const EXTENSION = 'urn:gatehouse:params:scim:schemas:extension:1.0:Group'
let server: TestServer
let root: Portal
let hr: ScimSession
let ids: Awaited<ReturnType<typeof school>>
beforeAll(async () => {
  ;({ server, root, hr, ids } = await openScimSchool())
})
afterAll(() => server.close())

const member = (value: string) => ({ value })
const memberIds = ({ body }: { body: { members?: { value: string }[] } }) =>
  (body.members ?? []).map(({ value }) => value).toSorted()
const createGroup = (fields: object) =>
  hr.call('POST', '/Groups', { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], ...fields })
const departmentOf = async (id: string) =>
  (await server.platform.sql`select organization_id as id from users where id = ${id}`)[0]?.['id']

test('a group of Entra ID becomes a role: created, searched for, members added, checked, removed', async () => {
  const made = await createGroup({ externalId: 'g-1', displayName: 'Librarians', members: [] })
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({ displayName: 'Librarians', externalId: 'g-1', [EXTENSION]: { kind: 'role' } })
  const { id } = made.body
  const found = await hr.call(
    'GET',
    `/Groups?excludedAttributes=members&filter=${encodeURIComponent('displayName eq "librarians"')}`,
  )
  expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id }] })
  expect(found.body.Resources[0].members).toBeUndefined()
  const [first, second] = [ids.id('20260001'), ids.id('20260002')]
  await hr.call(
    'PATCH',
    `/Groups/${id}`,
    patchOf({ op: 'Add', path: 'members', value: [member(first), member(second)] }),
  )
  const isMember = async (user: string) => {
    const filter = encodeURIComponent(`id eq "${id}" and members[value eq "${user}"]`)
    return (await hr.call('GET', `/Groups?filter=${filter}&excludedAttributes=members`)).body.totalResults
  }
  expect(await isMember(first)).toBe(1)
  await hr.call('PATCH', `/Groups/${id}`, patchOf({ op: 'Remove', path: 'members', value: [member(first)] }))
  expect(await isMember(first)).toBe(0)
  const left = await hr.call('PATCH', `/Groups/${id}`, patchOf({ op: 'remove', path: `members[value eq "${second}"]` }))
  expect(left.status).toBe(200)
  expect(memberIds(left)).toEqual([])
  const again = patchOf(
    { op: 'add', value: { members: [member(second)] } },
    { op: 'replace', path: 'displayName', value: 'Readers' },
  )
  const renamed = await hr.call('PATCH', `/Groups/${id}`, again)
  expect([renamed.body.displayName, memberIds(renamed)]).toEqual(['Readers', [second]])
  const actions = await server.platform.sql`select action from audit_records where target_id = ${id} order by at, id`
  expect(actions.map(({ action }) => action)).toEqual([
    'role.create',
    ...Array(2).fill('role.join'),
    'role.leave',
    'role.leave',
    'role.update',
    'role.join',
  ])
})

test('a PUT without members keeps them, an empty list removes them, and unknown ones are rejected', async () => {
  const all = ['20260001', '20260002'].map((account) => ids.id(account)).toSorted()
  const { body } = await createGroup({ displayName: 'Put', members: all.map(member) })
  const put = (fields: object) => hr.call('PUT', `/Groups/${body.id}`, { displayName: 'Put', ...fields })
  expect(memberIds(await put({}))).toEqual(all)
  expect(memberIds(await put({ members: [member(ids.id('20260003'))] }))).toEqual([ids.id('20260003')])
  const unknown = await put({ members: [member('00000000-0000-7000-8000-000000000000')] })
  expect([unknown.status, unknown.body.scimType]).toEqual([400, 'invalidValue'])
  const nonsense = await put({ members: [member('nobody')] })
  expect(nonsense.status).toBe(400)
  expect(memberIds(await hr.call('GET', `/Groups/${body.id}`))).toEqual([ids.id('20260003')])
  expect(memberIds(await put({ members: [] }))).toEqual([])
})

test('organisations are groups too: created below others, renamed, moved, and never in a cycle', async () => {
  const below = (value: string, more: object = {}) => ({
    [EXTENSION]: { kind: 'organization', parent: { value }, ...more },
  })
  const faculty = await createGroup({ displayName: 'Science', ...below(ids.organizationId('school'), { code: 'sci' }) })
  expect(faculty.body[EXTENSION]).toMatchObject({
    kind: 'organization',
    code: 'sci',
    parent: { value: ids.organizationId('school') },
  })
  const institute = await createGroup({ displayName: 'Physics', ...below(faculty.body.id, { code: 'phy' }) })
  const path = `${EXTENSION}:parent`
  const move = (id: string, value: string) =>
    hr.call('PATCH', `/Groups/${id}`, patchOf({ op: 'replace', path, value: { value } }))
  const circle = await move(faculty.body.id, institute.body.id)
  expect([circle.status, circle.body.scimType]).toEqual([400, 'invalidValue'])
  expect((await move(institute.body.id, ids.organizationId('cs'))).body[EXTENSION].parent.value).toBe(
    ids.organizationId('cs'),
  )
  const [row] = await server.platform
    .sql`select ancestor_ids as path from organizations where id = ${institute.body.id}`
  expect(row?.['path']).toEqual([ids.organizationId('school'), ids.organizationId('cs'), institute.body.id])
  const taken = await createGroup({ displayName: 'Other', ...below(ids.organizationId('school'), { code: 'sci' }) })
  expect([taken.status, taken.body.scimType]).toEqual([409, 'uniqueness'])
})

test('a new member of an organisation gets it as department, or as a secondary one, and keeps the department they have', async () => {
  const { body } = await createGroup({ displayName: 'Choir', [EXTENSION]: { kind: 'organization', code: 'choir' } })
  const fresh = (await hr.call('POST', '/Users', { userName: 'fresh', displayName: 'Fresh' })).body.id as string
  const settled = ids.id('20260001')
  const patch = (...operations: object[]) => hr.call('PATCH', `/Groups/${body.id}`, patchOf(...operations))
  const joined = await patch({ op: 'add', path: 'members', value: [member(fresh), member(settled)] })
  expect(memberIds(joined)).toEqual([fresh, settled].toSorted())
  expect([await departmentOf(fresh), await departmentOf(settled)]).toEqual([body.id, ids.organizationId('cs')])
  expect(memberIds(await patch({ op: 'remove', path: `members[value eq "${settled}"]` }))).toEqual([fresh])
  const own = await patch({ op: 'remove', path: `members[value eq "${fresh}"]` })
  expect([own.status, await departmentOf(fresh)]).toEqual([400, body.id])
})

test('a role can be deleted only by its creator and while nothing is granted to it; an organisation with people is disabled', async () => {
  const { data } = await root.call<{ id: string }>('/role/create/', { body: { code: 'theirs', name: 'Theirs' } })
  expect((await hr.call('DELETE', `/Groups/${data.id}`)).status).toBe(403)
  const own = (await createGroup({ displayName: 'Ours' })).body.id
  expect((await hr.call('DELETE', `/Groups/${own}`)).status).toBe(204)
  expect((await hr.call('GET', `/Groups/${own}`)).status).toBe(404)
  expect((await hr.call('DELETE', `/Groups/${ids.organizationId('art')}`)).status).toBe(204)
  expect((await hr.call('GET', `/Groups/${ids.organizationId('art')}`)).status).toBe(404)
  const [art] = await server.platform.sql`select enabled from organizations where id = ${ids.organizationId('art')}`
  expect(art).toEqual({ enabled: false })
  expect(await departmentOf(ids.id('20260003'))).toBe(ids.organizationId('art'))
})

test('super users and administrators are unchanged, whatever memberships say', async () => {
  const boss = await insertPerson(server, { account: 'boss', isSuperUser: true })
  const { body } = await createGroup({ displayName: 'Guarded' })
  await root.call(`/role/${body.id}/member/add/`, { body: { kind: 'user', ids: [boss] } })
  const [row] = await server.platform.sql`select count(*)::int as n from role_members where role_id = ${body.id}`
  expect(row).toEqual({ n: 1 })
  const patch = (operation: object) => hr.call('PATCH', `/Groups/${body.id}`, patchOf(operation))
  expect((await patch({ op: 'remove', path: `members[value eq "${boss}"]` })).status).toBe(403)
  expect(memberIds(await patch({ op: 'replace', path: 'members', value: [] }))).toEqual([boss])
  const other = (await createGroup({ displayName: 'Other' })).body.id
  const add = await hr.call('PATCH', `/Groups/${other}`, patchOf({ op: 'add', path: 'members', value: [member(boss)] }))
  expect(add.status).toBe(403)
})

test('groups are found by their attributes, and paged', async () => {
  const total = async (filter: string) =>
    (await hr.call('GET', `/Groups?filter=${encodeURIComponent(filter)}`)).body.totalResults
  expect(await total(`${EXTENSION}:kind eq "organization" and ${EXTENSION}:code eq "cs"`)).toBe(1)
  expect(
    await total(`${EXTENSION}:parent.value eq "${ids.organizationId('school')}" and displayName eq "Computing"`),
  ).toBe(1)
  expect(await total('externalId eq "g-1"')).toBe(1)
  expect(await total('members.value eq "nobody"')).toBe(0)
  const { body } = await hr.call('GET', '/Groups?count=2&cursor=')
  expect(body.Resources).toHaveLength(2)
  expect(
    (await hr.call('GET', `/Groups?count=2&cursor=${body.nextCursor}`)).body.Resources[0].id > body.Resources[1].id,
  ).toBe(true)
})

test('a bulk creates people and their group, whatever their order, and reports the result of each', async () => {
  const operations = [
    {
      method: 'POST',
      path: '/Groups',
      bulkId: 'g',
      data: { displayName: 'Bulk', members: [member('bulkId:a'), member('bulkId:b')] },
    },
    { method: 'POST', path: '/Users', bulkId: 'a', data: { userName: 'bulk-a', displayName: 'A' } },
    { method: 'post', path: '/Users', bulkId: 'b', data: { userName: 'bulk-b', displayName: 'B' } },
    { method: 'POST', path: '/Users', bulkId: 'c', data: { userName: 'bulk-a', displayName: 'Twice' } },
    { method: 'PATCH', path: '/Users/bulkId:a', data: patchOf({ op: 'replace', path: 'nickName', value: 'Al' }) },
  ]
  const bulk = (Operations: object[], more: object = {}) =>
    hr.call('POST', '/Bulk', { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], Operations, ...more })
  const { status, body } = await bulk(operations)
  expect(status).toBe(200)
  const by = Object.fromEntries(body.Operations.map((one: { bulkId: string }) => [one.bulkId ?? 'patch', one]))
  expect([by.a.status, by.b.status, by.c.status, by.g.status, by.patch.status]).toEqual([
    '201',
    '201',
    '409',
    '201',
    '200',
  ])
  expect(by.c.response).toMatchObject({ status: '409', scimType: 'uniqueness' })
  const group = await hr.call('GET', by.g.location.replace(`${server.url}/scim/v2`, ''))
  expect(group.body.members).toHaveLength(2)
  expect((await hr.call('GET', by.a.location.replace(`${server.url}/scim/v2`, ''))).body.nickName).toBe('Al')
  const circle = await bulk([
    { method: 'POST', path: '/Groups', bulkId: '1', data: { displayName: 'One', externalId: 'bulkId:2' } },
    { method: 'POST', path: '/Groups', bulkId: '2', data: { displayName: 'Two', externalId: 'bulkId:1' } },
  ])
  expect(circle.body.Operations[0]).toMatchObject({ status: '409' })
  const stopped = await bulk(
    [...Array(3)].map((_, n) => ({ method: 'DELETE', path: `/Users/none-${n}` })),
    { failOnErrors: 2 },
  )
  expect(stopped.body.Operations).toHaveLength(2)
})
