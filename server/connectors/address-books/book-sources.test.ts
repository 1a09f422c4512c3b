import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { NO_OPTIONS } from '#shared/contract/data-source-options.ts'
import type { DataSource, SourceTest } from '#shared/contract/data-sources.ts'
import { type Simulator, startSimulator, VENDORS } from '../../../tools/simulators/index.ts'
import { SyncWorld } from '../../testing/directory-syncs.ts'
import { until } from '../../testing/process.ts'
import type { SourceSettings } from '../data-source.types.ts'
import { openDingdingSource, openQywxSource } from './index.ts'

const syncs = new SyncWorld()
let wecom: Simulator
let dingtalk: Simulator
/** The vendors' clock. */
let clock = 0
beforeEach(async () => {
  clock = Date.now()
  waits = []
  const options = { trustedOrigin: 'http://localhost', now: () => new Date(clock) }
  wecom = await startSimulator(VENDORS.qywx, options)
  dingtalk = await startSimulator(VENDORS.dingding, options)
  onTestFinished(async () => {
    await wecom.close()
    await dingtalk.close()
  })
})

/** The fields of a source for a vendor's address book. */
function source(kind: 'wecom' | 'dingtalk', more: object = {}, options: object = {}) {
  const [vendor, { url }] = kind === 'wecom' ? [VENDORS.qywx, wecom] : [VENDORS.dingding, dingtalk]
  const { application: user, secret: password } = vendor.contacts?.(url) ?? { application: '', secret: '' }
  return { name: syncs.named('Book'), kind, user, password, options: { url, ...options }, ...more }
}
const settingsOf = (kind: 'wecom' | 'dingtalk', options: object = {}): SourceSettings => {
  const { user, password, options: own } = source(kind, {}, options)
  const place = { host: '', port: 0, database: '', tls: 'verify', ca: '', timeoutSeconds: 5 } as const
  return { ...place, user, password, options: { ...NO_OPTIONS, ...own } }
}
const look = async (fields: object, table = 'people', keyColumn = 'userid') =>
  (await syncs.root.call<SourceTest>('/data_source/test/', { body: { ...fields, table, keyColumn } })).data
const problem = async (fields: object) => {
  const { problem: word, message } = await look(fields)
  return [word, /\(.*?(\d+)\)/.exec(message ?? '')?.[1]]
}

test('WeCom: the people whom an app sees are read with their departments, each once, without those who have left', async () => {
  const people = await look(source('wecom'))
  expect(people).toMatchObject({ isOk: true, server: 'WeCom', count: 3, key: { repeated: 0, empty: 0 } })
  expect(people.tables).toEqual(['people', 'departments'])
  expect(people.columns).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'main_department' })]))
  expect(people.rows.flat()).toContain('L***i')
  const departments = await look(source('wecom'), 'departments', 'id')
  expect(departments).toMatchObject({ isOk: true, count: 4, key: { repeated: 0, empty: 0 } })
  // An assistant gets only ids, and requests each.
  wecom.book.idsOnly = true
  expect(await look(source('wecom'))).toMatchObject({ isOk: true, count: 3, key: { repeated: 0, empty: 0 } })
  expect(wecom.calls.filter((call) => call.endsWith('/cgi-bin/user/get')).length).toBeGreaterThan(2)
})

test('DingTalk: departments of any depth and pages of people are read completely', async () => {
  for (let id = 100; id < 112; id++)
    dingtalk.book.departments.set(id, { id, name: `Level ${id}`, parentId: id === 100 ? 3 : id - 1, order: 1 })
  for (let at = 0; at < 150; at++)
    dingtalk.book.users.set(`deep${at}`, {
      ...{ id: `deep${at}`, name: `Deep ${at}`, mobile: '', email: '', title: '', number: `D${at}` },
      ...{ departments: [111], status: 1 },
    })
  expect(await look(source('dingtalk'), 'departments', 'dept_id')).toMatchObject({ isOk: true, count: 16 })
  expect(await look(source('dingtalk'))).toMatchObject({ isOk: true, count: 153, key: { repeated: 0, empty: 0 } })
  expect(await look(source('dingtalk', {}, { rootIds: '109' }))).toMatchObject({ isOk: true, count: 150 })
})

