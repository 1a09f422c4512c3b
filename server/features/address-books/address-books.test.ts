import { v7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BookSync } from '#shared/contract/address-books.ts'
import type { SyncRow, SyncRunBase } from '#shared/contract/directory-syncs.ts'
import { type Simulator, startSimulator, VENDORS } from '../../../tools/simulators/index.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { until } from '../../testing/process.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { startTasks } from '../background-tasks/index.ts'
import { bookSyncTask } from './index.ts'

type Key = 'qywx' | 'dingding'
let server: TestServer
let root: Portal
let vendor: Simulator
let stopTasks: () => Promise<void>
let word = 0
let top = ''
let physics = ''
let optics = ''

beforeAll(async () => {
  server = await startTestServer()
  root = await openPortal(server, { isSuperUser: true, account: 'root' })
  ;({ stop: stopTasks } = await startTasks(server.platform, [bookSyncTask]))
})
afterAll(async () => {
  await stopTasks()
  await server.close()
})

/** A part of the institution of this test's own: Physics with Optics below it, and somebody in each. */
beforeEach(async () => {
  word += 1
  top = await addOrganization(`Top ${word}`, null)
  physics = await addOrganization(`Physics ${word}`, top)
  optics = await addOrganization(`Optics ${word}`, physics)
  await addSomebody(1, physics)
  await addSomebody(2, optics)
})

async function addOrganization(name: string, parentId: string | null): Promise<string> {
  const body = { name, code: name.replace(/\W/g, '').toLowerCase(), parentId, names: {} }
  const { data, envelope } = await root.call<{ id: string }>('/organization/create/', { body })
  expect(envelope.state).toBe(200)
  return data.id
}

const account = (at: number) => `p${word}-${at}`
async function addSomebody(at: number, organizationId: string): Promise<void> {
  const { sql, now } = server.platform
  const phone = `+8613${String(word * 1000 + at).padStart(9, '0')}`
  await sql`
    insert into users (id, account, name, organization_id, phone, created_at, updated_at)
    values (${v7()}, ${account(at)}, ${`Person ${at}`}, ${organizationId}, ${phone}, ${now()}, ${now()})`
}

async function newSync(key: Key, more: object = {}): Promise<BookSync> {
  vendor = await startSimulator(VENDORS[key], { trustedOrigin: server.url, now: server.platform.now })
  simulators.push(vendor)
  const body = {
    ...{ name: `Book ${word}`, vendor: key, roots: [{ organizationId: top, departmentId: 1 }] },
    ...VENDORS[key].contacts?.(vendor.url),
    ...more,
  }
  const { data, envelope } = await root.call<BookSync>('/book_sync/create/', { body })
  expect(envelope.state).toBe(200)
  return data
}
const simulators: Simulator[] = []
afterAll(async () => {
  for (const one of simulators) await one.close()
})

const details = async (id: string, query = '') =>
  (await root.call<{ run: SyncRunBase; rows: SyncRow[] }>(`/book_sync_run/${id}/details/?${query}`)).data
async function settled(id: string): Promise<SyncRunBase> {
  await until(async () => !['reading', 'applying', 'undoing'].includes((await details(id)).run.state), 30_000)
  return (await details(id)).run
}
const start = (sync: BookSync, dryRun = false) =>
  root.call<SyncRunBase>(`/book_sync/${sync.id}/start/`, { body: { dryRun } })
const run = async (sync: BookSync, dryRun = false) => await settled((await start(sync, dryRun)).data.id)
async function decide(verb: 'approve' | 'undo', { id }: SyncRunBase): Promise<SyncRunBase> {
  const { envelope } = await root.call(`/book_sync_run/${id}/${verb}/`, { body: { reason: 'Looked at' } })
  expect(envelope.state).toBe(200)
  return await settled(id)
}
const OPEN = { thresholds: { missing: 100, changed: 100, created: 100, field: 100, bad: 100, rows: 0 } }
const filledSync = async (key: Key, more: object = {}) => {
  const sync = await newSync(key, { ...OPEN, ...more })
  expect((await decide('approve', await run(sync))).state).toBe('done')
  return sync
}
const there = (at: number) => vendor.book.users.get(account(at))
const department = (name: string) => [...vendor.book.departments.values()].find((one) => one.name === `${name} ${word}`)
const changeHere = (at: number, change: Record<string, unknown>) =>
  server.platform
    .sql`update users set ${server.platform.sql(change)}, version = version + 1 where account = ${account(at)}`

