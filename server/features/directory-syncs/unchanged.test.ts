import { expect, test } from 'vitest'
import type { DirectorySync } from '#shared/contract/directory-syncs.ts'
import { SYNC_MAPPING, SyncWorld } from '../../testing/directory-syncs.ts'

const syncs = new SyncWorld()

/** What is stored of each row of the last run. */
async function storedRows(sync: DirectorySync) {
  const [run] = await syncs.runs(sync)
  return await syncs.sql<{ outcome: string; cells: string; userId: string | null }[]>`
    select outcome, cells, user_id from directory_sync_rows where run_id = ${run?.id ?? ''} order by row`
}

const isRemembered = async (sync: DirectorySync) => {
  const rows = await storedRows(sync)
  return rows.map(({ outcome, cells, userId }) => outcome === 'unchanged' && cells === '' && userId !== null)
}

test('rows that say what they said are not planned again, nothing is kept of them, and nobody is written', async () => {
  const sync = await syncs.filledSync(syncs.numbered(20))
  const before = await syncs.people()
  expect(await syncs.run(sync, true)).toMatchObject({ state: 'planned', counts: { unchanged: 20 } })
  expect(await syncs.run(sync)).toMatchObject({ state: 'done', counts: { unchanged: 20 } })
  expect(await isRemembered(sync)).toEqual(Array(20).fill(true))
  expect(await syncs.people()).toEqual(before)
  // Of twenty people one has another name, which alone is planned.
  await syncs.give(sync, { ...syncs.numbered(20), [syncs.account(3)]: 'Renamed' })
  expect(await syncs.run(sync)).toMatchObject({ state: 'done', counts: { changed: 1, unchanged: 19 } })
  expect((await isRemembered(sync)).filter(Boolean)).toHaveLength(19)
  expect(await syncs.run(sync)).toMatchObject({ counts: { unchanged: 20 } })
  expect((await isRemembered(sync)).filter(Boolean)).toHaveLength(20)
})

const FIELDS: [column: string, value: string, otherwise: string][] = [
  ['name', 'Known', "'Else'"],
  ['nickname', 'Nick', "'Else'"],
  ['gender', 'female', "'male'"],
  ['birthday', '2001-02-03', "'1999-01-01'"],
  ['idNumber', '11010519491231002X', 'null'],
  ['phone', '13800138000', "'+8613900139000'"],
  ['mailbox', 'one@school.edu.cn', "'else@school.edu.cn'"],
  ['alias', 'oneandonly', "'somebodyelse'"],
  ['organization', 'SYNCED', 'null'],
  ['secondaryOrganizations', 'SECOND', ''],
  ['category', 'SYNCCAT', 'null'],
  ['personnelType', 'SYNCNAT', 'null'],
  ['validFrom', '2020-01-01', 'null'],
  ['validUntil', '2099-01-01', 'null'],
  ['enabled', '1', 'false'],
]
const COLUMNS: Record<string, string> = {
  ...{ idNumber: 'id_number', organization: 'organization_id', category: 'category_id' },
  ...{ personnelType: 'personnel_type_id', validFrom: 'valid_from', validUntil: 'valid_until' },
}

test('whatever of a person differs from their row is put right, however it came to differ', async () => {
  const { sql, root } = syncs
  for (const code of ['SYNCED', 'SECOND'])
    await root.call('/organization/create/', { body: { code, name: code, parentId: null } })
  await sql`insert into user_categories (id, code, name) values (gen_random_uuid(), 'SYNCCAT', 'C')`
  await sql`insert into personnel_types (id, code, name) values (gen_random_uuid(), 'SYNCNAT', 'N')`
  const mapping = ['account', ...FIELDS.map(([field]) => field)].map((field) => ({ column: field, field }))
  const sync = await syncs.newSync({ mapping, thresholds: { changed: 100, field: 100 } })
  const account = syncs.account(1)
  const text = `no,${mapping.map(({ column }) => column).join()}\nK1,${account},${FIELDS.map(([, value]) => value).join()}\n`
  await syncs.giveText(sync, text)
  expect(await syncs.approve(await syncs.run(sync))).toMatchObject({ state: 'done', counts: { new: 1 } })
  expect(await syncs.run(sync)).toMatchObject({ counts: { unchanged: 1 } })
  expect(await isRemembered(sync)).toEqual([true])
  for (const [field, , otherwise] of FIELDS) {
    // Directly, as any part of the product could.
    if (field === 'secondaryOrganizations')
      await sql`delete from user_organizations where user_id = (select id from users where account = ${account})`
    else await sql.unsafe(`update users set ${COLUMNS[field] ?? field} = ${otherwise} where account = '${account}'`)
    expect({ field, counts: (await syncs.run(sync)).counts }).toEqual({ field, counts: { changed: 1 } })
  }
  expect(await syncs.run(sync)).toMatchObject({ counts: { unchanged: 1 } })
})

