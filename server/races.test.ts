import { afterAll, beforeAll, expect, test } from 'vitest'
import { hold, lockWaits } from './testing/lock-waits.ts'
import { casFields, clientFields, managing } from './testing/managing.ts'
import { openPortal, type Portal, type Reply } from './testing/portal.ts'
import { until } from './testing/process.ts'
import { startTestServer, type TestServer } from './testing/server.ts'

let server: TestServer
let admin: Portal
beforeAll(async () => {
  server = await startTestServer()
  admin = await openPortal(server, { isSuperUser: true })
  for (const appId of ['desk', 'shelf']) await managing(admin).create(casFields(appId, { type: 'system' }))
})
afterAll(() => server.close())

const post = <T = { id: string }>(path: string, body: object) => admin.call<T>(path, { body })
const codeOf = ({ status, envelope }: Reply) => [status, envelope.code]

let made = 0
async function makeOne(noun: string, more: object = {}): Promise<string> {
  made += 1
  return (await post(`/${noun}/create/`, { code: `made-${made}`, name: `Made ${made}`, ...more })).data.id
}

/** Until `count` statements like this wait for a lock. */
const waits = (like: string, count = 1) =>
  until(async () => (await lockWaits(server.platform.sql, like)) >= count, 20_000)

/** The first has written everything but its audit record when the second has already checked. */
const holdRecords = (like: string) =>
  hold(server.platform.sql, (sql) => sql`lock table audit_records in share mode`, like)

async function atOnce(like: string, calls: (() => Promise<Reply>)[]) {
  const { reached, release } = await holdRecords(like)
  const answers = Promise.all(calls.map((call) => call()))
  await reached()
  await release()
  return (await answers).map(codeOf).toSorted()
}

const twice = (call: () => Promise<Reply>) => [call, call]

test('of two new things created at once with one code, the slower is told that it is taken', async () => {
  const role = { code: 'both', name: 'Both' }
  const taken = (code: string) => [
    [200, undefined],
    [409, code],
  ]
  const inserting = '%insert into roles%'
  expect(
    await atOnce(
      inserting,
      twice(() => post('/role/create/', role)),
    ),
  ).toEqual(taken('role.code-taken'))
  const category = () => post('/application_category/create/', role)
  expect(await atOnce('%pg_advisory_xact_lock%', twice(category))).toEqual(taken('application-category.code-taken'))
  const application = () => post('/application_manage/create/', casFields('both'))
  const upserting = '%insert into applications%'
  expect(await atOnce(upserting, twice(application))).toEqual(taken('application.code-taken'))
  const clients = ['one', 'other'].map(
    (appId) => () => post('/application_manage/create/', clientFields(appId, { clientId: 'shared' })),
  )
  expect(await atOnce(upserting, clients)).toEqual(taken('application.client-id-taken'))
  const service = { '@class': 'x.RegexRegisteredService', id: 4711, name: 'S', serviceId: 'https://s.test/' }
  const files = [{ name: 'a.json', text: JSON.stringify(service) }]
  const imported = () => post('/application_manage/import/run/', { files })
  expect(await atOnce(upserting, twice(imported))).toEqual(taken('application.code-taken'))
})

test('of two roles changed to one code at once, the slower keeps its own', async () => {
  const ids = [await makeOne('role'), await makeOne('role')]
  const rename = (id: string) => () =>
    post(`/role/${id}/update/`, { version: 1, code: 'wanted', name: 'Wanted', names: {}, description: '' })
  expect(await atOnce('%update roles%', ids.map(rename))).toEqual([
    [200, undefined],
    [409, 'role.code-taken'],
  ])
})

test('an application put into a category that is being deleted is told that it no longer exists', async () => {
  const categoryId = await makeOne('application_category')
  const { id } = await managing(admin).create(casFields('filed'))
  const { reached, release } = await holdRecords('%insert into audit_records%')
  const deletion = post(`/application_category/${categoryId}/delete/`, {})
  await reached()
  const change = managing(admin).update(id, 1, { categoryId })
  await waits('%insert into applications%')
  await release()
  expect((await deletion).status).toBe(200)
  expect(codeOf(await change)).toEqual([404, 'application-category.not-found'])
})