test.each(['qywx', 'dingding'] as const)(
  '%s: the first run waits to be looked at; then departments and people stand there, and a second run writes nothing',
  async (key) => {
    const sync = await newSync(key)
    const held = await run(sync)
    expect(held).toMatchObject({ state: 'held', counts: { new: 4 }, heldFor: [{ kind: 'first-run' }] })
    expect(there(1)).toBe(undefined)
    expect(await decide('approve', held)).toMatchObject({ state: 'done', counts: { new: 4 }, reason: 'Looked at' })
    expect(department('Optics')?.parentId).toBe(department('Physics')?.id)
    expect(there(2)).toMatchObject({ name: 'Person 2', departments: [department('Optics')?.id] })
    expect(there(2)?.mobile).toMatch(/^13\d{9}$/)
    vendor.calls.length = 0
    expect(await run(sync)).toMatchObject({ state: 'done', counts: { unchanged: 4 }, heldFor: [] })
    expect(vendor.calls.filter((call) => /create|update|delete/.test(call))).toEqual([])
  },
)

test('what changed here is changed there: a name, a phone, a move; what nobody here looks after stays', async () => {
  const sync = await filledSync('qywx')
  there(1)?.departments.push(2)
  await changeHere(1, { name: 'Renamed', organization_id: optics })
  await server.platform
    .sql`update organizations set name = ${`Lasers ${word}`}, version = version + 1 where id = ${optics}`
  expect(await run(sync)).toMatchObject({ state: 'done', counts: { moved: 1, changed: 1, unchanged: 2 } })
  expect(there(1)).toMatchObject({ name: 'Renamed', departments: [department('Lasers')?.id, 2] })
})

test('exactly the plan is written that was looked at: who changed since, here or there, is left and named', async () => {
  const sync = await filledSync('qywx')
  await addSomebody(3, physics)
  for (const at of [1, 2, 3]) await changeHere(at, { name: `New ${at}` })
  const plan = await run(sync, true)
  expect(plan).toMatchObject({ state: 'planned', counts: { changed: 2, new: 1 } })
  await changeHere(1, { name: 'By hand' })
  Object.assign(there(2) ?? {}, { name: 'By somebody else' })
  expect(await decide('approve', plan)).toMatchObject({ state: 'done', counts: { new: 1, 'changed-since': 2 } })
  expect([there(1)?.name, there(2)?.name, there(3)?.name]).toEqual(['Person 1', 'By somebody else', 'New 3'])
  const { rows } = await details(plan.id, 'outcome=changed-since')
  expect(rows.map(({ person, problems }) => [person?.account, problems])).toEqual([
    [account(1), [expect.stringContaining('changed here')]],
    [account(2), [expect.stringContaining('changed in the address book')]],
  ])
})

test('a run over a threshold waits, and nothing is written until somebody says so', async () => {
  const sync = await filledSync('qywx', { thresholds: { changed: 10 } })
  await changeHere(1, { name: 'Other' })
  expect(await run(sync)).toMatchObject({
    state: 'held',
    heldFor: [{ kind: 'changed', count: 1, of: 4 }, { kind: 'field' }],
  })
  expect(there(1)?.name).toBe('Person 1')
})

test('whoever leaves stays there unless the administrator chose otherwise; who comes back is enabled again', async () => {
  const kept = await filledSync('qywx')
  await changeHere(1, { enabled: false })
  expect(await run(kept)).toMatchObject({ state: 'done', counts: { missing: 1, unchanged: 3 } })
  expect(there(1)).toMatchObject({ status: 4 })
  await root.call(`/book_sync/${kept.id}/delete/`, { body: { version: 1 } })

  const sync = await newSync('qywx', { ...OPEN, leavers: 'disable', name: `Disabling ${word}` })
  await changeHere(1, { enabled: true })
  await decide('approve', await run(sync))
  await changeHere(1, { enabled: false })
  expect(await run(sync)).toMatchObject({ counts: { leaver: 1 } })
  expect(there(1)?.status).toBe(2)
  expect(await run(sync)).toMatchObject({ counts: { missing: 1, unchanged: 3 } })
  await changeHere(1, { enabled: true })
  expect(await run(sync)).toMatchObject({ counts: { changed: 1 } })
  expect(there(1)?.status).not.toBe(2)
})

