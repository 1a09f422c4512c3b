import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Change } from '#shared/contract/change-history.ts'
import type { DataSource, SourceTest } from '#shared/contract/data-sources.ts'
import { type OwnSource, openOwnSource, uploadFile } from '../../testing/data-sources.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let root: Portal
let own: OwnSource
beforeAll(async () => {
  server = await startTestServer()
  root = await openPortal(server, { isSuperUser: true, account: 'root' })
  own = await openOwnSource(server)
  await server.platform.sql.unsafe(`
    create table hr_people (no text, full_name text, hired date, note text);
    insert into hr_people values ('H001', '王小明', '2020-09-01', null), ('H002', 'Ann', null, 'x'), ('H002', 'Bob', null, '')`)
})
afterAll(async () => {
  await own.close()
  await server.close()
})

const create = (more: object) => root.call<DataSource>('/data_source/create/', { body: more })
const look = (more: object) => root.call<SourceTest>('/data_source/test/', { body: more })

test('a database connection shows its tables, columns, masked rows, count and whether a column is a key', async () => {
  const source = own.given
  const tables = (await look(source)).data
  expect(tables).toMatchObject({ isOk: true, columns: [], server: expect.stringContaining('PostgreSQL') })
  expect(tables.tables).toContain('hr_people')
  const { data } = await look({ ...source, table: 'hr_people', keyColumn: 'no' })
  expect(data).toMatchObject({ isOk: true, count: 3, mayWrite: true, key: { column: 'no', repeated: 1, empty: 0 } })
  expect(data.columns.map(({ name, type }) => [name, type])).toEqual([
    ['no', 'text'],
    ['full_name', 'text'],
    ['hired', 'date'],
    ['note', 'text'],
  ])
  expect(data.columns[1]?.suggested).toBe('name')
  expect(data.rows[0]).toEqual(['H***', '王**', '2********1', ''])
})

test('fields of departments are suggested by their headings too', async () => {
  await server.platform.sql.unsafe('create table hr_departments (dwh text, dwmc text, lsdwh text, px text)')
  const { data } = await look({ ...own.given, table: 'hr_departments' })
  expect(data.columns.map(({ suggestedForDepartments }) => suggestedForDepartments)).toEqual([
    'code',
    'name',
    null,
    null,
  ])
})

test('errors of the other side are reported in words, and nothing is written there', async () => {
  const source = own.given
  const problem = async (more: object) => (await look({ ...source, ...more })).data.problem
  expect(await problem({ port: 1 })).toBe('unreachable')
  expect(await problem({ host: '169.254.169.254' })).toBe('forbidden-address')
  expect(await problem({ database: 'nothing_here' })).toBe('no-database')
  expect(await problem({ table: 'no_such_table' })).toBe('no-table')
  expect(await problem({ table: 'hr_people', keyColumn: 'gone' })).toBe('no-column')
  expect(await problem({ tls: 'verify' })).toBe('tls')
  own.breakAfter(100)
  expect(await problem({ table: 'hr_people' })).toBe('cut-off')
  own.breakAfter(null)
  expect(await problem({ table: 'hr_people"; drop table hr_people; --' })).toBe('no-table')
  expect((await look({ ...source, table: 'hr_people' })).data.count).toBe(3)
})

test('of a source one of whose tables can not be read the others can still be chosen', async () => {
  const { data } = await look({ ...own.given, table: 'renamed_since' })
  expect(data).toMatchObject({ isOk: false, problem: 'no-table', columns: [], rows: [] })
  expect(data.tables).toContain('hr_people')
})