type Kind = 'organization' | 'category' | 'role'

const KINDS: Record<Kind, string> = { organization: 'organization', category: 'user_category', role: 'role' }

async function subjectOf(kind: Kind): Promise<{ id: string; remove: () => Promise<Reply> }> {
  const id = await makeOne(KINDS[kind], kind === 'organization' ? { parentId: null } : {})
  return { id, remove: () => post(`/${KINDS[kind]}/${id}/delete/`, { version: 1 }) }
}

/** Deletes a subject that already has a grant, for which the deletion waits after it has deleted the subject. */
async function deleting(kind: Kind) {
  const { id, remove } = await subjectOf(kind)
  await post('/application_grant/bind/', { memberId: id, appIds: ['desk'] })
  const { reached, release } = await hold(
    server.platform.sql,
    (sql) => sql`select from application_grants where subject_id = ${id} for update`,
    '%delete from%',
  )
  const deletion = remove()
  await reached()
  return { id, deletion, release }
}

test.each(['organization', 'category'] as const)(
  'assigning a person to something that is being deleted fails as not found: %s',
  async (kind) => {
    const { id, deletion, release } = await deleting(kind)
    const field = `${kind}Id`
    const creation = post('/user_information/create/', { account: `late-${kind}`, name: 'Late', [field]: id })
    await waits('%insert into users%')
    await release()
    expect((await deletion).status).toBe(200)
    const { status, envelope } = await creation
    expect([status, envelope.code, envelope.data]).toEqual([
      400,
      'request.invalid',
      { fields: [{ field, reason: expect.any(String) }] },
    ])
  },
)

/** Where the deletion of something in use waits; an organisation writes its audit record first. */
const DELETION_WAITS: Record<Kind, [like: string, count: number]> = {
  organization: ['%insert into audit_records%', 2],
  category: ['%delete from%', 1],
  role: ['%from roles%for update%', 1],
}

const leftOf = async (subjectId: string) => {
  const { sql } = server.platform
  return [
    ...(await sql`select 'grant' as kind from application_grants where subject_id = ${subjectId}`),
    ...(await sql`select 'role' as kind from role_member_groups where subject_id = ${subjectId}`),
  ]
}

/** The same action once while its subject is being deleted, and once just before. */
async function aroundDeletion<T>(kind: Kind, act: (id: string) => Promise<T>) {
  const first = await deleting(kind)
  const late = act(first.id)
  await waits('%for key share%')
  await first.release()
  expect((await first.deletion).status).toBe(200)
  const { id, remove } = await subjectOf(kind)
  const { reached, release } = await holdRecords('%insert into audit_records%')
  const early = act(id)
  await reached()
  const deletion = remove()
  await waits(...DELETION_WAITS[kind])
  await release()
  const answers = { late: await late, early: await early }
  expect((await deletion).status).toBe(200)
  return { ...answers, lateId: first.id, left: [...(await leftOf(first.id)), ...(await leftOf(id))] }
}

test.each(['organization', 'category', 'role'] as const)(
  'nothing can be granted to something that is being deleted, and a grant made just before is deleted with it: %s',
  async (kind) => {
    const appIds = ['shelf']
    const bind = (memberId: string) => post<{ changed: number }>('/application_grant/bind/', { memberId, appIds })
    const { late, early, left } = await aroundDeletion(kind, bind)
    expect(codeOf(late)).toEqual([404, 'application-grant.member-not-found'])
    expect(early.data).toMatchObject({ changed: 1 })
    expect(left).toEqual([])
  },
)

test.each(['organization', 'category'] as const)(
  'something that is being deleted can not become a role member, and one made just before is deleted with it: %s',
  async (kind) => {
    const roleId = await makeOne('role')
    const join = (id: string) => post<{ changed: number }>(`/role/${roleId}/member/add/`, { kind, ids: [id] })
    const { late, early, lateId, left } = await aroundDeletion(kind, join)
    expect(late.data).toMatchObject({ changed: 0, refused: [{ id: lateId }] })
    expect(early.data).toMatchObject({ changed: 1 })
    expect(left).toEqual([])
  },
)
