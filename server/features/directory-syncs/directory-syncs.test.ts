import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { DirectorySync, SyncRow, SyncRun } from '#shared/contract/directory-syncs.ts'
import { type OwnSource, openOwnSource, uploadFile } from '../../testing/data-sources.ts'
import { addPerson } from '../../testing/people.ts'
import { insertDelegation, openPortal, type Portal } from '../../testing/portal.ts'
import { until } from '../../testing/process.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { startTasks } from '../background-tasks/index.ts'
import { syncTask } from './index.ts'

let server: TestServer
let root: Portal
let own: OwnSource
let stop: () => Promise<void>
beforeAll(async () => {
  server = await startTestServer()
  root = await openPortal(server, { isSuperUser: true, account: 'root' })
  own = await openOwnSource(server)
  ;({ stop } = await startTasks(server.platform, [syncTask]))
})
afterAll(async () => {
  await stop()
  await own.close()
  await server.close()
})

let word = 0
beforeEach(() => {
  word += 1
})

type People = Record<string, string>
const csv = (people: People) =>
  `no,account,name\n${Object.entries(people)
    .map(([account, name]) => `K${account},${account},${name}`)
    .join('\n')}\n`
const numbered = (count: number, name = 'Person'): People =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`${word}${String(at).padStart(4, '0')}`, `${name} ${at}`]),
  )

const MAPPING = [
  { column: 'account', field: 'account' },
  { column: 'name', field: 'name' },
]

/** A sync of a file, or of a table of the test's own database. */
async function newSync(more: object = {}, table?: string): Promise<DirectorySync> {
  const given = table ? { ...own.given, name: `Source ${word}` } : { name: `Source ${word}`, kind: 'csv-upload' }
  const source = await root.call<{ id: string }>('/data_source/create/', { body: given })
  const body = { name: `Sync ${word}`, sourceId: source.data.id, table: table ?? '', keyColumn: 'no', mapping: MAPPING }
  const { data, envelope } = await root.call<DirectorySync>('/directory_sync/create/', { body: { ...body, ...more } })
  expect(envelope.state).toBe(200)
  return data
}

const give = (sync: DirectorySync, people: People) => uploadFile(root, sync.sourceId, csv(people))
const details = async (id: string, outcome = '') =>
  (await root.call<{ run: SyncRun; rows: SyncRow[] }>(`/directory_sync_run/${id}/details/?${outcome}`)).data
const UNDER_WAY = ['reading', 'planning', 'applying']
async function settled(id: string): Promise<SyncRun> {
  await until(async () => !UNDER_WAY.includes((await details(id)).run.state), 30_000)
  return (await details(id)).run
}
const start = (sync: DirectorySync, dryRun = false) =>
  root.call<SyncRun>(`/directory_sync/${sync.id}/start/`, { body: { dryRun } })
const run = async (sync: DirectorySync, dryRun = false) => await settled((await start(sync, dryRun)).data.id)
async function approve({ id }: SyncRun): Promise<SyncRun> {
  const { envelope } = await root.call(`/directory_sync_run/${id}/approve/`, { body: { reason: 'Looked at' } })
  expect(envelope.state).toBe(200)
  return await settled(id)
}
/** With its people in: the first run is looked at. */
async function filledSync(people: People, more: object = {}): Promise<DirectorySync> {
  const sync = await newSync(more)
  await give(sync, people)
  expect((await approve(await run(sync))).state).toBe('done')
  return sync
}
/** Everybody of this test, as they stand. */
const people = () => server.platform.sql<{ account: string; name: string; enabled: boolean; version: number }[]>`
  select account, name, enabled, version from users where account like ${`${word}____`} and deleted_at is null order by account`

test('the first run waits to be looked at; then people are there, without a password, and a second run writes nobody', async () => {
  const sync = await newSync()
  await give(sync, numbered(3))
  const first = await run(sync)
  expect(first).toMatchObject({ state: 'held', counts: { new: 3 }, heldFor: [{ kind: 'first-run' }] })
  expect(await people()).toEqual([])
  expect(await approve(first)).toMatchObject({ state: 'done', counts: { new: 3 }, reason: 'Looked at' })
  const before = await people()
  expect(before.map(({ name }) => name)).toEqual(['Person 0', 'Person 1', 'Person 2'])
  const [passwords] = await server.platform.sql`
    select count(*)::int as n from passwords p join users u on u.id = p.user_id where u.account like ${`${word}____`}`
  expect(passwords?.['n']).toBe(0)
  expect(await run(sync)).toMatchObject({ state: 'done', counts: { unchanged: 3 }, heldFor: [] })
  expect(await people()).toEqual(before)
})

