import { createHash } from 'node:crypto'
import { parseCsv } from 'hucre/csv'
import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LogExport } from '#shared/contract/log-exports.ts'
import { insertPerson, openPortal, type Portal } from '../../testing/portal.ts'
import { until } from '../../testing/process.ts'
import { insertLoginRecord } from '../../testing/records.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { signedFetch } from '../../testing/signed.ts'
import { runTasks, taskEnd } from '../../testing/tasks.ts'
import { deleteOldExports, exportTask } from './index.ts'

let server: TestServer
let admin: Portal
beforeAll(async () => {
  server = await startTestServer()
  admin = await openPortal(server, { account: 'root', isSuperUser: true })
})
afterAll(() => server.close())

const WANTED = { columns: ['at', 'result', 'person', 'account', 'place'], format: 'csv', timeZone: 'Asia/Shanghai' }
const ask = (page: Portal, filters: object, more: object = {}, log = 'login_log') =>
  page.call<{ id: string }>(`/${log}/export/`, { body: { ...WANTED, filters, ...more } })
const listed = async (page: Portal, id: string) =>
  (await page.call<{ records: LogExport[] }>('/log_export/query/?log=login')).data.records.find((one) => one.id === id)
const file = (page: Portal, id: string) =>
  signedFetch(server, `/log_export/${id}/download/`, {
    token: page.token,
    cookie: page.browser.cookieHeader('/auth_service/'),
  })
const audited = async (id: string) =>
  (
    await server.platform.sql<{ action: string }[]>`
      select action from audit_records where target_kind = 'log-export' and target_id = ${id} order by at, id`
  ).map(({ action }) => action)

async function exported(page: Portal, filters: object, more: object = {}) {
  const { id } = (await ask(page, filters, more)).data
  const { taskId } = (await listed(page, id)) ?? { taskId: '' }
  await taskEnd(server, taskId)
  return { id, taskId }
}

