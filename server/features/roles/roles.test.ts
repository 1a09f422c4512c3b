import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Role, RoleDetails, RoleMember } from '#shared/contract/roles.ts'
import { insertPerson, openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { applyBootstrap } from '../bootstrap/index.ts'
import { addRoleSearchKeys, roleRestorer } from './index.ts'

let server: TestServer
let admin: Portal
beforeAll(async () => {
  server = await startTestServer()
  await applyBootstrap(
    server.platform,
    {
      organizations: [
        { code: 'school', name: '学校' },
        { code: 'cs', name: '计算机', parent: 'school', names: { en: 'Computing' } },
      ],
      userCategories: [{ code: 'student', name: '学生' }],
      users: [{ account: 'lilei', name: '李雷', organization: 'cs', category: 'student' }],
    },
    { source: 'test' },
  )
  admin = await openPortal(server, { isSuperUser: true, account: 'root' })
})
afterAll(() => server.close())

type Page<Row> = { records: Row[]; total: number }

const idOf = async (table: string, code: string): Promise<string> => {
  const { sql } = server.platform
  const [row] = await sql<{ id: string }[]>`
    select id from ${sql(table)} where ${table === 'users' ? sql`account` : sql`code`} = ${code}`
  return row?.id ?? ''
}

let made = 0
async function makeRole(fields: object = {}): Promise<RoleDetails> {
  const code = `role-${++made}`
  const { data } = await admin.call<{ id: string }>('/role/create/', { body: { code, name: `角色${made}`, ...fields } })
  return await details(data.id)
}
const details = async (id: string) => (await admin.call<RoleDetails>(`/role/${id}/details/`)).data
const list = async (query = '') => (await admin.call<Page<Role>>(`/role/query/?pageSize=100&${query}`)).data
const members = async (id: string, query = '') =>
  (await admin.call<Page<RoleMember>>(`/role/${id}/member/?${query}`)).data
const lines = (targetId: string, action: string) =>
  server.platform.sql<
    { before: object; after: object; userId: string | null }[]
  >`select before, after, user_id from audit_records where target_id = ${targetId} and action = ${action} order by id`

test('a role is created with names in three languages, found by any of them and by pinyin, and counted', async () => {
  const role = await makeRole({
    code: 'library-staff',
    name: '图书馆员',
    names: { en: 'Librarians', zh_TW: '圖書館員' },
  })
  for (const search of ['图书', 'tushuguan', 'tsgy', 'Librar', '圖書', 'LIBRARY-'])
    expect(
      (await list(`search=${encodeURIComponent(search)}`)).records.map(({ id }) => id),
      search,
    ).toEqual([role.id])
  expect((await list('search=%25')).records).toEqual([])
  const english = await admin.call<Page<Role>>('/role/query/?search=library-staff', {
    headers: { 'accept-language': 'en' },
  })
  expect(english.data.records[0]).toMatchObject({ people: 0, organizations: 0, categories: 0, applications: 0 })
  expect(await lines(role.id, 'role.create')).toMatchObject([
    { before: null, after: { code: 'library-staff', organizations: [] } },
  ])
})

test('two roles never share a code, and a code that applications could not handle is rejected', async () => {
  const role = await makeRole()
  const twice = await admin.call('/role/create/', { body: { code: role.code, name: 'x' } })
  expect(twice.status).toBe(409)
  expect(twice.envelope).toMatchObject({ code: 'role.code-taken', data: { fields: ['code'] } })
  for (const code of ['', 'a b', '中文', '-x', 'x'.repeat(65), 'a,b'])
    expect((await admin.call('/role/create/', { body: { code, name: 'x' } })).status, code).toBe(400)
})

test('changing a role that was changed meanwhile shows its current state, and nothing is written', async () => {
  const role = await makeRole({ description: 'first' })
  const change = (version: number, description: string) =>
    admin.call<RoleDetails>(`/role/${role.id}/update/`, {
      body: { code: role.code, name: role.name, names: {}, description, version },
    })
  expect((await change(1, 'second')).data).toMatchObject({ description: 'second', version: 2 })
  const late = await change(1, 'third')
  expect([late.status, late.envelope.code]).toEqual([409, 'version.conflict'])
  expect((late.data as unknown as { current: RoleDetails }).current).toMatchObject({
    description: 'second',
    version: 2,
  })
  expect(await details(role.id)).toMatchObject({ description: 'second' })
  const [line] = await lines(role.id, 'role.update')
  expect(line).toMatchObject({ before: { description: 'first' }, after: { description: 'second' } })
})

test('people, departments and categories are added and removed as members; invalid ones are reported by id', async () => {
  const role = await makeRole()
  const stranger = '00000000-0000-7000-8000-000000000000'
  const add = (kind: string, ids: string[]) => admin.call(`/role/${role.id}/member/add/`, { body: { kind, ids } })
  const lilei = await idOf('users', 'lilei')
  expect((await add('user', [lilei, stranger])).data).toEqual({
    changed: 1,
    refused: [{ id: stranger, code: 'role.member-not-found' }],
  })
  expect((await add('user', [lilei])).data).toEqual({ changed: 0, refused: [] })
  await add('organization', [await idOf('organizations', 'cs')])
  await add('category', [await idOf('user_categories', 'student')])
  expect((await members(role.id)).records).toMatchObject([
    { code: 'lilei', name: '李雷', place: 'Computing', addedBy: 'Name of root' },
  ])
  expect((await members(role.id, 'kind=organization')).records).toMatchObject([{ code: 'cs', place: '学校' }])
  expect((await members(role.id, 'kind=organization&search=Comp')).total).toBe(1)
  expect((await members(role.id, 'search=zz')).total).toBe(0)
  expect((await list(`search=${role.code}`)).records[0]).toMatchObject({ people: 1, organizations: 1, categories: 1 })
  const paths = await admin.call<Page<object>>(`/role/of_person/${lilei}/?search=${role.code}`)
  expect(paths.data.records).toMatchObject([
    { kind: 'category', via: '学生' },
    { kind: 'organization', via: 'Computing' },
    { kind: 'user', via: null },
  ])
  expect(await lines(role.id, 'role.join')).toMatchObject([{ userId: lilei, after: { role: role.code } }])
  expect((await lines(role.id, 'role.update')).map(({ after }) => after)).toMatchObject([
    { organizations: ['cs'], categories: [] },
    { organizations: ['cs'], categories: ['student'] },
  ])
  const remove = (body: object) => admin.call(`/role/${role.id}/member/remove/`, { body })
  expect((await remove({ kind: 'user', selection: { ids: [lilei, stranger] } })).data).toMatchObject({ changed: 1 })
  expect(await lines(role.id, 'role.leave')).toMatchObject([{ userId: lilei, before: { role: role.code } }])
  const wrong = await remove({ kind: 'category', selection: { all: { search: '' }, expected: 2 } })
  expect([wrong.status, wrong.envelope.code]).toEqual([409, 'role.members-changed'])
  const all = await remove({ kind: 'category', selection: { all: { search: '' }, expected: 1 } })
  expect(all.data).toMatchObject({ changed: 1 })
})

test('a deleted person is not counted, and is counted again when restored', async () => {
  const role = await makeRole()
  const userId = await insertPerson(server, { account: 'comes-and-goes' })
  await admin.call(`/role/${role.id}/member/add/`, { body: { kind: 'user', ids: [userId] } })
  const { sql } = server.platform
  const people = async () => (await details(role.id)).people
  await sql`update users set deleted_at = now() where id = ${userId}`
  expect([await people(), (await members(role.id)).total]).toEqual([0, 0])
  await sql`update users set deleted_at = null where id = ${userId}`
  expect([await people(), (await members(role.id)).total]).toEqual([1, 1])
})

test('before a role is deleted its reach is shown, each person once; afterwards nothing of it is left', async () => {
  const role = await makeRole()
  await applyBootstrap(
    server.platform,
    {
      applications: [
        { appId: 'lab', name: 'Lab', protocol: 'cas', type: 'system', authorized: { roles: [role.code] } },
      ],
    },
    { source: 'test' },
  )
  for (const [kind, table, code] of [
    ['user', 'users', 'lilei'],
    ['organization', 'organizations', 'school'],
    ['category', 'user_categories', 'student'],
  ] as const)
    await admin.call(`/role/${role.id}/member/add/`, { body: { kind, ids: [await idOf(table, code)] } })
  const impact = await admin.call<{ version: number }>(`/role/${role.id}/impact/`)
  expect(impact.data).toMatchObject({ people: 1, reached: 1, applications: ['Lab'], applicationTotal: 1 })
  const remove = (version: number) => admin.call(`/role/${role.id}/delete/`, { body: { version } })
  expect((await remove(impact.data.version + 1)).envelope.code).toBe('version.conflict')
  expect((await remove(impact.data.version)).status).toBe(200)
  expect((await admin.call(`/role/${role.id}/details/`)).envelope.code).toBe('role.not-found')
  const { sql } = server.platform
  expect(await sql`select from application_grants where subject_id = ${role.id}`).toHaveLength(0)
  expect(await sql`select from role_member_groups where role_id = ${role.id}`).toHaveLength(0)
  const [line] = await lines(role.id, 'role.delete')
  expect(line?.before).toMatchObject({ code: role.code, people: 1, applications: ['lab'], organizations: ['school'] })
})

test('a role is rolled back, with its departments and categories as far as they exist', async () => {
  const role = await makeRole()
  const ctx = {
    ...server.platform,
    db: server.platform.sql,
    caller: null,
    client: { requestId: '', ip: '', userAgent: '', language: 'en' },
  } as const
  await admin.call(`/role/${role.id}/member/add/`, {
    body: { kind: 'organization', ids: [await idOf('organizations', 'cs')] },
  })
  const former = {
    code: role.code,
    name: 'Former',
    names: {},
    description: 'd',
    organizations: ['school', 'gone'],
    categories: ['student'],
  }
  expect(await roleRestorer.missing?.(ctx, role.id, former)).toEqual([{ field: 'organizations', value: 'gone' }])
  const { version } = await details(role.id)
  await roleRestorer.restore(ctx, role.id, former, version)
  const now = (await roleRestorer.current(ctx, [role.id])).get(role.id)
  expect(now?.snapshot).toEqual({ ...former, organizations: ['school'] })
  await expect(roleRestorer.restore(ctx, role.id, former, version)).rejects.toMatchObject({ code: 'version.conflict' })
})

test('scoped administrators choose roles by name, but see no members, counts or strangers', async () => {
  const role = await makeRole()
  const local = await openPortal(server, { permissions: ['edit', 'authorise'] })
  const options = await local.call<Page<object>>(`/role/options/?search=${role.code}`)
  expect(options.data.records).toEqual([{ id: role.id, code: role.code, name: role.name }])
  for (const path of ['/role/query/', `/role/${role.id}/details/`, `/role/${role.id}/member/`])
    expect((await local.call(path)).envelope.code, path).toBe('permission.denied')
  const outside = await local.call(`/role/of_person/${await idOf('users', 'lilei')}/`)
  const nobody = await local.call('/role/of_person/00000000-0000-7000-8000-000000000000/')
  expect([outside.status, outside.envelope.code]).toEqual([404, 'role.person-not-found'])
  expect(outside.envelope.message).toBe(nobody.envelope.message)
})

test('a role of a file is found in pinyin too', async () => {
  await applyBootstrap(server.platform, { roles: [{ code: 'from-file', name: '辅导员' }] }, { source: 'test' })
  await addRoleSearchKeys(server.platform)
  expect((await list('search=fudaoyuan')).records).toMatchObject([{ code: 'from-file' }])
})