test('whom the administrator lets be deleted is deleted, and nobody who was not linked', async () => {
  const sync = await filledSync('dingding', { leavers: 'delete' })
  await changeHere(1, { enabled: false })
  expect(await run(sync)).toMatchObject({ counts: { leaver: 1 } })
  expect(there(1)).toBe(undefined)
  expect(vendor.book.users.has('lilei')).toBe(true)
})

test('a run is undone: who was created and has not joined goes, who joined or was changed since stays', async () => {
  const sync = await filledSync('qywx')
  await addSomebody(3, physics)
  await addSomebody(4, physics)
  await changeHere(1, { name: 'Renamed' })
  await changeHere(2, { name: 'Renamed too' })
  const done = await run(sync)
  expect(done).toMatchObject({ counts: { new: 2, changed: 2 } })
  Object.assign(there(4) ?? {}, { status: 1 })
  Object.assign(there(2) ?? {}, { name: 'By somebody else' })
  expect(await decide('undo', done)).toMatchObject({ state: 'undone', undo: { undone: 2, touched: 2 } })
  expect([there(1)?.name, there(2)?.name, there(3)]).toEqual(['Person 1', 'By somebody else', undefined])
  expect(there(4)?.name).toBe('Person 4')
})

test('what the vendor refuses is told at its row, and the others go on', async () => {
  const sync = await newSync('qywx', OPEN)
  await server.platform.sql`update users set phone = null where account = ${account(2)}`
  const [first] = vendor.book.users.values()
  await changeHere(1, { phone: `+86${first?.mobile}` })
  await addSomebody(3, physics)
  const held = await run(sync)
  expect(held.counts).toEqual({ new: 3, bad: 1, conflict: 1 })
  vendor.book.failNext.push({ path: '/cgi-bin/user/create', problem: 'email', times: 1 })
  await decide('approve', held)
  const { rows } = await details(held.id)
  expect(rows.slice(2).map(({ person, outcome, problems }) => [person?.account, outcome, problems[0]])).toEqual([
    [account(1), 'conflict', expect.stringContaining('LiLei')],
    [account(2), 'bad', expect.stringContaining('phone or an email')],
    [account(3), 'bad', expect.stringContaining('60105')],
  ])
})

test('an answer that was lost creates nobody twice', async () => {
  const sync = await newSync('qywx', OPEN)
  const held = await run(sync)
  // As if the node had died behind the call, before it could note it.
  const { sql } = server.platform
  await sql`update book_rows set is_attempted = true where run_id = ${held.id} and row in (1, 3)`
  vendor.book.departments.set(90, { id: 90, name: `Physics ${word}`, parentId: 1, order: 0 })
  const [row] = await sql<{ phone: string }[]>`select phone from users where account = ${account(1)}`
  vendor.book.users.set(account(1), {
    ...{ id: account(1), name: 'Person 1', mobile: row?.phone.slice(3) ?? '', email: '', title: '', number: '' },
    departments: [90],
    status: 4,
  })
  expect(await decide('approve', held)).toMatchObject({ state: 'done', counts: { new: 4 } })
  expect(department('Physics')?.id).toBe(90)
  expect([...vendor.book.users.keys()].filter((id) => id.startsWith(`p${word}-`))).toHaveLength(2)
})

test('an address book that cannot be read to its end is not planned, and the run says why', async () => {
  const sync = await newSync('qywx', { secret: 'wrong-secret-of-nobody' })
  expect(await run(sync)).toMatchObject({ state: 'failed', problem: expect.stringContaining('40001') })
  const other = await newSync('qywx', { name: `Elsewhere ${word}`, roots: [{ organizationId: top, departmentId: 77 }] })
  expect(await run(other)).toMatchObject({ state: 'failed', problem: expect.stringContaining('60003') })
})

test('one run of a sync at a time; the secret is never shown and goes to no other place', async () => {
  const sync = await newSync('qywx')
  expect(sync.secret).toBe('******')
  const answers = await Promise.all([start(sync), start(sync)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  await settled(answers.find(({ status }) => status === 200)?.data.id ?? '')
  const { id, version, rootNames, linkedPeople, linkedDepartments, lastRun, updatedAt, ...fields } = sync
  const body = { ...fields, version, host: 'https://elsewhere.example' }
  expect((await root.call(`/book_sync/${id}/update/`, { body })).envelope.code).toBe('settings.secret-needed')
  expect((await root.call(`/book_sync/${id}/update/`, { body: { ...fields, version, note: 'Other' } })).status).toBe(
    200,
  )
})
