import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import type { DirectorySync } from '#shared/contract/directory-syncs.ts'
import { type People, SYNC_MAPPING, SyncWorld } from '../../testing/directory-syncs.ts'

const syncs = new SyncWorld()

const rule = (action: string, more: object = {}) => ({ leavers: { action, runs: 1, days: 0, ...more } })

type State = { enabled: boolean; frozen: boolean; validUntil: Date | null; organizationId: string | null }

/** The current state of a person of this test. */
async function stateOf(account: string): Promise<State> {
  const [row] = await syncs.sql<State[]>`
    select enabled, frozen_from is not null as frozen, valid_until, organization_id
    from users where account = ${account} and deleted_at is null`
  if (!row) throw new Error(`${account} is not there`)
  return row
}

const ASIDE = { enabled: true, frozen: false, validUntil: null, organizationId: null }

/** Forty people, the first of whom leaves. */
async function leave(more: object): Promise<{ sync: DirectorySync; everybody: People; gone: string }> {
  const everybody = syncs.numbered(40)
  const gone = syncs.account(0)
  const sync = await syncs.filledSync(everybody, more)
  await syncs.give(sync, syncs.numbered(39, 'Person', 1))
  expect(await syncs.run(sync)).toMatchObject({ state: 'done', counts: { leaver: 1, unchanged: 39 } })
  return { sync, everybody, gone }
}

const person = async (account: string) => (await syncs.people()).find((one) => one.account === account)

test('a leaver is frozen, thawed when they are back, and a freeze set by somebody else stays', async () => {
  const { sync, everybody, gone } = await leave(rule('freeze'))
  expect(await stateOf(gone)).toEqual({ ...ASIDE, frozen: true })
  // Frozen once, not again by the next run.
  expect(await syncs.run(sync)).toMatchObject({ counts: { missing: 1, unchanged: 39 } })
  await syncs.give(sync, everybody)
  expect(await syncs.run(sync)).toMatchObject({ state: 'done', counts: { changed: 1, unchanged: 39 } })
  expect(await stateOf(gone)).toEqual(ASIDE)

  await syncs.give(sync, syncs.numbered(39, 'Person', 1))
  await syncs.run(sync)
  const { id = '' } = (await person(gone)) ?? {}
  const freeze = { reason: 'By hand', note: 'Asked for', cause: 'suspension' }
  expect((await syncs.root.call(`/user_information/${id}/thaw/`, { body: { reason: 'By hand' } })).envelope.state).toBe(
    200,
  )
  expect((await syncs.root.call(`/user_information/${id}/freeze/`, { body: freeze })).envelope.state).toBe(200)
  await syncs.give(sync, everybody)
  expect(await syncs.run(sync)).toMatchObject({ state: 'done', counts: { unchanged: 40 } })
  expect((await stateOf(gone)).frozen).toBe(true)
})

test('a leaver who is frozen already stays as they are, and nothing is given back', async () => {
  const everybody = syncs.numbered(40)
  const sync = await syncs.filledSync(everybody, rule('freeze'))
  const { id = '' } = (await person(syncs.account(0))) ?? {}
  const freeze = { reason: 'By hand', note: 'Asked for', cause: 'leave' }
  expect((await syncs.root.call(`/user_information/${id}/freeze/`, { body: freeze })).envelope.state).toBe(200)
  await syncs.give(sync, syncs.numbered(39, 'Person', 1))
  expect(await syncs.run(sync)).toMatchObject({ state: 'done', counts: { missing: 1, unchanged: 39 } })
  await syncs.give(sync, everybody)
  expect(await syncs.run(sync)).toMatchObject({ state: 'done', counts: { unchanged: 40 } })
  expect((await stateOf(syncs.account(0))).frozen).toBe(true)
})

test('a leaver gets an end of validity, and the former one when they are back', async () => {
  const { sync, everybody, gone } = await leave(rule('end-date', { graceDays: 30 }))
  const days = ((await stateOf(gone)).validUntil?.getTime() ?? 0) - syncs.server.platform.now().getTime()
  expect(Math.round(days / 86_400_000)).toBe(30)
  await syncs.give(sync, everybody)
  expect(await syncs.run(sync)).toMatchObject({ state: 'done', counts: { changed: 1 } })
  expect(await stateOf(gone)).toEqual(ASIDE)
})

