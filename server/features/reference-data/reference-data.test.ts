import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OrganizationDetails } from '#shared/contract/organizations.ts'
import type { ReferenceEntry } from '#shared/contract/reference-data.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { applyBootstrap } from '../bootstrap/index.ts'

let server: TestServer
let root: Portal

beforeAll(async () => {
  server = await startTestServer()
  await applyBootstrap(
    server.platform,
    {
      organizationAttributes: [{ code: 'teaching', name: '教学', names: { en: 'Teaching' } }],
      organizations: [
        { code: 'a', name: 'A', attribute: 'teaching' },
        { code: 'b', name: 'B', attribute: 'research' },
      ],
      userCategories: ['student', 'teacher', 'alumnus'].map((code) => ({ code, name: `Name of ${code}` })),
      personnelTypes: [{ code: 'contract', name: 'Contract' }],
      users: [
        { account: 'p1', name: 'P1', category: 'student', personnelType: 'contract' },
        { account: 'p2', name: 'P2', category: 'student' },
      ],
    },
    { source: 'test' },
  )
  root = await openPortal(server, { isSuperUser: true })
})
afterAll(() => server.close())

const list = async (noun: string, query = '') =>
  (await root.call<{ records: ReferenceEntry[]; total: number }>(`/${noun}/query/${query}`)).data
const codes = async (noun: string, query = '') => (await list(noun, query)).records.map(({ code }) => code)
const entry = async (noun: string, code: string) => {
  const found = (await list(noun)).records.find((one) => one.code === code)
  if (!found) throw new Error(`no ${code}`)
  return found
}
const change = (noun: string, id: string, verb: string, body: object) =>
  root.call<ReferenceEntry>(`/${noun}/${id}/${verb}/`, { body })

test('each entry shows how often it is used; an attribute first used in a file is an entry too', async () => {
  const uses = async (noun: string) => (await list(noun)).records.map(({ code, uses: count }) => [code, count])
  expect(await uses('user_category')).toEqual([
    ['student', 2],
    ['teacher', 0],
    ['alumnus', 0],
  ])
  expect(await uses('user_feature')).toEqual([['contract', 1]])
  expect(await uses('org_attribute')).toEqual([
    ['teaching', 1],
    ['research', 1],
  ])
  expect(await codes('user_category', '?sort=-uses&pageSize=1')).toEqual(['student'])
  expect(await codes('org_attribute', '?search=Teach')).toEqual(['teaching'])
  expect((await root.call('/user_category/query/?sort=name')).status).toBe(400)
})

test('an entry is created as the last one, renamed in each language, and moved', async () => {
  const body = { code: 'guest', name: '访客', names: { en: 'Guest', zh_TW: '訪客' } }
  const made = await root.call<ReferenceEntry>('/user_category/create/', { body })
  expect(made.data).toMatchObject({ shownName: 'Guest', version: 1, uses: 0 })
  expect(await codes('user_category')).toEqual(['student', 'teacher', 'alumnus', 'guest'])
  const taken = await root.call('/user_category/create/', { body })
  expect([taken.status, taken.envelope.code]).toEqual([409, 'reference-data.code-taken'])
  const { id } = made.data
  const renamed = await change('user_category', id, 'update', { version: 1, names: { en: 'Visitor' } })
  expect(renamed.data).toMatchObject({ shownName: 'Visitor', name: '访客', version: 2 })
  const lost = await change('user_category', id, 'update', { version: 1, name: 'X' })
  expect([lost.status, lost.envelope.code]).toEqual([409, 'version.conflict'])
  expect(lost.data).toMatchObject({ current: { shownName: 'Visitor', version: 2 } })
  const teacher = await entry('user_category', 'teacher')
  await change('user_category', id, 'move', { after: null })
  expect(await codes('user_category')).toEqual(['guest', 'student', 'teacher', 'alumnus'])
  await change('user_category', id, 'move', { after: teacher.id })
  expect(await codes('user_category')).toEqual(['student', 'teacher', 'guest', 'alumnus'])
  const lines = await server.platform.sql`
    select action, target_kind as kind, before->>'name' as before, after->>'name' as after
    from audit_records where target_id = ${id} order by at, id limit 2`
  expect([...lines]).toEqual([
    { action: 'reference-data.create', kind: 'user-category', before: null, after: '访客' },
    { action: 'reference-data.update', kind: 'user-category', before: '访客', after: '访客' },
  ])
})

test('a used entry can not be deleted, and the error says by how many; an unused one can', async () => {
  const student = await entry('user_category', 'student')
  const refused = await change('user_category', student.id, 'delete', { version: student.version })
  expect([refused.status, refused.envelope.code, refused.data]).toEqual([409, 'reference-data.in-use', { uses: 2 }])
  expect(refused.envelope.message).toContain('2')
  const research = await entry('org_attribute', 'research')
  const used = await change('org_attribute', research.id, 'delete', { version: 1 })
  expect(used.data).toEqual({ uses: 1 })
  const { sql } = server.platform
  await sql`update users set deleted_at = now() where account in ('p1', 'p2')`
  expect((await change('user_category', student.id, 'delete', { version: student.version })).status).toBe(200)
  expect(await codes('user_category')).not.toContain('student')
  await sql`update organizations set attribute = null where code = 'b'`
  expect((await change('org_attribute', research.id, 'delete', { version: 1 })).status).toBe(200)
  expect((await change('org_attribute', research.id, 'delete', { version: 1 })).envelope.code).toBe(
    'reference-data.not-found',
  )
})

test('scoped administrators may choose from the lists and change none of them', async () => {
  const page = await openPortal(server, { permissions: ['edit'] })
  const options = await page.call<{ records: { code: string; name: string }[] }>('/org_attribute/options/')
  expect(options.data.records).toEqual([{ id: expect.any(String), code: 'teaching', name: 'Teaching' }])
  const body = { code: 'mine', name: 'Mine' }
  expect((await page.call('/org_attribute/create/', { body })).envelope.code).toBe('permission.denied')
  expect((await page.call('/user_category/query/')).envelope.code).toBe('permission.denied')
})

test('an organisation accepts only existing attributes, also when one is deleted at the same moment', async () => {
  const made = await root.call<ReferenceEntry>('/org_attribute/create/', { body: { code: 'short-lived', name: 'S' } })
  const creates = Array.from({ length: 4 }, (_, at) =>
    root.call<OrganizationDetails>('/organization/create/', {
      body: { code: `racer-${at}`, name: 'Racer', parentId: null, attribute: 'short-lived' },
    }),
  )
  const gone = change('org_attribute', made.data.id, 'delete', { version: 1 })
  const answers = [...(await Promise.all(creates)), await gone]
  expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
})
