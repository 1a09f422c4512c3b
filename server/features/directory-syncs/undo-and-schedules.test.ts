import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import type { DirectorySync, SyncRun } from '#shared/contract/directory-syncs.ts'
import { SyncWorld } from '../../testing/directory-syncs.ts'
import { insertAppointment, openPortal } from '../../testing/portal.ts'
import { until } from '../../testing/process.ts'
import { forgetSyncRows, startDueSyncs } from './index.ts'

const syncs = new SyncWorld()

test('an undo restores what nobody has changed since, and each row says what became of it', async () => {
  const { sql } = syncs
  const sync = await syncs.filledSync(syncs.numbered(20), { thresholds: { changed: 100, field: 100, created: 100 } })
  const before = await syncs.people()
  const next = { ...syncs.numbered(20, 'Renamed'), ...Object.fromEntries(Object.entries(syncs.numbered(23)).slice(20)) }
  await syncs.give(sync, next)
  const done = await syncs.run(sync)
  expect(done).toMatchObject({ state: 'done', counts: { changed: 20, new: 3 } })
  const [byHand, admin, fresh, used] = (await syncs.people())
    .filter((_, at) => [2, 3, 21, 22].includes(at))
    .map(({ account }) => account)
  await sql`update users set name = 'By hand', version = version + 1 where account = ${byHand ?? ''}`
  await sql`update users set last_login_at = now() where account = ${used ?? ''}`
  const [{ id: adminId } = { id: '' }] = await sql<
    { id: string }[]
  >`select id from users where account = ${admin ?? ''}`
  await insertAppointment(syncs.server, adminId, { permissions: ['edit'] })
  expect(await syncs.undo(done)).toMatchObject({
    state: 'undone',
    undo: { undone: 18, removed: 2, touched: 2, protected: 1 },
  })
  const after = new Map((await syncs.people()).map((one) => [one.account, one.name]))
  expect([after.get(byHand ?? ''), after.get(admin ?? ''), after.has(fresh ?? ''), after.has(used ?? '')]).toEqual([
    'By hand',
    'Renamed 3',
    false,
    true,
  ])
  expect([...after.values()].filter((name) => name.startsWith('Person')).length).toBe(before.length - 2 + 1)
  const { rows } = await syncs.details(done.id, 'outcome=new')
  expect(rows.map((row) => row.undo)).toEqual(['removed', 'removed', 'touched'])
  const { rows: left } = await syncs.details(done.id, 'undo=touched')
  expect(left.map(({ person }) => person?.account).sort()).toEqual([byHand, used].sort())
  // Undone once; people deleted by it may be created again by the next run.
  const again = await syncs.root.call(`/directory_sync_run/${done.id}/undo/`, { body: { reason: 'Once more' } })
  expect(again.envelope.code).toBe('directory-sync.not-done')
  expect((await syncs.run(sync, true)).counts).toMatchObject({ new: 2, changed: 19 })
})

test('a run keeps who approved it and why when somebody undoes it', async () => {
  const sync = await syncs.newSync()
  await syncs.give(sync, syncs.numbered(1))
  const { id } = await syncs.run(sync)
  await syncs.root.call(`/directory_sync_run/${id}/approve/`, { body: { reason: 'New term' } })
  const approved = await syncs.settled(id)
  expect(approved).toMatchObject({ reason: 'New term', undoneBy: null, undoReason: null })
  expect(approved.decidedBy).not.toBeNull()
  const other = await openPortal(syncs.server, { isSuperUser: true, account: 'undoer' })
  await other.call(`/directory_sync_run/${id}/undo/`, { body: { reason: 'The wrong file' } })
  expect(await syncs.settled(id)).toMatchObject({
    ...{ state: 'undone', reason: 'New term', decidedBy: approved.decidedBy },
    ...{ undoneBy: 'Name of undoer', undoReason: 'The wrong file' },
  })
})

test("an undo enables whom the run disabled, and the sync doesn't touch that state afterwards", async () => {
  const sync = await syncs.filledSync(syncs.numbered(40), { leavers: { action: 'disable', runs: 1, days: 0 } })
  await syncs.give(sync, Object.fromEntries(Object.entries(syncs.numbered(40)).slice(1)))
  const done = await syncs.run(sync)
  expect(done).toMatchObject({ state: 'done', counts: { leaver: 1 } })
  expect(await syncs.undo(done)).toMatchObject({ undo: { undone: 1 } })
  expect((await syncs.people()).every(({ enabled }) => enabled)).toBe(true)
})

test('a run whose rows are forgotten can not be undone, and is not called undone', async () => {
  const sync = await syncs.filledSync(syncs.numbered(2))
  const [done] = await syncs.runs(sync)
  await syncs.advance(31 * 86_400)
  await forgetSyncRows(syncs.server.platform)
  const { envelope } = await syncs.root.call(`/directory_sync_run/${done?.id}/undo/`, { body: { reason: 'A mistake' } })
  expect(envelope).toMatchObject({ state: 409, code: 'directory-sync.forgotten' })
  expect(await syncs.runs(sync)).toMatchObject([{ state: 'done', undoReason: null }])
  expect(await syncs.people()).toHaveLength(2)
})

test('an interrupted undo resumes', async () => {
  const sync = await syncs.newSync()
  await syncs.give(sync, syncs.numbered(900))
  const done = await syncs.approve(await syncs.run(sync))
  await syncs.root.call(`/directory_sync_run/${done.id}/undo/`, { body: { reason: 'A mistake' } })
  expect((await syncs.start(sync)).envelope.code).toBe('directory-sync.running')
  await until(async () => (await syncs.people()).length < 900, 20_000)
  await syncs.restartTasks()
  expect(await syncs.settled(done.id)).toMatchObject({ state: 'undone', undo: { removed: 900 } })
  expect(await syncs.people()).toEqual([])
})