test('a leaver moves to a department, which must exist, and back', async () => {
  const former = await newDepartment()
  const nowhere = rule('move', { organizationId: v7() })
  const body = {
    name: syncs.named('Nowhere'),
    sourceId: await syncs.newSource(),
    keyColumn: 'no',
    mapping: SYNC_MAPPING,
  }
  const refused = await syncs.root.call('/directory_sync/create/', { body: { ...body, ...nowhere } })
  expect(refused.envelope).toMatchObject({ code: 'directory-sync.no-leaver-department' })
  const { sync, everybody, gone } = await leave(rule('move', { organizationId: former }))
  expect(await stateOf(gone)).toEqual({ ...ASIDE, organizationId: former })
  const { rows } = await syncs.details((await syncs.runs(sync))[0]?.id ?? '', 'outcome=leaver')
  expect(rows).toMatchObject([{ changes: [{ field: 'organizationId' }], isApplied: true }])
  await syncs.give(sync, everybody)
  expect(await syncs.run(sync)).toMatchObject({ state: 'done', counts: { changed: 1 } })
  expect(await stateOf(gone)).toEqual(ASIDE)
})

async function newDepartment(): Promise<string> {
  const id = v7()
  await syncs.sql`
    insert into organizations (id, code, name, ancestor_ids, created_at, updated_at)
    values (${id}, ${syncs.named('L')}, ${syncs.named('Leavers')}, ${[id]}::uuid[], now(), now())`
  return id
}

test('returning people get back what the sync took even if other fields changed, but not what somebody changed here', async () => {
  const everybody = syncs.numbered(40)
  const sync = await syncs.filledSync(everybody, rule('disable'))
  await syncs.give(sync, syncs.numbered(38, 'Person', 2))
  expect(await syncs.run(sync)).toMatchObject({ state: 'done', counts: { leaver: 2 } })
  const [looked, decided] = [await person(syncs.account(0)), await person(syncs.account(1))]
  const update = (id: string, body: object) => syncs.root.call(`/user_information/${id}/update/`, { body })
  expect((await update(looked?.id ?? '', { version: looked?.version, nickname: 'Nick' })).envelope.state).toBe(200)
  const set = async (verb: 'enable' | 'disable') => {
    const body = { selection: { ids: [decided?.id] }, verb }
    expect((await syncs.root.call('/user_information/batch_change/', { body })).data).toMatchObject({ changed: 1 })
  }
  await set('enable')
  // People enabled by somebody are not disabled again, and their state belongs to whoever set it.
  expect(await syncs.run(sync)).toMatchObject({ state: 'done', counts: { missing: 2 } })
  await set('disable')
  await syncs.give(sync, everybody)
  expect(await syncs.run(sync)).toMatchObject({ state: 'done', counts: { changed: 1, unchanged: 39 } })
  expect((await stateOf(syncs.account(0))).enabled).toBe(true)
  expect((await stateOf(syncs.account(1))).enabled).toBe(false)
})

test("an incomplete run determines no leavers, and doesn't count as one of their missing runs", async () => {
  const everybody = syncs.numbered(40)
  const sync = await syncs.filledSync(everybody, rule('disable', { runs: 2 }))
  const short = `${syncs.csv(syncs.numbered(39, 'Person', 1))},${syncs.account(99)},Without a key\n`
  for (let run = 0; run < 3; run += 1) {
    await syncs.giveText(sync, short)
    expect(await syncs.run(sync)).toMatchObject({ state: 'done', isComplete: false, counts: { bad: 1, unchanged: 39 } })
  }
  await syncs.give(sync, syncs.numbered(39, 'Person', 1))
  expect(await syncs.run(sync)).toMatchObject({ isComplete: true, counts: { missing: 1 } })
  expect(await syncs.run(sync)).toMatchObject({ isComplete: true, counts: { leaver: 1 } })
})

test('an undo thaws whom the run froze, and freezes whom it thawed', async () => {
  const { sync, everybody, gone } = await leave(rule('freeze'))
  const [left] = await syncs.runs(sync)
  if (!left) throw new Error('there is no run')
  expect(await syncs.undo(left)).toMatchObject({ state: 'undone', undo: { undone: 1 } })
  expect(await stateOf(gone)).toEqual(ASIDE)
  expect(await syncs.run(sync)).toMatchObject({ counts: { leaver: 1 } })
  await syncs.give(sync, everybody)
  const back = await syncs.run(sync)
  expect(await stateOf(gone)).toEqual(ASIDE)
  expect(await syncs.undo(back)).toMatchObject({ state: 'undone', undo: { undone: 1 } })
  expect(await stateOf(gone)).toEqual({ ...ASIDE, frozen: true })
  // The undo records the freeze, and they are present, so they are thawed.
  expect(await syncs.run(sync)).toMatchObject({ counts: { changed: 1 } })
  expect(await stateOf(gone)).toEqual(ASIDE)
})