test('whoever is protected, deleted or to be decided about by now is told apart although their row is the same', async () => {
  const sync = await syncs.filledSync(syncs.numbered(4))
  const [first, second, third] = await syncs.people()
  await syncs.sql`update users set is_super_user = true where id = ${first?.id ?? ''}`
  await syncs.sql`update users set deleted_at = now() where id = ${second?.id ?? ''}`
  await syncs.sql`
    insert into directory_matches (sync_id, external_id, kind, account, fields, user_ids, seen_at, decision)
    values (${sync.id}, ${`K${third?.account}`}, 'renamed', ${third?.account ?? ''}, '', '{}', now(), 'ignore')`
  expect(await syncs.run(sync)).toMatchObject({ counts: { protected: 1, conflict: 1, ignored: 1, unchanged: 1 } })
  expect((await isRemembered(sync)).filter(Boolean)).toHaveLength(1)
})

test('a field that another sync owned is written once that sync has lost the person, although the row is the same', async () => {
  const people = { [syncs.account(1)]: 'From below' }
  const below = await syncs.filledSync(people, { rank: 60, thresholds: { changed: 100, field: 100 } })
  const above = await syncs.newSync({ name: syncs.named('Above'), rank: 40, thresholds: { changed: 100, field: 100 } })
  await syncs.give(above, { [syncs.account(1)]: 'From above' })
  await syncs.approve(await syncs.run(above))
  expect((await syncs.people())[0]?.name).toBe('From above')
  expect(await syncs.run(below)).toMatchObject({ counts: { unchanged: 1 } })
  await syncs.sql`update directory_links set missing_since = now(), missing_runs = 1 where sync_id = ${above.id}`
  expect(await syncs.run(below)).toMatchObject({ state: 'done', counts: { changed: 1 } })
  expect((await syncs.people())[0]?.name).toBe('From below')
})

test('a key that comes twice is bad both times, although one of its rows is the same', async () => {
  const sync = await syncs.filledSync(syncs.numbered(3))
  const twice = `K${syncs.account(0)},${syncs.account(0)},Person 0\n`
  await syncs.giveText(sync, `${syncs.csv(syncs.numbered(3))}${twice}`)
  expect(await syncs.run(sync)).toMatchObject({ isComplete: false, counts: { bad: 2, unchanged: 2 } })
  const rows = await storedRows(sync)
  expect(rows.filter(({ outcome }) => outcome === 'bad').map(({ userId }) => userId)).toEqual([null, null])
})

test('after an undo the same rows are planned again', async () => {
  const sync = await syncs.filledSync(syncs.numbered(3), { thresholds: { changed: 100, field: 100 } })
  await syncs.give(sync, syncs.numbered(3, 'Renamed'))
  const renamed = await syncs.run(sync)
  expect(await syncs.undo(renamed)).toMatchObject({ state: 'undone', undo: { undone: 3 } })
  expect(await syncs.run(sync, true)).toMatchObject({ state: 'planned', counts: { changed: 3 } })
})

test('a mapping that changes while its run waits or reads ends the run, and nobody is changed', async () => {
  const sync = await syncs.newSync({ mapping: SYNC_MAPPING })
  await syncs.give(sync, syncs.numbered(3))
  const { data: run } = await syncs.whileTasksStop(async () => {
    const started = await syncs.start(sync)
    await syncs.save(sync, { mapping: SYNC_MAPPING.toReversed() })
    return started
  })
  const ended = await syncs.settled(run.id)
  expect(ended).toMatchObject({ state: 'failed', problem: expect.stringContaining('was changed while it was running') })
  expect(await syncs.people()).toEqual([])
})
