import { expect, onTestFinished, test } from 'vitest'
import type { DirectorySync, SyncRun } from '#shared/contract/directory-syncs.ts'
import { SyncWorld } from '../../testing/directory-syncs.ts'
import { hold } from '../../testing/lock-waits.ts'

const PEOPLE = 450
const syncs = new SyncWorld()

/** Makes the database refuse writes to a person, so that the run stops halfway. */
async function refuseWriting(account: string): Promise<() => Promise<void>> {
  const { sql } = syncs
  await sql.unsafe(`
    create function refuse_writing() returns trigger language plpgsql as $$ begin raise exception 'disk full'; end $$;
    create trigger refuse_writing before insert or update on users for each row when (new.account = '${account}')
    execute function refuse_writing()`)
  const heal = async () => {
    await sql`drop function if exists refuse_writing cascade`
  }
  onTestFinished(heal)
  return heal
}

async function failInTheMiddle(sync: DirectorySync, account: string): Promise<SyncRun> {
  const heal = await refuseWriting(account)
  const run = await syncs.run(sync)
  const failed = run.state === 'held' ? await syncs.approve(run) : run
  await heal()
  return failed
}

const renamed = async () => (await syncs.people()).filter(({ name }) => name.startsWith('Renamed')).length

test('a run that failed while applying can be undone: what it wrote is restored, and each row says so', async () => {
  const sync = await syncs.filledSync(syncs.numbered(PEOPLE), { thresholds: { changed: 100, field: 100 } })
  await syncs.give(sync, { ...syncs.numbered(PEOPLE, 'Renamed'), ...syncs.numbered(3, 'Person', PEOPLE) })
  const failed = await failInTheMiddle(sync, syncs.account(420))
  expect(failed).toMatchObject({ state: 'failed', problem: 'The run was interrupted.' })
  const written = await renamed()
  expect(written).toBeGreaterThan(0)
  expect(written).toBeLessThan(PEOPLE)
  const byHand = syncs.account(7)
  await syncs.sql`update users set name = 'By hand', version = version + 1 where account = ${byHand}`
  expect(await syncs.undo(failed)).toMatchObject({ state: 'undone', undo: { undone: written - 1, touched: 1 } })
  expect(await renamed()).toBe(0)
  const pages = [0, 100, 200, 300, 400].map((after) => syncs.details(failed.id, `after=${after}`))
  const rows = (await Promise.all(pages)).flatMap((page) => page.rows)
  expect(rows).toHaveLength(PEOPLE + 3)
  expect(rows.filter(({ isApplied }) => isApplied)).toHaveLength(written)
  expect(rows.every(({ isApplied, undo }) => isApplied === (undo !== null))).toBe(true)
  expect(rows.find(({ person }) => person?.account === byHand)?.undo).toBe('touched')
  // Once only; the next run plans the rest.
  const again = await syncs.root.call(`/directory_sync_run/${failed.id}/undo/`, { body: { reason: 'Again' } })
  expect(again.envelope.code).toBe('directory-sync.not-done')
  expect((await syncs.run(sync, true)).counts).toMatchObject({ changed: PEOPLE, new: 3 })
})

test('people created by an interrupted first run are deleted by its undo, unless they have logged in', async () => {
  const sync = await syncs.newSync()
  await syncs.give(sync, syncs.numbered(PEOPLE))
  const failed = await failInTheMiddle(sync, syncs.account(420))
  const written = (await syncs.people()).length
  expect(written).toBeGreaterThan(1)
  expect(written).toBeLessThan(PEOPLE)
  const used = syncs.account(2)
  await syncs.sql`update users set last_login_at = now() where account = ${used}`
  expect(await syncs.undo(failed)).toMatchObject({ state: 'undone', undo: { removed: written - 1, touched: 1 } })
  expect((await syncs.people()).map(({ account }) => account)).toEqual([used])
})

const cancelTask = async (run: SyncRun) => {
  const [task] = await syncs.sql<{ id: string }[]>`
    select task_id as id from directory_sync_runs where id = ${run.id}`
  const { envelope } = await syncs.root.call(`/background_task/${task?.id}/cancel/`, { body: {} })
  expect(envelope.state).toBe(200)
}

/** What happens while a run, or its undo, waits for a person. */
async function waitAt(at: number, begin: () => Promise<SyncRun>, during: (run: SyncRun) => Promise<void>) {
  const account = syncs.account(at)
  const lock = (held: Parameters<Parameters<typeof hold>[1]>[0]) =>
    held`select from users where account = ${account} for update`
  const { reached, release } = await hold(syncs.sql, lock, '%for no key update%')
  const { id } = await begin()
  await reached()
  await during((await syncs.details(id)).run)
  await release()
  return await syncs.settled(id)
}

const beginUndo = async ({ id }: SyncRun) => {
  const body = { reason: 'A mistake' }
  return (await syncs.root.call<SyncRun>(`/directory_sync_run/${id}/undo/`, { body })).data
}

test('a run cancelled while applying can be undone, and cancelling the undo leaves it cancelled', async () => {
  const sync = await syncs.filledSync(syncs.numbered(PEOPLE), { thresholds: { changed: 100, field: 100 } })
  await syncs.give(sync, syncs.numbered(PEOPLE, 'Renamed'))
  const cancelled = await waitAt(100, async () => (await syncs.start(sync)).data, cancelTask)
  expect(cancelled).toMatchObject({ state: 'cancelled' })
  const written = await renamed()
  expect(written).toBeGreaterThan(0)
  expect(written).toBeLessThan(PEOPLE)
  expect((await waitAt(5, () => beginUndo(cancelled), cancelTask)).state).toBe('cancelled')
  expect(await syncs.undo(cancelled)).toMatchObject({ state: 'undone', undo: { undone: written } })
  expect(await renamed()).toBe(0)
})

test('a run says how many rows it has written, and its undo how many it has taken back', async () => {
  const sync = await syncs.filledSync(syncs.numbered(PEOPLE), { thresholds: { changed: 100, field: 100 } })
  await syncs.give(sync, { ...syncs.numbered(PEOPLE - 1, 'Renamed'), ...syncs.numbered(1, 'Person', PEOPLE - 1) })
  const total = PEOPLE - 1
  const said =
    (done: number) =>
    async ({ progress }: SyncRun) =>
      expect(progress).toEqual({ done, total })
  const written = await waitAt(300, async () => (await syncs.start(sync)).data, said(250))
  expect(written).toMatchObject({ state: 'done', progress: null })
  const undone = await waitAt(5, () => beginUndo(written), said(400))
  expect(undone).toMatchObject({ state: 'undone', progress: null, undo: { undone: total } })
})

test('a run that failed before writing anything has nothing to undo', async () => {
  const sync = await syncs.filledSync(syncs.numbered(3))
  await syncs.giveText(sync, 'no,account,nick\nK1,1,A\n')
  const failed = await syncs.run(sync)
  expect(failed.state).toBe('failed')
  const { envelope } = await syncs.root.call(`/directory_sync_run/${failed.id}/undo/`, { body: { reason: 'x' } })
  expect(envelope.code).toBe('directory-sync.not-done')
})
