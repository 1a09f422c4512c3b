import { expect, test } from 'vitest'
import { SYNC_MAPPING, SyncWorld } from '../../testing/directory-syncs.ts'
import { hold } from '../../testing/lock-waits.ts'

const syncs = new SyncWorld()

const ROOMY = { thresholds: { missing: 100, changed: 100, created: 100, field: 100, bad: 100, rows: 0 } }
const CHANGED = { state: 'failed', problem: expect.stringContaining('was changed while it was running') }

test('a mapping that changes while its run plans ends the run, and nobody is changed', async () => {
  const sync = await syncs.filledSync(syncs.numbered(3), ROOMY)
  const before = await syncs.people()
  await syncs.give(sync, syncs.numbered(3, 'Renamed'))
  // Only planning writes there.
  const planning = await hold(
    syncs.sql,
    (sql) => sql`lock table directory_matches in share mode`,
    '%directory_matches%',
  )
  const { data: run } = await syncs.start(sync)
  await planning.reached()
  await syncs.save(sync, { mapping: [...SYNC_MAPPING, { column: 'name', field: 'nickname' }] })
  await planning.release()
  expect(await syncs.settled(run.id)).toMatchObject(CHANGED)
  expect(await syncs.people()).toEqual(before)
})

test('the same holds for departments', async () => {
  const code = syncs.account(0)
  const mapping = [
    { column: 'id', field: 'code' },
    { column: 'name', field: 'name' },
  ]
  const departments = { keyColumn: 'id', parentColumn: 'parent', mapping }
  const sync = await syncs.newSync({ ...ROOMY, objects: 'departments', departments, keyColumn: '', mapping: [] })
  await syncs.giveText(sync, `id,parent,name\n${code},,School\n`)
  expect(await syncs.approve(await syncs.run(sync))).toMatchObject({ state: 'done', counts: { new: 1 } })
  await syncs.giveText(sync, `id,parent,name\n${code},,Renamed\n`)
  const planning = await hold(
    syncs.sql,
    (sql) => sql`lock table organization_attributes in access exclusive mode`,
    '%organization_attributes%',
  )
  const { data: run } = await syncs.start(sync)
  await planning.reached()
  await syncs.save(sync, { departments: { ...departments, matchByCode: false } })
  await planning.release()
  expect(await syncs.settled(run.id)).toMatchObject(CHANGED)
  expect(await syncs.sql`select name from organizations where code = ${code}`).toEqual([{ name: 'School' }])
})

test('a rank that changes while a run writes counts from the next batch on', async () => {
  // Two batches.
  const count = 260
  const sync = await syncs.filledSync(syncs.numbered(count), { ...ROOMY, rank: 10 })
  const other = await syncs.newSync({ ...ROOMY, name: syncs.named('Other'), rank: 20 })
  await syncs.give(other, syncs.numbered(count))
  expect(await syncs.approve(await syncs.run(other))).toMatchObject({ counts: { unchanged: count } })
  await syncs.give(sync, syncs.numbered(count, 'Renamed'))
  const writing = await hold(syncs.sql, (sql) => sql`lock table users in share mode`, '%update users%')
  const { data: run } = await syncs.start(sync)
  await writing.reached()
  await syncs.save(sync, { rank: 30 })
  await writing.release()
  expect(await syncs.settled(run.id)).toMatchObject({ state: 'done', counts: { changed: 250, 'changed-since': 10 } })
  const renamed = (await syncs.people()).filter(({ name }) => name.startsWith('Renamed'))
  expect(renamed).toHaveLength(250)
})

test('a department that is added while a run reads is known when its people are planned', async () => {
  const sync = await syncs.newSync({ mapping: [...SYNC_MAPPING, { column: 'place', field: 'organization' }] })
  const place = syncs.account(0)
  await syncs.giveText(sync, `no,account,name,place\nK1,${syncs.account(1)},Li Lei,${place}\n`)
  const reading = await hold(
    syncs.sql,
    (sql) => sql`lock table directory_sync_rows in share mode`,
    '%directory_sync_rows%',
  )
  const { data: run } = await syncs.start(sync, true)
  await reading.reached()
  await syncs.root.call('/organization/create/', { body: { code: place, name: place, parentId: null } })
  await reading.release()
  expect(await syncs.settled(run.id)).toMatchObject({ counts: { new: 1 } })
})
