import { afterAll, beforeAll, expect, test } from 'vitest'
import { addCasApplication } from '../../testing/people.ts'
import { insertPerson, openPortal, type Portal } from '../../testing/portal.ts'
import { insertLoginRecord } from '../../testing/records.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

type Choices = { records: { id: string; name: string }[]; total: number }

let server: TestServer
let admin: Portal

beforeAll(async () => {
  server = await startTestServer()
  admin = await openPortal(server, { account: 'root', isSuperUser: true })
})
afterAll(() => server.close())

const choices = async (kind: string, query: Record<string, string>, page = admin) =>
  (await page.call<Choices>(`/log_choice/${kind}/?${new URLSearchParams(query)}`)).data.records
const readings = () => server.platform.sql<{ actorId: string; of: string; list: string }[]>`
  select actor_id, target_id as of, after->>'list' as list from audit_records
  where action = 'records.read' order by at, id`

test('an application is found by part of its name, its id or its pinyin, and by its id also a deleted one', async () => {
  const id = await addCasApplication(server, { appId: 'library-7', name: '图书馆' })
  await server.platform.sql`
    update applications set name_pinyin = 'tushuguan', name_initials = 'tsg', deleted_at = now(), enabled = false where id = ${id}`
  for (const search of ['图书', 'tsg', 'tushu', 'library-7']) {
    expect(await choices('application', { search })).toEqual([{ id, name: '图书馆' }])
  }
  expect(await choices('application', { id })).toEqual([{ id, name: '图书馆' }])
  expect(await choices('application', { id: 'portal' })).toMatchObject([{ id: 'portal' }])
  expect((await choices('application', {}))[0]).toMatchObject({ id: 'portal' })
  expect(await choices('application', { search: '%' })).toEqual([])
})

test('a range is found by a part of its name', async () => {
  await server.platform.sql`
    insert into ip_ranges (id, name, kind, networks, updated_at)
    values (gen_random_uuid(), 'Reading room', 'campus', '{10.1.0.0/16}', now())`
  expect(await choices('ip_range', { search: 'room' })).toEqual([{ id: 'Reading room', name: 'Reading room' }])
  expect(await choices('ip_range', { search: 'roof' })).toEqual([])
})

test('reading the records of others is recorded, visibly for super users, once a minute per kind', async () => {
  const person = await insertPerson(server)
  await insertLoginRecord(server, person)
  await server.platform.sql`delete from audit_records where action = 'records.read'`
  const query = (text: string) => admin.call<{ records: { key: string }[] }>(text)
  const { records } = (await query(`/login_log/query/?userId=${person}`)).data
  for (const result of ['0', '1']) await query(`/login_log/query/?userId=${person}&result=${result}`)
  await query(`/login_log/details/?key=${encodeURIComponent(records[0]?.key ?? '')}`)
  await query('/login_log/query/?result=0')
  await query(`/app_visit_log/query/?userId=${person}`)
  await query(`/login_log/query/?userId=${admin.user.userId}`)
  const actorId = admin.user.userId
  expect(await readings()).toEqual([
    { actorId, of: person, list: 'login-log.title' },
    { actorId, of: 'login-log', list: 'login-log.title' },
    { actorId, of: person, list: 'app-visit-log.title' },
  ])
  server.advance(61)
  await query(`/login_log/query/?userId=${person}`)
  expect(await readings()).toHaveLength(4)
  const history = async (text: string) =>
    (await query(`/change_history/query/${text}`)).data.records as unknown as { action: string }[]
  expect((await history('?targetKind=records')).map(({ action }) => action)).toContain('records.read')
  expect((await history('')).map(({ action }) => action)).not.toContain('records.read')
})
