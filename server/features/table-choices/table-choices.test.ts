import { expect, test } from 'vitest'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { testServer } from '../../testing/server.ts'

const choose = (page: Portal, body: object) => page.call('/table/create_or_update', { body })
const chosen = (page: Portal, tableKey: string) => page.call(`/table/query?tableKey=${tableKey}`)
const VISITS = { tableKey: 'my-visits', columns: ['accessTime', 'application'], density: 'compact' }

test('a person’s choices for a list are stored for that person and that list only', async () => {
  const server = await testServer()
  const page = await openPortal(server)
  const other = await openPortal(server)
  const nothing = { tableKey: 'my-visits', columns: null, density: 'comfortable' }
  expect((await chosen(page, 'my-visits')).data).toEqual(nothing)
  expect((await choose(page, VISITS)).status).toBe(200)
  expect((await chosen(page, 'my-visits')).data).toEqual(VISITS)
  await choose(page, { ...VISITS, columns: ['ip'] })
  expect((await chosen(page, 'my-visits')).data).toEqual({ ...VISITS, columns: ['ip'] })
  expect((await chosen(page, 'my-authentication')).data).toMatchObject({ columns: null })
  expect((await chosen(other, 'my-visits')).data).toEqual(nothing)
})

test.each([
  ['a table that no list has', { tableKey: 'users' }],
  ['a table of the database', { tableKey: 'pg_catalog.pg_user' }],
  ['a name from the prototype', { tableKey: '__proto__' }],
  ['a column that the list lacks', { columns: ['accessTime', 'password'] }],
  ['a column of another list', { columns: ['loginTime'] }],
  ['a column twice', { columns: ['ip', 'ip'] }],
  ['no column', { columns: [] }],
  ['more columns than any list has', { columns: Array.from({ length: 61 }, () => 'ip') }],
  ['a column that is no text', { columns: [{ $ne: null }] }],
  ['another density', { density: 'tiny' }],
  ['a field beside', { userId: '00000000-0000-7000-8000-000000000000' }],
])('%s is rejected, and nothing is stored', async (_name, wrong) => {
  const server = await testServer()
  const page = await openPortal(server)
  const answer = await choose(page, { ...VISITS, ...wrong })
  expect(answer).toMatchObject({ status: 400, envelope: { code: 'request.invalid' } })
  expect(await server.platform.sql`select from table_choices`).toHaveLength(0)
})

test('lists of the back office have choices for super users only', async () => {
  const server = await testServer()
  const page = await openPortal(server)
  const admin = await openPortal(server, { isSuperUser: true })
  const body = { tableKey: 'current-login-manage', columns: ['account'] }
  expect((await choose(page, body)).envelope.code).toBe('permission.denied')
  expect((await chosen(page, 'current-login-manage')).envelope.code).toBe('permission.denied')
  expect((await choose(admin, body)).status).toBe(200)
  for (const tableKey of ['', 'users', "my-visits'--", 'constructor']) {
    expect((await chosen(page, encodeURIComponent(tableKey))).status).toBe(400)
  }
})

test('a column removed in a later version is left out of the choice', async () => {
  const server = await testServer()
  const page = await openPortal(server)
  await choose(page, VISITS)
  await server.platform.sql`update table_choices set columns = '{gone,ip}'`
  expect((await chosen(page, 'my-visits')).data).toMatchObject({ columns: ['ip'] })
  await server.platform.sql`update table_choices set columns = '{gone}'`
  expect((await chosen(page, 'my-visits')).data).toMatchObject({ columns: null })
})