test('a dry run writes nobody, and its plan is what is applied: whoever changed since is left alone and named', async () => {
  const sync = await filledSync(numbered(20), { thresholds: { changed: 100, field: 100 } })
  await give(sync, numbered(20, 'Renamed'))
  const before = await people()
  const plan = await run(sync, true)
  expect(plan).toMatchObject({ state: 'planned', counts: { changed: 20 } })
  expect(await people()).toEqual(before)
  await server.platform
    .sql`update users set name = 'By hand', version = version + 1 where account = ${before[4]?.account ?? ''}`
  const done = await approve(plan)
  expect(done).toMatchObject({ state: 'done', counts: { changed: 19, 'changed-since': 1 } })
  expect((await people()).map(({ name }) => name)).toEqual(
    Array.from({ length: 20 }, (_, at) => (at === 4 ? 'By hand' : `Renamed ${at}`)),
  )
  const { rows } = await details(plan.id, 'outcome=changed-since')
  expect(rows).toMatchObject([{ person: { account: before[4]?.account }, isApplied: false }])
})

test('a plan is not applied after the mapping or the source was changed', async () => {
  const sync = await newSync()
  await give(sync, numbered(2))
  const held = await run(sync)
  const { id, version, sourceName, linked, lastRun, updatedAt, ...fields } = sync
  await root.call(`/directory_sync/${id}/update/`, { body: { ...fields, version, note: 'Other' } })
  const answer = await root.call(`/directory_sync_run/${held.id}/approve/`, { body: { reason: 'x' } })
  expect(answer.envelope.code).toBe('directory-sync.changed')
  expect(await people()).toEqual([])
})

test('an empty answer of a source changes nobody', async () => {
  const table = `hr_${word}`
  const { sql } = server.platform
  await sql.unsafe(`create table ${table} (no text, account text, name text)`)
  await sql.unsafe(
    `insert into ${table} select 'K' || n, '${word}' || lpad(n::text, 4, '0'), 'Person ' || n from generate_series(1, 30) n`,
  )
  const sync = await newSync({ leavers: { action: 'disable', runs: 1, days: 0 } }, table)
  await approve(await run(sync))
  const before = await people()
  expect(before.length).toBe(30)
  await sql.unsafe(`delete from ${table}`)
  expect(await run(sync)).toMatchObject({
    state: 'failed',
    isComplete: false,
    problem: expect.stringContaining('no rows'),
  })
  expect(await people()).toEqual(before)
})

test('a source that dies in the middle, or lost a column, changes nobody', async () => {
  const table = `hr_${word}`
  const { sql } = server.platform
  await sql.unsafe(`create table ${table} (no text, account text, name text)`)
  await sql.unsafe(
    `insert into ${table} select 'K' || n, '${word}' || lpad(n::text, 4, '0'), repeat('N', 50) from generate_series(1, 700) n`,
  )
  const sync = await newSync({ leavers: { action: 'disable', runs: 1, days: 0 } }, table)
  await approve(await run(sync))
  const before = await people()
  expect(before.length).toBe(700)
  await sql.unsafe(`update ${table} set name = 'Other'`)
  own.breakAfter(20_000)
  expect(await run(sync)).toMatchObject({ state: 'failed', isComplete: false })
  own.breakAfter(null)
  await sql.unsafe(`alter table ${table} rename column name to full_name`)
  expect(await run(sync)).toMatchObject({ state: 'failed', problem: expect.stringContaining('(name)') })
  await sql.unsafe(`drop table ${table}`)
  expect((await run(sync)).state).toBe('failed')
  expect(await people()).toEqual(before)
})

test('over a threshold a run is held before anybody is written, and says why', async () => {
  const sync = await filledSync(numbered(40), { leavers: { action: 'disable', runs: 1, days: 0 } })
  const before = await people()
  await give(sync, numbered(20))
  const half = await run(sync)
  expect(half.state).toBe('held')
  expect(half.heldFor.map(({ kind }) => kind).sort()).toEqual(['fewer-rows', 'missing'])
  await give(sync, numbered(40, 'Shifted'))
  const shifted = await run(sync)
  expect(shifted.heldFor).toMatchObject([
    { kind: 'changed', count: 40 },
    { kind: 'field', field: 'name' },
  ])
  await give(sync, { ...numbered(40), ...Object.fromEntries(Object.entries(numbered(80)).slice(40)) })
  expect((await run(sync)).heldFor).toMatchObject([{ kind: 'created', count: 40, of: 40 }])
  expect(await people()).toEqual(before)
  expect((await details(half.id)).run.state).toBe('discarded')
  expect((await root.call(`/directory_sync_run/${half.id}/approve/`, { body: { reason: 'x' } })).envelope.code).toBe(
    'directory-sync.not-waiting',
  )
})

test('whoever is missing for long enough is disabled, nobody is deleted, and whoever comes back is enabled again', async () => {
  const sync = await filledSync(numbered(40), { leavers: { action: 'disable', runs: 2, days: 3 } })
  const everybody = numbered(40)
  const [gone = '', byHand = '', ...others] = Object.keys(everybody)
  const rest = Object.fromEntries(others.map((account) => [account, everybody[account] ?? '']))
  const enabled = async () => (await people()).filter((one) => one.enabled).length
  await give(sync, rest)
  expect(await run(sync)).toMatchObject({ state: 'done', counts: { missing: 2 } })
  expect(await run(sync)).toMatchObject({ state: 'done', counts: { missing: 2 } })
  expect(await enabled()).toBe(40)
  server.advance(3 * 86_400 + 60)
  root = await openPortal(server, { userId: root.user.userId })
  expect(await run(sync)).toMatchObject({ state: 'done', counts: { leaver: 2 } })
  expect(await enabled()).toBe(38)
  expect((await people()).length).toBe(40)
  // Somebody looks after one of them meanwhile: what they set is theirs.
  await server.platform.sql`update users set version = version + 1 where account = ${byHand}`
  await give(sync, everybody)
  expect(await run(sync)).toMatchObject({ state: 'done', counts: { changed: 1, unchanged: 39 } })
  const now = new Map((await people()).map((one) => [one.account, one.enabled]))
  expect([now.get(gone), now.get(byHand)]).toEqual([true, false])
})