test('a vendor’s error is reported in words with its code, and a token that it has invalidated is renewed', async () => {
  expect(await problem(source('wecom', { password: 'wrong' }))).toEqual(['login-refused', '40001'])
  expect((await problem(source('dingtalk', { password: 'wrong' })))[0]).toBe('login-refused')
  wecom.trouble.token = 'address'
  expect(await problem(source('wecom', { user: 'ww1234567890abcdef', password: 'another' }))).toEqual([
    'address-refused',
    '60020',
  ])
  wecom.trouble = { token: 'huge' }
  expect((await problem(source('wecom', { password: 'third' })))[0]).toBe('limited')
  wecom.trouble = { book: 'garbage' }
  expect((await problem(source('wecom')))[0]).toBe('failed')
  // A silent one is given up after the source's timeout, not after hours.
  wecom.trouble = { book: 'slow' }
  expect((await problem(source('wecom', { timeoutSeconds: 5 })))[0]).toBe('timeout')
  wecom.trouble = {}
  expect((await look(source('wecom'))).isOk).toBe(true)
  wecom.revokeTokens()
  expect((await look(source('wecom'))).isOk).toBe(true)
  dingtalk.book.failNext.push({ path: '/topapi/v2/user/list', problem: 'no-permission', times: 1 })
  expect(await problem(source('dingtalk'))).toEqual(['no-rights', '60011'])
  expect((await problem(source('wecom', {}, { url: 'http://169.254.169.254' })))[0]).toBe('unreachable')
  const refused = async (fields: object) => {
    const { envelope } = await syncs.root.call('/data_source/create/', { body: fields })
    return [envelope.code, (envelope.data as { fields?: string[] } | null)?.fields]
  }
  expect(await refused(source('dingtalk', { password: '' }))).toEqual(['data-source.incomplete', ['password']])
  expect(await refused(source('dingtalk', {}, { rootIds: 'all' }))).toEqual([
    'data-source.incomplete',
    ['options.rootIds'],
  ])
})

let waits: number[] = []
/** Moves both clocks. */
const wait = async (milliseconds: number) => {
  waits.push(milliseconds)
  clock += milliseconds
  await syncs.advance(Math.ceil(milliseconds / 1000))
}

test('a test of an address book that is larger than its time reads a part of it and says so; a run reads all', async () => {
  for (let id = 100; id < 900; id++)
    dingtalk.book.departments.set(id, { id, name: `Department ${id}`, parentId: 3, order: 1 })
  // A call takes as long as over a slow network.
  dingtalk.delayMs = 20
  const found = await look(source('dingtalk', { timeoutSeconds: 5 }), 'departments', 'dept_id')
  expect(found).toMatchObject({ isOk: true, isWhole: false, key: { repeated: 0, empty: 0 } })
  expect(found.columns.map(({ name }) => name)).toContain('parent_id')
  expect(found.rows).toHaveLength(20)
  expect(found.count).toBeGreaterThan(20)
  dingtalk.delayMs = 0
  const whole = await openDingdingSource(settingsOf('dingtalk'), syncs.server.platform, wait)
  expect(await whole.count('departments')).toBeGreaterThan(800)
  expect(await look(source('wecom'), 'departments', 'id')).toMatchObject({ isWhole: true })
})

test('after too many calls it waits a minute, and gives up if it is never admitted', async () => {
  wecom.book.perMinute = 3
  const book = await openQywxSource(settingsOf('wecom'), syncs.server.platform, wait)
  expect(await book.count('people')).toBe(3)
  expect(waits).toEqual([60_000])
  dingtalk.book.perMinute = 0
  const closed = openDingdingSource(settingsOf('dingtalk'), syncs.server.platform, wait)
  await expect(closed).rejects.toMatchObject({ problem: 'limited', words: 'department/get 1 90018' })
  expect(waits).toHaveLength(11)
})