test('an undo that starts at the same moment as a run is refused with a message', async () => {
  const { sql } = syncs
  const sync = await syncs.filledSync(syncs.numbered(3))
  const [done] = await syncs.runs(sync)
  const id = v7()
  const undo = await sql.begin(async (other) => {
    await other`
      insert into directory_sync_runs (id, sync_id, source_id, state, dry_run, sync_version, source_version, started_at)
      select ${id}, sync_id, source_id, 'reading', false, sync_version, source_version, started_at
      from directory_sync_runs where id = ${done?.id ?? ''}`
    const asked = syncs.root.call(`/directory_sync_run/${done?.id}/undo/`, { body: { reason: 'A mistake' } })
    // It has checked by now, found no run, and waits for the other's transaction.
    await until(async () => {
      const waiting = await sql`
        select from pg_stat_activity where wait_event_type = 'Lock' and query like '%update "directory_sync_runs"%'`
      return waiting.length > 0
    }, 10_000)
    return [asked] as const
  })
  expect((await undo[0]).envelope).toMatchObject({ state: 409, code: 'directory-sync.running' })
  await sql`delete from directory_sync_runs where id = ${id}`
  expect(await syncs.undo(done as SyncRun)).toMatchObject({ state: 'undone', undo: { removed: 3 } })
})

test('a plan is not applied while another sync reads the same source, and waits on', async () => {
  const { sql } = syncs
  const sync = await syncs.newSync()
  await syncs.give(sync, syncs.numbered(2))
  const held = await syncs.run(sync)
  const other = await syncs.newSync({ name: syncs.named('Other'), sourceId: sync.sourceId })
  const id = v7()
  await sql`
    insert into directory_sync_runs (id, sync_id, source_id, state, dry_run, sync_version, source_version, started_at)
    values (${id}, ${other.id}, ${sync.sourceId}, 'reading', true, 1, 1, now())`
  const { envelope } = await syncs.root.call(`/directory_sync_run/${held.id}/approve/`, { body: { reason: 'Now' } })
  expect(envelope).toMatchObject({ state: 409, code: 'directory-sync.running' })
  await sql`delete from directory_sync_runs where id = ${id}`
  expect((await syncs.approve(held)).state).toBe('done')
})

const SCHEDULE = { cron: '30 2 * * *', zone: 'Asia/Shanghai' }

test('a schedule is due in its own zone, says when, and starts one run for all nodes', async () => {
  const preview = (query: string) => syncs.root.call<{ runs: string[] }>(`/directory_sync_schedule/preview/?${query}`)
  const { data } = await preview('cron=30 2 * * *&zone=Asia/Shanghai')
  expect(data.runs.map((at) => at.slice(11))).toEqual(Array.from({ length: 5 }, () => '18:30:00.000Z'))
  expect((await preview('cron=30 2 * * *&zone=Mars/Base')).envelope).toMatchObject({ code: 'directory-sync.bad-zone' })
  expect((await preview('cron=61 2 * * *&zone=UTC')).envelope).toMatchObject({ code: 'directory-sync.bad-schedule' })
  expect((await preview('cron=0 0 30 2 *&zone=UTC')).envelope).toMatchObject({ code: 'directory-sync.bad-schedule' })
  const sync = await syncs.filledSync(syncs.numbered(3), { schedule: SCHEDULE })
  const runs = async () =>
    (await syncs.root.call<{ records: SyncRun[] }>(`/directory_sync_run/query/?syncId=${sync.id}`)).data.records
  await startDueSyncs(syncs.server.platform)
  expect((await runs()).length).toBe(1)
  const { nextRunAt } = (await syncs.root.call<DirectorySync>(`/directory_sync/${sync.id}/details/`)).data
  await syncs.advance((Date.parse(nextRunAt ?? '') - syncs.server.platform.now().getTime()) / 1000 + 1)
  await Promise.all([startDueSyncs(syncs.server.platform), startDueSyncs(syncs.server.platform)])
  const [latest] = await runs()
  expect((await runs()).length).toBe(2)
  expect(await syncs.settled(latest?.id ?? '')).toMatchObject({
    state: 'done',
    startedBy: null,
    counts: { unchanged: 3 },
  })
})

test('while all syncs are paused nothing is started or applied, by schedule or by hand, except dry runs', async () => {
  const sync = await syncs.filledSync(syncs.numbered(3), { schedule: SCHEDULE })
  const held = await syncs.run(sync, true)
  const pause = (isPaused: boolean) => syncs.root.call('/directory_sync_switch/update/', { body: { isPaused } })
  await pause(true)
  try {
    expect((await syncs.start(sync)).envelope.code).toBe('directory-sync.paused')
    const approved = await syncs.root.call(`/directory_sync_run/${held.id}/approve/`, { body: { reason: 'x' } })
    expect(approved.envelope.code).toBe('directory-sync.paused')
    expect(await syncs.run(sync, true)).toMatchObject({ state: 'planned' })
    await syncs.advance(86_400)
    await startDueSyncs(syncs.server.platform)
    const { records } = (await syncs.root.call<{ records: SyncRun[] }>(`/directory_sync_run/query/?syncId=${sync.id}`))
      .data
    expect(records.length).toBe(3)
    expect((await syncs.root.call<{ isPaused: boolean }>('/directory_sync_switch/query/')).data).toEqual({
      isPaused: true,
    })
  } finally {
    await pause(false)
  }
  expect(await syncs.run(sync)).toMatchObject({ state: 'done' })
})