test('super users and administrators are nobody’s but their own', async () => {
  const [boss = '', dean = ''] = Object.keys(numbered(2))
  await addPerson(server, { account: boss, name: 'Boss', isSuperUser: true })
  const deanId = await addPerson(server, { account: dean, name: 'Dean' })
  await insertDelegation(server, deanId, { powers: ['edit'] })
  const before = await people()
  const sync = await newSync()
  await give(sync, numbered(2, 'Taken over'))
  const held = await run(sync)
  expect(held.counts).toEqual({ protected: 2 })
  await approve(held)
  expect(await people()).toEqual(before)
})

test('somebody who is here already is linked by a rule, and never because a number happens to be the same', async () => {
  const [account = ''] = Object.keys(numbered(1))
  await addPerson(server, { account, name: 'Here already' })
  const sync = await newSync({ matchBy: [] })
  await give(sync, numbered(1))
  const held = await run(sync)
  expect(held.counts).toEqual({ conflict: 1 })
  await approve(held)
  expect((await people())[0]?.name).toBe('Here already')
})

test('a number that changed in the source is somebody’s to decide, no deletion and no new person', async () => {
  const sync = await filledSync(numbered(20))
  const before = await people()
  const text = csv(numbered(20)).replace(`,${before[0]?.account},`, ',renumbered,')
  await uploadFile(root, sync.sourceId, text)
  const done = await run(sync)
  expect(done).toMatchObject({ state: 'done', counts: { conflict: 1, unchanged: 19 } })
  expect((await details(done.id, 'outcome=conflict')).rows[0]?.problems[0]).toContain('renumbered')
  expect(await people()).toEqual(before)
  expect(await server.platform.sql`select 1 from users where account = 'renumbered'`).toEqual([])
})

test('rows without a key, or with somebody else’s, are left out, and then nobody counts as missing', async () => {
  const sync = await filledSync(numbered(40), { leavers: { action: 'disable', runs: 1, days: 0 } })
  const lines = csv(numbered(39)).trim().split('\n')
  const repeated = lines[1]?.split(',')[0]
  await uploadFile(root, sync.sourceId, `${[...lines, `${repeated},other1,Other`, ',other2,Other'].join('\n')}\n`)
  const done = await run(sync)
  expect(done).toMatchObject({ state: 'done', isComplete: false, counts: { bad: 3, unchanged: 38 } })
  expect(done.counts.missing).toBeUndefined()
  expect((await people()).filter(({ enabled }) => enabled).length).toBe(40)
})

test('of one source one run is under way at a time, and one that is cut off goes on where it was', async () => {
  const sync = await newSync()
  await give(sync, numbered(900))
  const held = await run(sync)
  await root.call(`/directory_sync_run/${held.id}/approve/`, { body: { reason: 'Go' } })
  expect((await start(sync)).envelope.code).toBe('directory-sync.running')
  await until(async () => (await people()).length > 0, 20_000)
  await stop()
  const reached = (await people()).length
  expect(reached).toBeGreaterThan(0)
  ;({ stop } = await startTasks(server.platform, [syncTask]))
  const done = await settled(held.id)
  expect(done).toMatchObject({ state: 'done', counts: { new: 900 } })
  expect((await people()).length).toBe(900)
  const [links] = await server.platform.sql`
    select count(*)::int as n, count(distinct user_id)::int as people from directory_links where source_id = ${sync.sourceId}`
  expect(links).toEqual({ n: 900, people: 900 })
})

test('a source is read by one sync alone, which the refusal names', async () => {
  const sync = await newSync()
  const body = { name: `Other ${word}`, sourceId: sync.sourceId, table: '', keyColumn: 'no', mapping: MAPPING }
  const { envelope } = await root.call('/directory_sync/create/', { body })
  expect(envelope).toMatchObject({ state: 409, code: 'directory-sync.source-taken', data: { fields: ['sourceId'] } })
  expect(envelope.message).toContain(sync.name)
})

test('a source that a sync reads is not deleted, and only super users see syncs', async () => {
  const sync = await newSync()
  const source = await root.call<{ version: number }>(`/data_source/${sync.sourceId}/details/`)
  const { version } = source.data
  const answer = await root.call(`/data_source/${sync.sourceId}/delete/`, { body: { version } })
  expect(answer.envelope.code).toBe('data-source.in-use')
  const someone = await openPortal(server, { powers: ['edit', 'import'] })
  expect((await someone.call('/directory_sync/query/')).status).toBe(403)
})
