import { v7 } from 'uuid'
import { beforeAll, expect, test } from 'vitest'
import { searchEverywhere } from '#shared/contract/global-search.ts'
import { insertPerson, openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { buildSearchKeys } from '../name-search/index.ts'

type Found = {
  people: { account: string; organization: string | null }[]
  organizations: { name: string; within: string[] }[]
  applications: { appId: string }[]
  more: Record<string, boolean>
}

let server: TestServer
let root: Portal
const ids: Record<string, string> = {}

async function addOrganization(code: string, name: string, above?: string): Promise<void> {
  const { sql, now } = server.platform
  const id = v7()
  const { pinyin, initials } = await buildSearchKeys(name, 'thing')
  const [parent] = await sql<{ line: string[] }[]>`
    select ancestor_ids as line from organizations where id = ${(above && ids[above]) ?? null}`
  await sql`
    insert into organizations (id, code, name, names, name_pinyin, name_initials, parent_id, ancestor_ids, created_at, updated_at)
    values (${id}, ${code}, ${name}, ${sql.json({ en: `The ${code}` })}, ${pinyin}, ${initials}, ${(above && ids[above]) ?? null},
      ${[...(parent?.line ?? []), id]}, ${now()}, ${now()})`
  ids[code] = id
}

async function addNamed(account: string, name: string, organization?: string): Promise<void> {
  const { sql } = server.platform
  const userId = await insertPerson(server, { account })
  const { pinyin, initials } = await buildSearchKeys(name)
  await sql`
    update users set name = ${name}, name_pinyin = ${pinyin}, name_initials = ${initials},
      organization_id = ${(organization && ids[organization]) ?? null} where id = ${userId}`
}

beforeAll(async () => {
  server = await startTestServer()
  root = await openPortal(server, { isSuperUser: true, account: 'root' })
  await addOrganization('school', '示范大学')
  await addOrganization('science', '理学部', 'school')
  await addOrganization('physics', '物理学院', 'science')
  await addOrganization('arts', '人文学部', 'school')
  await addNamed('20260001', '张伟', 'physics')
  await addNamed('20260002', '张伟民', 'arts')
  await addNamed('20260003', '欧阳·阿依古丽', 'physics')
  await addNamed('EXT-7', 'Emma Chen Li')
  const { sql, now } = server.platform
  await sql`
    insert into applications (id, app_id, name, names, name_pinyin, name_initials, protocol, created_at, updated_at)
    values (${v7()}, 'library', '图书馆', '{"en": "Library"}', 'tushuguan', 'tsg', 'cas', ${now()}, ${now()})`
  return () => server.close()
})

const find = async (who: Portal, search: string) =>
  (await who.call<Found>(`/global_search/query/?search=${encodeURIComponent(search)}`)).data
const accounts = async (who: Portal, search: string) => (await find(who, search)).people.map(({ account }) => account)

test('people are found by number, by any part of a name, by pinyin and initials, the closest first', async () => {
  const expected: [search: string, found: string[]][] = [
    ['2026000', ['20260001', '20260002', '20260003']],
    ['20260002', ['20260002']],
    ['ext-', ['EXT-7']],
    ['张', ['20260001', '20260002']],
    ['张伟', ['20260001', '20260002']],
    ['伟民', ['20260002']],
    ['阿依古', ['20260003']],
    ['·', ['20260003']],
    ['zhangwei', ['20260001', '20260002']],
    ['Zhang Wei', ['20260001', '20260002']],
    ['zwm', ['20260002']],
    ['ＺＷＭ', ['20260002']],
    ['emma', ['EXT-7']],
    ['chen', ['EXT-7']],
    ['Chen Li', ['EXT-7']],
    ['张 伟民', ['20260002']],
    ['nobody', []],
    ['%', []],
    ['_', []],
    ["' or 1=1 --", []],
  ]
  for (const [search, found] of expected) expect([search, await accounts(root, search)]).toEqual([search, found])
})

test('organisations are found with what they stand in, applications by name, number and pinyin', async () => {
  const physics = await find(root, '物理')
  expect(physics.organizations).toMatchObject([{ name: 'The physics', within: ['The school', 'The science'] }])
  for (const search of ['wulixue', 'wlxy', 'physics', 'the physics']) {
    expect([search, (await find(root, search)).organizations.length]).toEqual([search, 1])
  }
  for (const search of ['图书', 'lib', 'tsg', 'tushu', 'LIBRARY']) {
    expect([search, (await find(root, search)).applications]).toMatchObject([search, [{ appId: 'library' }]])
  }
  expect(searchEverywhere.output.parse(physics)).toEqual(physics)
})

test('an administrator of a department finds nothing outside it, and no application', async () => {
  const ofPhysics = await openPortal(server, {
    account: 'of-physics',
    permissions: ['edit'],
    administers: ids['physics'] ?? '',
  })
  expect(await accounts(ofPhysics, '张')).toEqual(['20260001'])
  expect(await accounts(ofPhysics, '2026')).toEqual(['20260001', '20260003'])
  for (const search of ['20260002', '张伟民', 'zwm', 'emma', 'EXT-7', 'root', 'of-physics']) {
    expect([search, await accounts(ofPhysics, search)]).toEqual([search, []])
  }
  expect((await find(ofPhysics, '学')).organizations).toMatchObject([{ name: 'The physics', within: [] }])
  expect((await find(ofPhysics, '人文')).organizations).toEqual([])
  expect((await find(ofPhysics, 'library')).applications).toEqual([])
})

test('however many people of a department match, an exact name comes first', async () => {
  const { sql, now } = server.platform
  await addOrganization('chemistry', '化学学院', 'science')
  await sql`
    insert into users (id, account, name, name_pinyin, name_initials, organization_id, created_at, updated_at)
    select gen_random_uuid(), '1' || lpad(n::text, 6, '0'), '李' || n, 'li' || n, 'l', ${ids['chemistry'] ?? ''}, ${now()}, ${now()}
    from generate_series(1, 400) n`
  await addNamed('li', '黎明', 'chemistry')
  const page = await openPortal(server, {
    account: 'of-chemistry',
    permissions: [],
    administers: ids['chemistry'] ?? '',
  })
  for (const who of [page, root]) expect((await accounts(who, 'li'))[0]).toBe('li')
})

test('deleted people are not found, and six of a kind are returned, with whether there are more', async () => {
  const { sql, now } = server.platform
  for (let i = 0; i < 9; i++) await addNamed(`many-${i}`, `Many ${i}`, 'arts')
  expect(await accounts(root, 'many')).toHaveLength(6)
  expect((await find(root, 'many')).more).toEqual({ people: true, organizations: false, applications: false })
  await sql`update users set deleted_at = ${now()} where account like 'many-%'`
  expect(await accounts(root, 'many')).toEqual([])
})

test('invalid searches are rejected', async () => {
  for (const query of [
    '',
    '?search=',
    '?search=%20',
    `?search=${'x'.repeat(101)}`,
    '?search=a&search=b',
    '?search=a&page=1',
  ]) {
    const answer = await root.call(`/global_search/query/${query}`)
    expect([query, answer.status, answer.envelope.code]).toEqual([query, 400, 'request.invalid'])
  }
})