test('an export has the chosen columns of what the filters match, times in the zone, formulas as text, and is audited', async () => {
  await runTasks(server, [exportTask])
  const person = await insertPerson(server)
  await server.platform.sql`update users set name = '=1+1' where id = ${person}`
  await insertLoginRecord(server, person, { at: new Date('2026-11-20T23:05:09Z'), account: '@typed', onCampus: true })
  await insertLoginRecord(server, person, { succeeded: false, reason: 'password.wrong', ip: '198.51.100.9' })
  const { id } = await exported(admin, { userId: person, without: 'ip=198.51.100.9' })
  const answer = await file(admin, id)
  const bytes = Buffer.from(await answer.arrayBuffer())
  const told = await listed(admin, id)
  expect(told).toMatchObject({ state: 'ready', rows: 1, cutAt: null, bytes: bytes.length, percent: 100 })
  expect(told?.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
  const [head, line, ...rest] = parseCsv(bytes.toString('utf8')) as string[][]
  expect(head?.slice(0, 3)).toEqual(['Time (Asia/Shanghai)', 'Result', 'Reason'])
  expect(line?.slice(0, 4)).toEqual(['2026-11-21 07:05:09', 'Logged in', '', "'=1+1"])
  expect(line).toContain("'@typed")
  expect(rest).toEqual([])
  expect(await audited(id)).toEqual(['log-export.start', 'log-export.finish', 'log-export.download'])
  const workbook = await exported(admin, { userId: person }, { format: 'xlsx' })
  const { sheets } = await readXlsx(new Uint8Array(await (await file(admin, workbook.id)).arrayBuffer()))
  expect(sheets[0]?.rows.map((row) => row[3])).toEqual(['Person', '=1+1', '=1+1'])
})

test('the result of a visit is headed as on its page, not as that of a login', async () => {
  await runTasks(server, [exportTask])
  const body = { ...WANTED, columns: ['at', 'result'], filters: {} }
  const { data } = await admin.call<{ id: string }>('/app_visit_log/export/', {
    body,
    headers: { 'accept-language': 'zh-CN' },
  })
  const all = () => admin.call<{ records: LogExport[] }>('/log_export/query/?log=visit')
  await taskEnd(server, (await all()).data.records.find(({ id }) => id === data.id)?.taskId ?? '')
  const [head] = parseCsv(await (await file(admin, data.id)).text()) as string[][]
  expect(head?.[1]).toBe('结果')
})

test('interrupted in the middle it resumes where it was: every record once', async () => {
  const COUNT = 13_000
  const person = await insertPerson(server)
  await server.platform.sql`
    insert into login_records (id, at, user_id, account, auth_type, succeeded, ip, user_agent, browser, device, client_type, on_campus,
      request_id)
    select gen_random_uuid(), ${server.platform.now()}::timestamptz - n * interval '7 s', ${person}, 'n' || n, 'user', true, '192.0.2.1', '',
      'Chrome', 'Windows', 'pc', false, '' from generate_series(1, ${COUNT}::int) n`
  const { id } = (await ask(admin, { userId: person }, { columns: ['account'] })).data
  const first = await runTasks(server, [exportTask])
  await until(async () => ((await listed(admin, id))?.rows ?? 0) > 0, 20_000)
  await first.stop()
  expect((await listed(admin, id))?.state).not.toBe('ready')
  await runTasks(server, [exportTask])
  await until(async () => (await listed(admin, id))?.state === 'ready', 20_000)
  const rows = parseCsv(await (await file(admin, id)).text()) as string[][]
  expect(rows).toHaveLength(COUNT + 1)
  expect(new Set(rows.flat()).size).toBe(COUNT + 1)
})

test('an administrator exports only records of people whom they may export, and nobody else gets the file', async () => {
  await runTasks(server, [exportTask])
  const dean = await openPortal(server, { account: 'dean', permissions: ['import'] })
  const other = await openPortal(server, { account: 'other-dean', permissions: ['import'] })
  const looker = await openPortal(server, { account: 'looker', permissions: [] })
  const [{ id: organizationId } = { id: '' }] = await server.platform.sql<{ id: string }[]>`
    select organization_id as id from appointments where user_id = ${dean.user.userId}`
  const [own, stranger] = [await insertPerson(server), await insertPerson(server)]
  await server.platform.sql`update users set organization_id = ${organizationId} where id = ${own}`
  await insertLoginRecord(server, own, { account: 'ours', ip: '203.0.113.77' })
  await insertLoginRecord(server, stranger, { account: 'theirs', ip: '203.0.113.77' })
  expect((await ask(looker, {})).status).toBe(403)
  const { id } = await exported(dean, { ip: '203.0.113.77' }, { columns: ['account'] })
  expect((parseCsv(await (await file(dean, id)).text()) as string[][]).flat()).toEqual(['Login name', 'ours'])
  for (const page of [other, admin]) expect((await file(page, id)).status).toBe(404)
  expect(await listed(other, id)).toBeUndefined()
  // Their permissions are checked while it is made.
  const late = (await ask(dean, {})).data.id
  await server.platform.sql`delete from appointments where user_id = ${dean.user.userId}`
  const [row] = await server.platform.sql<{ taskId: string }[]>`select task_id from log_exports where id = ${late}`
  await taskEnd(server, row?.taskId ?? '')
  const [left] = await server.platform.sql`select state, rows from log_exports where id = ${late}`
  expect(left?.state).not.toBe('ready')
})

test.each([
  [{ timeZone: 'Mars/Olympus' }, 400, 'export.time-zone-unknown'],
  [{ columns: [] }, 400, 'request.invalid'],
  [{ columns: ['at', 'at'] }, 400, 'request.invalid'],
  [{ columns: ['password'] }, 400, 'request.invalid'],
  [{ format: 'pdf' }, 400, 'request.invalid'],
  [{ filters: { ip: 'x' } }, 400, 'request.invalid'],
])('invalid requests are rejected before anything is queued: %o', async (more, status, code) => {
  const answer = await ask(admin, {}, more)
  expect([answer.status, answer.envelope.code]).toEqual([status, code])
})

test('a person has at most ten exports, which can be stopped and deleted, and expire after a week', async () => {
  const page = await openPortal(server, { account: 'collector', isSuperUser: true })
  const ids: string[] = []
  for (let n = 0; n < 10; n++) ids.push((await ask(page, {})).data.id)
  const refused = await ask(page, {})
  expect([refused.status, refused.envelope.code]).toEqual([409, 'log-export.too-many'])
  expect((await page.call(`/log_export/${ids[0]}/delete/`, { body: {} })).status).toBe(200)
  expect((await ask(page, {})).status).toBe(200)
  expect((await admin.call(`/log_export/${ids[1]}/delete/`, { body: {} })).status).toBe(404)
  server.advance(7 * 86_400 + 1)
  await deleteOldExports(server.platform)
  const [left] = await server.platform
    .sql`select (select count(*) from log_exports) + (select count(*) from log_export_parts) as rows`
  expect(Number(left?.rows)).toBe(0)
})
