import { expect, test } from 'vitest'
import type { BookSync } from '#shared/contract/address-books.ts'
import {
  ask,
  change,
  decide,
  filled,
  newSync,
  PROVIDERS,
  prepareMailboxRuns,
  provider,
  root,
  rowsOf,
  run,
  server,
  settled,
  there,
  withoutTasks,
} from '../../testing/mailbox-runs.ts'
import { until } from '../../testing/process.ts'

prepareMailboxRuns()

test.each(PROVIDERS)(
  '%s: an undone run disables what it created and deletes nothing; the next run enables it again',
  async (driver) => {
    const sync = await newSync(driver)
    const done = await decide('approve', await run(sync))
    Object.assign(there(2) ?? {}, { name: 'By the mail administrator' })
    expect(await decide('undo', done)).toMatchObject({ state: 'undone', undo: { disabled: 1, touched: 1 } })
    expect([there(1)?.isDisabled, there(2)?.isDisabled]).toEqual([true, false])
    await decide('approve', await run(sync, true))
    expect(there(1)).toMatchObject({ isDisabled: false })
  },
)

test.each(PROVIDERS)(
  '%s: an undo leaves a mailbox that was disabled there alone, and so does the next run',
  async (driver) => {
    const sync = await newSync(driver)
    const done = await decide('approve', await run(sync))
    Object.assign(there(1) ?? {}, { isDisabled: true })
    expect(await decide('undo', done)).toMatchObject({ state: 'undone', undo: { disabled: 1, touched: 1 } })
    await decide('approve', await run(sync, true))
    expect([there(1)?.isDisabled, there(2)?.isDisabled]).toEqual([true, false])
  },
)

test('a run says how many rows it has to write and how many it has tried', async () => {
  const sync = await newSync('exmail')
  const held = await run(sync)
  expect(held).toMatchObject({ state: 'held', toWrite: 2, tried: 0 })
  expect(await decide('approve', held)).toMatchObject({ state: 'done', toWrite: 2, tried: 2 })
  expect(await run(sync, true)).toMatchObject({ toWrite: 0 })
})

test('an undo says how many rows it has to go through and how many it has done', async () => {
  const sync = await newSync('exmail')
  const done = await decide('approve', await run(sync))
  expect(done.progress).toBeNull()
  const progress = async () => (await rowsOf(done.id)).run.progress
  provider.delayMs = 300
  expect((await ask('undo', done)).envelope.state).toBe(200)
  expect(await progress()).toEqual({ done: 0, total: 2 })
  await until(async () => (await progress())?.done === 1, 20_000)
  const { data } = await root.call<{ records: BookSync[] }>('/book_sync/query/')
  expect(data.records[0]?.lastRun?.progress).toEqual({ done: 1, total: 2 })
  expect(await settled(done.id)).toMatchObject({ state: 'undone', progress: null, undo: { disabled: 2 } })
})

test('an undo that was interrupted after its call knows that it has disabled the mailbox', async () => {
  const sync = await newSync('exmail')
  const done = await decide('approve', await run(sync))
  Object.assign(there(1) ?? {}, { isDisabled: true })
  await server.platform.sql`update book_rows set is_undo_attempted = true where run_id = ${done.id}`
  expect(await decide('undo', done)).toMatchObject({ state: 'undone', undo: { disabled: 2 } })
})

test.each(['off', 'preview'])(
  'a run that writes ends when the mode is set to %s; what it wrote can be undone',
  async (mode) => {
    const { sql } = server.platform
    const sync = await newSync('exmail')
    const held = await run(sync)
    // As if it had written the first row when its node stopped.
    await withoutTasks(async () => {
      expect((await ask('approve', held)).envelope.state).toBe(200)
      await sql`update book_rows set is_applied = true where run_id = ${held.id} and row = 1`
      await sql`update book_syncs set mode = ${mode} where id = ${sync.id}`
    })
    expect(await settled(held.id)).toMatchObject({ state: 'cancelled' })
    expect(provider.mailboxes.size).toBe(0)
    expect(await decide('undo', held)).toMatchObject({ state: 'undone', undo: { gone: 1 } })
  },
)

test('a mailbox in a state of Coremail that is not ours is a conflict, and is neither changed nor disabled', async () => {
  const sync = await filled('coremail', { leavers: 'disable' })
  Object.assign(there(1) ?? {}, { state: '4' })
  Object.assign(there(2) ?? {}, { state: '4' })
  await change(1, { name: 'Another' })
  await change(2, { enabled: false })
  const { id } = await run(sync)
  const { rows } = await rowsOf(id)
  expect(rows.map(({ outcome }) => outcome)).toEqual(['conflict', 'missing'])
  expect(rows[0]?.problems[0]).toContain('state 4')
  expect([there(1)?.name, there(2)?.isDisabled]).toEqual(['Person 1', false])
})

test('the database refuses that leavers of a mail provider are deleted', async () => {
  const sync = await newSync('exmail')
  const deleting = server.platform.sql`update book_syncs set leavers = 'delete' where id = ${sync.id}`
  await expect(deleting).rejects.toThrow('book_syncs_no_mailbox_deleted')
})
