import { expect, test } from 'vitest'
import type { SyncRun } from '#shared/contract/directory-syncs.ts'
import { type DepartmentRows, departmentSyncs, SCHOOL } from '../../testing/department-syncs.ts'
import { SyncWorld } from '../../testing/directory-syncs.ts'
import { until } from '../../testing/process.ts'

const syncs = new SyncWorld()
const { mapping, options, open, newSync, give, tree, filled } = departmentSyncs(syncs)
const word = () => syncs.account(0)
const problems = async (run: SyncRun) =>
  Object.fromEntries(
    (await syncs.details(run.id)).rows.map(({ externalId, outcome, problems: said }) => [
      externalId.slice(word().length),
      `${outcome}: ${said.join(' ')}`,
    ]),
  )

test('departments come in any order, the first run is held, and a second one writes nothing', async () => {
  const sync = await newSync()
  await give(sync, SCHOOL.toReversed())
  const held = await syncs.run(sync)
  expect(held).toMatchObject({
    state: 'held',
    objects: 'departments',
    counts: { new: 3 },
    heldFor: [{ kind: 'first-run' }],
  })
  expect(await tree()).toEqual({})
  await syncs.approve(held)
  expect(await tree()).toEqual({ a: 'a School', b: 'a/b Faculty', c: 'a/b/c Class' })
  const versions = () =>
    syncs.sql`select id, version, xmin::text from organizations where code like ${`${word()}%`} order by id`
  const before = await versions()
  expect(await syncs.run(sync)).toMatchObject({ state: 'done', counts: { unchanged: 3 } })
  expect(await versions()).toEqual(before)
})

test('departments of every depth are read, not just the first level', async () => {
  const deep = Array.from({ length: 40 }, (_, at): DepartmentRows[number] => [
    `d${at}`,
    at === 0 ? '' : `d${at - 1}`,
    `Level ${at}`,
  ])
  const sync = await newSync()
  await give(sync, deep)
  await syncs.approve(await syncs.run(sync))
  expect((await tree())['d39']?.split('/').length).toBe(40)
  await give(sync, [
    ...deep,
    ...Array.from({ length: 30 }, (_, at): DepartmentRows[number] => [
      `e${at}`,
      at === 0 ? 'd39' : `e${at - 1}`,
      'Too deep',
    ]),
  ])
  const run = await syncs.run(sync, true)
  expect(run.counts).toMatchObject({ bad: 6, new: 24 })
})

test('circles, two parents, missing parents and repeated keys are reported and move nothing, and nobody counts as missing', async () => {
  const sync = await filled(open, { missing: { action: 'disable', runs: 1, days: 0 } })
  const before = await tree()
  await give(sync, [
    ['a', 'b', 'School'],
    ['b', 'a', 'Faculty'],
    ['e', 'nowhere', 'Orphan'],
    ['f', 'e', 'Below the orphan'],
    ['g', '', 'Twice'],
    ['g', 'a', 'Twice'],
  ])
  const run = await syncs.run(sync)
  expect(run).toMatchObject({ state: 'done', isComplete: false, counts: { bad: 6 } })
  expect(await problems(run)).toEqual({
    a: 'bad: Its parents form a loop.',
    b: 'bad: Its parents form a loop.',
    e: expect.stringContaining("isn't in the data source"),
    f: expect.stringContaining('skipped'),
    g: 'bad: Two rows give it different parents.',
  })
  expect(await tree()).toEqual(before)
})

test('a department moved and renamed in the source is the same one, with its people', async () => {
  const sync = await filled()
  const [{ id } = { id: '' }] = await syncs.sql<
    { id: string }[]
  >`select id from organizations where code = ${`${word()}c`}`
  await give(sync, [
    SCHOOL[0] as DepartmentRows[number],
    SCHOOL[1] as DepartmentRows[number],
    ['c', 'a', 'Class of 2026'],
  ])
  expect(await syncs.run(sync)).toMatchObject({ state: 'done', counts: { moved: 1, unchanged: 2 } })
  expect((await tree())['c']).toBe('a/c Class of 2026')
  const [row] = await syncs.sql`select id from organizations where code = ${`${word()}c`}`
  expect(row?.['id']).toBe(id)
})

test('two departments swap places in one run without creating a circle', async () => {
  const sync = await filled()
  await give(sync, [
    ['c', '', 'Class'],
    ['b', 'c', 'Faculty'],
    ['a', 'b', 'School'],
  ])
  expect((await syncs.run(sync)).counts).toEqual({ moved: 3 })
  expect(await tree()).toEqual({ a: 'c/b/a School', b: 'c/b Faculty', c: 'c Class' })
})