test('a password is never shown, and a stored one is sent to no other place than the one it was entered for', async () => {
  const password = own.given.password || 'very secret'
  const { data: made } = await create({ ...own.given, name: 'Personnel', password })
  expect(made.password).toBe('******')
  const [row] = await server.platform.sql`select password from data_sources where id = ${made.id}`
  expect(row?.['password']).not.toContain(password)
  const { id, version, state, problem, checkedAt, file, updatedAt, ...fields } = made
  const update = (more: object) => root.call(`/data_source/${id}/update/`, { body: { ...fields, version, ...more } })
  for (const elsewhere of [{ host: 'evil.example' }, { port: 5433 }, { user: 'other' }, { tls: 'require' }]) {
    // Shown where it has to be entered.
    const refused = { code: 'settings.secret-needed', data: { fields: ['password'] } }
    expect((await update(elsewhere)).envelope).toMatchObject(refused)
    expect((await look({ ...fields, id, ...elsewhere })).envelope.code).toBe('settings.secret-needed')
  }
  expect((await update({ note: 'Only a note' })).status).toBe(200)
  expect((await look({ ...fields, id, note: 'x' })).data.isOk).toBe(true)
  const { data } = await root.call<{ records: Change[] }>('/change_history/query/?pageSize=100')
  expect(JSON.stringify(data)).not.toContain(password)
  const shown = async () => (await root.call<DataSource>(`/data_source/${id}/details/`)).data
  const tested = await shown()
  expect(tested).toMatchObject({ state: 'ok', problem: null, checkedAt: expect.any(String) })
  // A change forgets the result together with its time.
  expect((await update({ version: tested.version, note: 'Another note' })).status).toBe(200)
  expect(await shown()).toMatchObject({ state: 'untested', checkedAt: null })
})

test('a secret that no request can carry is not part of what is said about a stored source', async () => {
  const options = { url: 'http://127.0.0.1:9/people', auth: 'header', headerName: 'x-key' }
  const { data } = await create({ name: 'Two lines', kind: 'rest', options, password: 'first-half\nsecond-half' })
  const body = { sourceId: data.id, table: 'people', keyColumn: 'id', mapping: [{ column: 'name', field: 'name' }] }
  const { problem } = (await root.call<{ problem: string }>('/directory_sync/preview/', { body })).data
  expect(problem).toContain('invalid header value')
  expect(problem).not.toMatch(/first-half|second-half/)
})

test('a file is stored sealed, read as a source, and replaced as a whole', async () => {
  const { data: made } = await create({ name: 'Students', kind: 'csv-upload' })
  expect((await look({ name: 'Students', kind: 'csv-upload', id: made.id })).data.problem).toBe('no-file')
  const sent = await uploadFile(root, made.id, '学号,姓名\n2026001,王小明\n2026002,李雷\n')
  expect(sent.data.file).toMatchObject({ name: 'people.csv', rows: 2 })
  const chunks = await server.platform.sql<{ data: string }[]>`select data from data_source_chunks`
  expect(Buffer.from(chunks[0]?.data ?? '', 'base64').toString()).not.toContain('2026001')
  const { data } = await look({ name: 'Students', kind: 'csv-upload', id: made.id, keyColumn: '学号' })
  expect(data).toMatchObject({ isOk: true, count: 2, key: { repeated: 0, empty: 0 } })
  expect(data.columns.map(({ suggested }) => suggested)).toEqual(['account', 'name'])
  expect((await uploadFile(root, made.id, '学号,姓名\n')).envelope.code).toBe('data-source.no-rows')
  expect((await uploadFile(root, made.id, '<html></html>')).envelope.code).toBe('sheet.not-a-sheet')
  expect((await look({ name: 'Students', kind: 'csv-upload', id: made.id })).data.count).toBe(2)
})

test('a source without what its kind needs, or with a taken name, is rejected at its field', async () => {
  const refused = async (more: object) => {
    const { envelope } = await create(more)
    return [envelope.code, (envelope.data as { fields?: string[] } | null)?.fields]
  }
  expect(await refused({ name: 'X', kind: 'mysql', host: 'db' })).toEqual([
    'data-source.incomplete',
    ['database', 'user'],
  ])
  const whole = { ...own.given, name: 'X', kind: 'postgresql' }
  expect(await refused({ ...whole, host: 'db/?x' })).toEqual(['data-source.incomplete', ['host']])
  expect(await refused({ ...whole, ca: 'no certificate' })).toEqual(['data-source.bad-ca', ['ca']])
  await create({ name: 'Taken', kind: 'csv-upload' })
  expect((await refused({ name: 'Taken', kind: 'csv-upload' }))[0]).toBe('data-source.name-taken')
})

test('only super users see sources', async () => {
  const someone = await openPortal(server, { permissions: ['edit', 'import'] })
  expect((await someone.call('/data_source/query/')).status).toBe(403)
  expect((await someone.call('/data_source/test/', { body: own.given })).status).toBe(403)
})