test('a test that would have to wait is told at once that the vendor admits no calls', async () => {
  dingtalk.book.perMinute = 0
  const steps = [{ step: 'connect', isOk: false, milliseconds: expect.any(Number) }]
  for (let at = 0; at < 4; at++)
    expect(await look(source('dingtalk'))).toMatchObject({ isOk: false, problem: 'limited', steps })
  expect(dingtalk.calls.filter((call) => call.endsWith('/department/get'))).toHaveLength(1)
})

test('a run waiting for a vendor can be stopped meanwhile', async () => {
  dingtalk.book.perMinute = 0
  const { data: made } = await syncs.root.call<DataSource>('/data_source/create/', { body: source('dingtalk') })
  const mapping = [
    { column: 'job_number', field: 'account' },
    { column: 'name', field: 'name' },
  ]
  const sync = await syncs.newSync({ sourceId: made.id, table: 'people', keyColumn: 'userid', mapping })
  const { data: run } = await syncs.start(sync)
  await until(() => dingtalk.calls.some((call) => call.endsWith('/department/get')), 30_000)
  const [task] = await syncs.sql<{ id: string }[]>`
    select task_id as id from directory_sync_runs where id = ${run.id}`
  const begin = performance.now()
  await syncs.root.call(`/background_task/${task?.id}/cancel/`, { body: {} })
  expect(await syncs.settled(run.id)).toMatchObject({ state: 'cancelled' })
  expect(performance.now() - begin).toBeLessThan(30_000)
})

test('a source that does not open is given up with its test', async () => {
  wecom.trouble = { book: 'slow' }
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const found = look(source('wecom', { timeoutSeconds: 30 }))
  while (!wecom.calls.some((call) => call.endsWith('/department/list'))) await new Promise(setImmediate)
  vi.advanceTimersByTime(90_000)
  expect(await found).toMatchObject({ isOk: false, problem: 'timeout', message: expect.stringContaining('(90 s)') })
})

test('endless pages are detected', async () => {
  const endless = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://localhost').pathname
    const result: Record<string, unknown> = {
      '/topapi/v2/department/get': { dept_id: 1, name: 'Root' },
      '/topapi/v2/department/listsub': [{ dept_id: 1, parent_id: 1 }],
      '/topapi/v2/user/list': { has_more: true, next_cursor: 100, list: [{ userid: 'u1', name: 'Again' }] },
    }
    request.resume()
    response.end(JSON.stringify({ errcode: 0, access_token: 't', expires_in: 7200, result: result[path] }))
  })
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void endless.close())
  const url = `http://127.0.0.1:${(endless.address() as AddressInfo).port}`
  const book = await openDingdingSource(settingsOf('dingtalk', { url }), syncs.server.platform)
  expect(await book.count('departments')).toBe(1)
  await expect(book.count('people')).rejects.toMatchObject({ problem: 'repeated-page' })
})

test('people are synchronised from an address book; a department that can not be read removes nobody', async () => {
  const { data: made } = await syncs.root.call<DataSource>('/data_source/create/', { body: source('dingtalk') })
  const mapping = [
    { column: 'job_number', field: 'account' },
    { column: 'name', field: 'name' },
  ]
  const sync = await syncs.newSync({ sourceId: made.id, table: 'people', keyColumn: 'userid', mapping })
  expect(await syncs.approve(await syncs.run(sync))).toMatchObject({ state: 'done' })
  const people = () => syncs.sql`select id from users where account like '2026000_' and enabled`
  expect(await people()).toHaveLength(3)
  dingtalk.book.failNext.push({ path: '/topapi/v2/user/list', problem: 'out-of-scope', times: 1 })
  const failed = await syncs.run(sync)
  expect(failed).toMatchObject({ state: 'failed', problem: expect.stringMatching(/user\/list \d+ 50004/) })
  expect(await people()).toHaveLength(3)
  expect((await syncs.run(sync)).state).toBe('done')
})