test('a department moved here since the plan was made stays there, and is named', async () => {
  const sync = await filled()
  await give(sync, [SCHOOL[0] as DepartmentRows[number], SCHOOL[1] as DepartmentRows[number], ['c', 'a', 'Renamed']])
  const plan = await syncs.run(sync, true)
  expect(plan).toMatchObject({ state: 'planned', counts: { moved: 1 } })
  await syncs.sql`update organizations set name = 'By hand', version = version + 1 where code = ${`${word()}c`}`
  expect(await syncs.approve(plan)).toMatchObject({ state: 'done', counts: { 'changed-since': 1 } })
  expect((await tree())['c']).toBe('a/b/c By hand')
})

test('missing departments over the threshold hold the run; once approved they are disabled, never deleted, and come back', async () => {
  const sync = await filled({}, { missing: { action: 'disable', runs: 1, days: 0 } })
  await give(sync, SCHOOL.slice(0, 2))
  const held = await syncs.run(sync)
  expect(held.heldFor.map(({ kind }) => kind)).toContain('missing')
  expect((await tree())['c']).toBe('a/b/c Class')
  await syncs.approve(held)
  expect((await tree())['c']).toBe('a/b/c Class closed')
  await give(sync, SCHOOL)
  await syncs.approve(await syncs.run(sync, true))
  expect((await tree())['c']).toBe('a/b/c Class')
})

test('a department missing from one source stays while another one has it, also if that got it since the plan was made', async () => {
  const missing = { missing: { action: 'disable', runs: 1, days: 0 } }
  const sync = await filled(open, missing)
  const other = await newSync({ ...open, name: syncs.named('Other') }, { ...missing, matchByCode: true })
  await give(other, SCHOOL.slice(0, 2))
  expect(await syncs.approve(await syncs.run(other))).toMatchObject({ counts: { unchanged: 2 } })
  await give(sync, SCHOOL.slice(0, 1))
  const plan = await syncs.run(sync, true)
  expect(plan.counts).toEqual({ unchanged: 1, missing: 1, leaver: 1 })
  await give(other, SCHOOL)
  expect(await syncs.run(other)).toMatchObject({ state: 'done', counts: { unchanged: 3 } })
  expect(await syncs.approve(plan)).toMatchObject({ state: 'done', counts: { missing: 1, 'changed-since': 1 } })
  expect(await tree()).toEqual({ a: 'a School', b: 'a/b Faculty', c: 'a/b/c Class' })
  // No undo deletes what the other one has.
  const [created] = (await syncs.runs(sync)).slice(-1)
  expect((await syncs.undo(created as SyncRun)).undo).toEqual({ touched: 3 })
  // Once neither has it, it is missing.
  await give(other, SCHOOL.slice(0, 2))
  expect(await syncs.run(other)).toMatchObject({ counts: { leaver: 1, unchanged: 2 } })
  expect((await tree())['c']).toBe('a/b/c Class closed')
})

test('of missing departments only empty ones are deleted', async () => {
  const sync = await filled(open, { missing: { action: 'delete-empty', runs: 1, days: 0 } })
  const [{ id } = { id: '' }] = await syncs.sql<
    { id: string }[]
  >`select id from organizations where code = ${`${word()}c`}`
  const made = await syncs.root.call('/user_information/create/', {
    body: { account: `${word()}p`, name: 'Somebody', organizationId: id },
  })
  expect(made.status).toBe(200)
  await give(sync, SCHOOL.slice(0, 2))
  expect(await syncs.run(sync)).toMatchObject({ state: 'done', counts: { missing: 1, unchanged: 2 } })
  await syncs.sql`update users set organization_id = null where account = ${`${word()}p`}`
  const done = await syncs.run(sync)
  expect(done.counts).toMatchObject({ leaver: 1 })
  expect(Object.keys(await tree())).toEqual(['a', 'b'])
  expect(await syncs.undo(done)).toMatchObject({ state: 'undone' })
})

test('an undo restores departments, and deletes those the run created that are unused', async () => {
  const sync = await filled()
  const before = await tree()
  await give(sync, [
    ['a', '', 'Renamed'],
    ['b', '', 'Faculty'],
    ['c', 'b', 'Class'],
    ['n', 'b', 'New'],
    ['m', 'n', 'Newer'],
  ])
  const done = await syncs.run(sync)
  expect(done.counts).toEqual({ changed: 1, moved: 1, unchanged: 1, new: 2 })
  expect(await syncs.undo(done)).toMatchObject({ state: 'undone', undo: { undone: 2, removed: 2 } })
  expect(await tree()).toEqual(before)
})

