import { expect, test } from 'vitest'
import type { DirectorySync, SyncRun } from '#shared/contract/directory-syncs.ts'
import { DAY_MS, HOUR_MS } from '#shared/rules/durations.ts'
import { SYNC_MAPPING, SyncWorld } from '../../testing/directory-syncs.ts'
import { startDueSyncs } from './index.ts'

const syncs = new SyncWorld()

/** Forty people in a table with modification times, and a sync that has imported them. */
async function withCursor(more: object = {}): Promise<{ sync: DirectorySync; table: string }> {
  const table = syncs.table()
  const prefix = syncs.account(0).slice(0, -4)
  await syncs.sql.unsafe(`create table ${table} (no text, account text, name text, written timestamptz)`)
  await syncs.sql.unsafe(
    `insert into ${table} select 'K' || n, '${prefix}' || lpad(n::text, 4, '0'), 'Person ' || n, '2026-01-01 08:00:00+08' from generate_series(1, 40) n`,
  )
  const sync = await syncs.newSync({ cursorColumn: 'written', ...more }, table)
  expect(await syncs.approve(await syncs.run(sync))).toMatchObject({ state: 'done', mode: 'full', counts: { new: 40 } })
  return { sync, table }
}

const cursorOf = async ({ id }: DirectorySync) =>
  (await syncs.root.call<DirectorySync>(`/directory_sync/${id}/details/`)).data.cursor
const nameOf = async (at: number) => (await syncs.people()).find(({ account }) => account === syncs.account(at))?.name

test('an incremental run reads changes since the last applied one, with an overlap, and determines no missing people', async () => {
  const { sync, table } = await withCursor({ leavers: { action: 'disable', runs: 1, days: 0 } })
  const { sql } = syncs
  expect(Date.parse((await cursorOf(sync)) ?? '')).toBe(Date.parse('2026-01-01T00:00:00Z'))
  await sql.unsafe(`update ${table} set name = 'Late', written = '2026-01-01 07:55:00+08' where no = 'K1'`)
  await sql.unsafe(`update ${table} set name = 'Too late', written = '2025-12-31 08:00:00+08' where no = 'K2'`)
  await sql.unsafe(`update ${table} set written = '2025-06-01' where no not in ('K1', 'K2', 'K3')`)
  await sql.unsafe(`update ${table} set name = 'New', written = '2026-02-01 08:00:00+08' where no = 'K3'`)
  await sql.unsafe(`delete from ${table} where no = 'K40'`)
  const run = await syncs.runChanges(sync)
  expect(run).toMatchObject({ state: 'done', mode: 'incremental', rowsRead: 2, counts: { changed: 2 } })
  expect([await nameOf(1), await nameOf(2), await nameOf(3)]).toEqual(['Late', 'Person 2', 'New'])
  expect((await syncs.people()).every(({ enabled }) => enabled)).toBe(true)
  expect(Date.parse((await cursorOf(sync)) ?? '')).toBe(Date.parse('2026-02-01T00:00:00Z'))
  // Nothing new: only the overlap is read, and nobody is written.
  expect(await syncs.runChanges(sync)).toMatchObject({ state: 'done', counts: { unchanged: 1 } })
  // A full run finds what the cursor missed.
  expect(await syncs.run(sync)).toMatchObject({ state: 'done', mode: 'full', counts: { changed: 1, leaver: 1 } })
  expect(await nameOf(2)).toBe('Too late')
})

test('the cursor advances only when a run has been applied, is shown, and can be reset', async () => {
  const { sync, table } = await withCursor({ thresholds: { changed: 5, field: 5 } })
  const before = await cursorOf(sync)
  await syncs.sql.unsafe(`update ${table} set name = 'Shifted', written = '2026-03-01'`)
  const held = await syncs.runChanges(sync)
  expect(held).toMatchObject({ state: 'held', mode: 'incremental' })
  expect(await cursorOf(sync)).toBe(before)
  await syncs.root.call(`/directory_sync_run/${held.id}/discard/`, { body: {} })
  expect(await cursorOf(sync)).toBe(before)
  expect(await syncs.approve(await syncs.runChanges(sync))).toMatchObject({ state: 'done', counts: { changed: 40 } })
  expect(await cursorOf(sync)).not.toBe(before)
  expect((await syncs.root.call(`/directory_sync/${sync.id}/reset_cursor/`, { body: {} })).envelope.state).toBe(200)
  expect(await cursorOf(sync)).toBeNull()
  // Files have no cursor, which is refused at once.
  const file = { name: syncs.named('File'), sourceId: await syncs.newSource(), keyColumn: 'no', mapping: SYNC_MAPPING }
  const refused = await syncs.root.call('/directory_sync/create/', { body: { ...file, cursorColumn: 'written' } })
  expect(refused.envelope).toMatchObject({ code: 'directory-sync.no-cursor', data: { fields: ['cursorColumn'] } })
  // Without a cursor the next run is full, and says so.
  expect(await syncs.runChanges(sync)).toMatchObject({ mode: 'full', rowsRead: 40, counts: { unchanged: 40 } })
})

/** To noon in Shanghai of another day: midnight is far from the runs that follow. */
async function advanceToNoon(): Promise<void> {
  const now = syncs.server.platform.now().getTime()
  const noon = 4 * HOUR_MS
  await syncs.advance(((Math.floor((now - noon) / DAY_MS) + 2) * DAY_MS + noon - now) / 1000)
}

test('a cursor read from one table is not kept for another one that the sync reads by the time the run ends', async () => {
  const { sync, table } = await withCursor({ thresholds: { changed: 5, field: 5 } })
  await syncs.sql.unsafe(`create table ${table}_b as select * from ${table}`)
  await syncs.sql.unsafe(`update ${table} set name = 'Renamed', written = '2026-03-01'`)
  const held = await syncs.runChanges(sync)
  await syncs.whileTasksStop(async () => {
    await syncs.root.call(`/directory_sync_run/${held.id}/approve/`, { body: { reason: 'Looked at' } })
    await syncs.save(sync, { table: `${table}_b` })
  })
  expect(await syncs.settled(held.id)).toMatchObject({ state: 'done' })
  expect(await cursorOf(sync)).toBeNull()
})

test('the first scheduled run of a day is full, later ones are incremental', async () => {
  const { sync } = await withCursor({ schedule: { cron: '*/5 * * * *', zone: 'Asia/Shanghai' } })
  const nextRun = async (): Promise<SyncRun | undefined> => {
    await syncs.advance(301)
    await startDueSyncs(syncs.server.platform)
    const [latest] = await syncs.runs(sync)
    return latest && (await syncs.settled(latest.id))
  }
  await advanceToNoon()
  expect(await nextRun()).toMatchObject({ mode: 'full', state: 'done' })
  expect(await nextRun()).toMatchObject({ mode: 'incremental', state: 'done' })
  await advanceToNoon()
  expect(await nextRun()).toMatchObject({ mode: 'full', state: 'done' })
})