test('departments with nobody but deleted people are empty: they are deleted, and those people move up', async () => {
  const sync = await filled(open, { missing: { action: 'delete-empty', runs: 1, days: 0 } })
  const at = async (code: string) => {
    const { sql } = syncs
    return (await sql<{ id: string }[]>`select id from organizations where code = ${`${word()}${code}`}`)[0]?.id
  }
  const body = { account: `${word()}p`, name: 'Somebody', organizationId: await at('c') }
  expect((await syncs.root.call('/user_information/create/', { body })).status).toBe(200)
  await syncs.sql`update users set deleted_at = now() where account = ${body.account}`
  await give(sync, SCHOOL.slice(0, 2))
  expect((await syncs.run(sync)).counts).toMatchObject({ leaver: 1 })
  expect(Object.keys(await tree())).toEqual(['a', 'b'])
  const [person] = await syncs.sql<{ at: string }[]>`
    select organization_id as at from users where account = ${body.account}`
  expect(person?.at).toBe(await at('b'))
})

test('a code used by another department is a conflict for a person to decide, and nothing is placed below it meanwhile', async () => {
  const sync = await newSync(open, { matchByCode: false })
  const made = await syncs.root.call('/organization/create/', {
    body: { code: `${word()}b`, name: 'Theirs', parentId: null },
  })
  expect(made.status).toBe(200)
  await give(sync, SCHOOL)
  const held = await syncs.run(sync)
  expect(held.counts).toEqual({ conflict: 1, new: 1, bad: 1 })
  await syncs.approve(held)
  expect((await tree())['b']).toBe('b Theirs')
})

test("departments are synced before people, who refer to them by the source's key", async () => {
  const table = syncs.table()
  const { sql } = syncs
  await sql.unsafe(`create table ${table}_d (id text, parent text, name text)`)
  await sql.unsafe(`insert into ${table}_d values ('K1', '0', 'School'), ('K2', 'K1', 'Faculty')`)
  await sql.unsafe(`create table ${table} (no text, account text, name text, dept text)`)
  await sql.unsafe(
    `insert into ${table} values ('1', '${syncs.account(1)}', 'One', 'K2'), ('2', '${syncs.account(2)}', 'Two', 'K1')`,
  )
  const prefixed = [{ ...mapping[0], transforms: [{ kind: 'template', text: `${word()}{}` }] }, mapping[1]]
  const sync = await syncs.newSync(
    {
      objects: 'both',
      departments: {
        ...options,
        mapping: prefixed,
        table: `${table}_d`,
        roots: [{ value: '0', organizationId: null }],
      },
      mapping: ['account', 'name']
        .map((name) => ({ column: name, field: name }))
        .concat({ column: 'dept', field: 'organization' }),
    },
    table,
  )
  const first = await syncs.run(sync)
  expect(first).toMatchObject({ objects: 'departments', state: 'held' })
  await syncs.approve(first)
  await until(async () => (await syncs.runs(sync)).length === 2, 20_000)
  const [second] = await syncs.runs(sync)
  const people = await syncs.settled(second?.id ?? '')
  expect(people).toMatchObject({ objects: 'people', state: 'held', counts: { new: 2 } })
  await syncs.approve(people)
  const rows = await sql`
    select u.name, o.code from users u join organizations o on o.id = u.organization_id where u.account like ${`${word().slice(0, -4)}____`} order by 1`
  expect(rows.map((row) => [row['name'], row['code']])).toEqual([
    ['One', `${word()}K2`],
    ['Two', `${word()}K1`],
  ])
})

test('what is missing to read departments is said at its field', async () => {
  const departments = { ...options, mapping, roots: [{ value: '0', organizationId: null }] }
  const sourceId = await syncs.newSource()
  const refused = async (lacking: object) => {
    const body = {
      name: syncs.named('Sync'),
      sourceId,
      objects: 'departments',
      departments: { ...departments, ...lacking },
    }
    const { code, data } = (await syncs.root.call('/directory_sync/create/', { body })).envelope
    return [code, ...(data as unknown as { fields: string[] }).fields]
  }
  expect(await refused({ keyColumn: '' })).toEqual(['directory-sync.no-key', 'departments.keyColumn'])
  expect(await refused({ parentColumn: '' })).toEqual(['directory-sync.no-parent', 'departments.parentColumn'])
  expect(await refused({ mapping: [] })).toEqual(['directory-sync.no-department-name', 'mapping'])
})
