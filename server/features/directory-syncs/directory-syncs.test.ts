import { expect, test } from 'vitest'
import { SYNC_MAPPING, SyncWorld } from '../../testing/directory-syncs.ts'
import { addPerson } from '../../testing/people.ts'
import { insertAppointment, openPortal } from '../../testing/portal.ts'
import { until } from '../../testing/process.ts'

const syncs = new SyncWorld()

test('the first run waits for approval; then people exist, without a password, and a second run writes nobody', async () => {
  const sync = await syncs.newSync()
  await syncs.give(sync, syncs.numbered(3))
  const first = await syncs.run(sync)
  expect(first).toMatchObject({ state: 'held', counts: { new: 3 }, heldFor: [{ kind: 'first-run' }] })
  expect(await syncs.people()).toEqual([])
  expect((await syncs.details(first.id)).rows.map(({ newName }) => newName)).toEqual([
    'Person 0',
    'Person 1',
    'Person 2',
  ])
  expect(await syncs.approve(first)).toMatchObject({ state: 'done', counts: { new: 3 }, reason: 'Looked at' })
  const before = await syncs.people()
  expect(before.map(({ name }) => name)).toEqual(['Person 0', 'Person 1', 'Person 2'])
  const [passwords] = await syncs.sql`
    select count(*)::int as n from passwords p join users u on u.id = p.user_id where u.account like ${`${syncs.account(0).slice(0, -4)}____`}`
  expect(passwords?.['n']).toBe(0)
  expect(await syncs.run(sync)).toMatchObject({ state: 'done', counts: { unchanged: 3 }, heldFor: [] })
  expect(await syncs.people()).toEqual(before)
})

test('a dry run writes nobody, and its plan is applied exactly: people changed since are skipped and named', async () => {
  const sync = await syncs.filledSync(syncs.numbered(20), { thresholds: { changed: 100, field: 100 } })
  await syncs.give(sync, syncs.numbered(20, 'Renamed'))
  const before = await syncs.people()
  const plan = await syncs.run(sync, true)
  expect(plan).toMatchObject({ state: 'planned', counts: { changed: 20 } })
  expect(await syncs.people()).toEqual(before)
  await syncs.server.platform
    .sql`update users set name = 'By hand', version = version + 1 where account = ${before[4]?.account ?? ''}`
  const done = await syncs.approve(plan)
  expect(done).toMatchObject({ state: 'done', counts: { changed: 19, 'changed-since': 1 } })
  expect((await syncs.people()).map(({ name }) => name)).toEqual(
    Array.from({ length: 20 }, (_, at) => (at === 4 ? 'By hand' : `Renamed ${at}`)),
  )
  const { rows } = await syncs.details(plan.id, 'outcome=changed-since')
  expect(rows).toMatchObject([{ person: { account: before[4]?.account }, isApplied: false }])
})

test("a plan can't be applied after the mapping or the source was changed", async () => {
  const sync = await syncs.newSync()
  await syncs.give(sync, syncs.numbered(2))
  const held = await syncs.run(sync)
  const {
    id,
    version,
    sourceName,
    linked,
    linkedDepartments,
    leaverDepartment,
    responsible,
    openMatches,
    cursor,
    lastRun,
    nextRunAt,
    updatedAt,
    ...fields
  } = sync
  await syncs.root.call(`/directory_sync/${id}/update/`, { body: { ...fields, version, note: 'Other' } })
  const answer = await syncs.root.call(`/directory_sync_run/${held.id}/approve/`, { body: { reason: 'x' } })
  expect(answer.envelope.code).toBe('directory-sync.changed')
  expect(await syncs.people()).toEqual([])
})

test('an empty source changes nobody', async () => {
  const table = syncs.table()
  const { sql } = syncs
  await sql.unsafe(`create table ${table} (no text, account text, name text)`)
  await sql.unsafe(
    `insert into ${table} select 'K' || n, '${syncs.account(0).slice(0, -4)}' || lpad(n::text, 4, '0'), 'Person ' || n from generate_series(1, 30) n`,
  )
  const sync = await syncs.newSync({ leavers: { action: 'disable', runs: 1, days: 0 } }, table)
  await syncs.approve(await syncs.run(sync))
  const before = await syncs.people()
  expect(before.length).toBe(30)
  await sql.unsafe(`delete from ${table}`)
  expect(await syncs.run(sync)).toMatchObject({
    state: 'failed',
    isComplete: false,
    problem: expect.stringContaining('no rows'),
  })
  expect(await syncs.people()).toEqual(before)
})

test('a source that fails halfway, or lost a column, changes nobody', async () => {
  const table = syncs.table()
  const { sql } = syncs
  await sql.unsafe(`create table ${table} (no text, account text, name text)`)
  await sql.unsafe(
    `insert into ${table} select 'K' || n, '${syncs.account(0).slice(0, -4)}' || lpad(n::text, 4, '0'), repeat('N', 50) from generate_series(1, 700) n`,
  )
  const sync = await syncs.newSync({ leavers: { action: 'disable', runs: 1, days: 0 } }, table)
  await syncs.approve(await syncs.run(sync))
  const before = await syncs.people()
  expect(before.length).toBe(700)
  await sql.unsafe(`update ${table} set name = 'Other'`)
  syncs.own.breakAfter(20_000)
  expect(await syncs.run(sync)).toMatchObject({ state: 'failed', isComplete: false })
  syncs.own.breakAfter(null)
  await sql.unsafe(`alter table ${table} rename column name to full_name`)
  expect(await syncs.run(sync)).toMatchObject({ state: 'failed', problem: expect.stringContaining('(name)') })
  await sql.unsafe(`drop table ${table}`)
  expect((await syncs.run(sync)).state).toBe('failed')
  expect(await syncs.people()).toEqual(before)
})

test('a run over a threshold is held before anything is written, and says why', async () => {
  const sync = await syncs.filledSync(syncs.numbered(40), { leavers: { action: 'disable', runs: 1, days: 0 } })
  const before = await syncs.people()
  await syncs.give(sync, syncs.numbered(20))
  const half = await syncs.run(sync)
  expect(half.state).toBe('held')
  expect(half.heldFor.map(({ kind }) => kind).sort()).toEqual(['fewer-rows', 'missing'])
  await syncs.give(sync, syncs.numbered(40, 'Shifted'))
  const shifted = await syncs.run(sync)
  expect(shifted.heldFor).toMatchObject([
    { kind: 'changed', count: 40 },
    { kind: 'field', field: 'name' },
  ])
  await syncs.give(sync, { ...syncs.numbered(40), ...Object.fromEntries(Object.entries(syncs.numbered(80)).slice(40)) })
  expect((await syncs.run(sync)).heldFor).toMatchObject([{ kind: 'created', count: 40, of: 40 }])
  expect(await syncs.people()).toEqual(before)
  expect((await syncs.details(half.id)).run.state).toBe('discarded')
  expect(
    (await syncs.root.call(`/directory_sync_run/${half.id}/approve/`, { body: { reason: 'x' } })).envelope.code,
  ).toBe('directory-sync.not-waiting')
})

test('people missing long enough are disabled, nobody is deleted, and they are enabled when they are back', async () => {
  const sync = await syncs.filledSync(syncs.numbered(40), { leavers: { action: 'disable', runs: 2, days: 3 } })
  const everybody = syncs.numbered(40)
  const [gone = '', other = '', ...others] = Object.keys(everybody)
  const rest = Object.fromEntries(others.map((account) => [account, everybody[account] ?? '']))
  const enabled = async () => (await syncs.people()).filter((one) => one.enabled).length
  await syncs.give(sync, rest)
  expect(await syncs.run(sync)).toMatchObject({ state: 'done', counts: { missing: 2 } })
  expect(await syncs.run(sync)).toMatchObject({ state: 'done', counts: { missing: 2 } })
  expect(await enabled()).toBe(40)
  await syncs.advance(3 * 86_400 + 60)
  expect(await syncs.run(sync)).toMatchObject({ state: 'done', counts: { leaver: 2 } })
  expect(await enabled()).toBe(38)
  expect((await syncs.people()).length).toBe(40)
  await syncs.give(sync, everybody)
  expect(await syncs.run(sync)).toMatchObject({ state: 'done', counts: { changed: 2, unchanged: 38 } })
  const now = new Map((await syncs.people()).map((one) => [one.account, one.enabled]))
  expect([now.get(gone), now.get(other)]).toEqual([true, true])
})

test('no sync touches super users and administrators', async () => {
  const [boss = '', dean = ''] = Object.keys(syncs.numbered(2))
  await addPerson(syncs.server, { account: boss, name: 'Boss', isSuperUser: true })
  const deanId = await addPerson(syncs.server, { account: dean, name: 'Dean' })
  await insertAppointment(syncs.server, deanId, { permissions: ['edit'] })
  const before = await syncs.people()
  const sync = await syncs.newSync()
  await syncs.give(sync, syncs.numbered(2, 'Taken over'))
  const held = await syncs.run(sync)
  expect(held.counts).toEqual({ protected: 2 })
  await syncs.approve(held)
  expect(await syncs.people()).toEqual(before)
})

test('an existing person is linked by a rule, never just because a number is the same', async () => {
  const [account = ''] = Object.keys(syncs.numbered(1))
  await addPerson(syncs.server, { account, name: 'Here already' })
  const sync = await syncs.newSync({ matchBy: [] })
  await syncs.give(sync, syncs.numbered(1))
  const held = await syncs.run(sync)
  expect(held.counts).toEqual({ conflict: 1 })
  await syncs.approve(held)
  expect((await syncs.people())[0]?.name).toBe('Here already')
})

test('a number that changed in the source needs a decision, and neither deletes nor creates anybody', async () => {
  const sync = await syncs.filledSync(syncs.numbered(20))
  const before = await syncs.people()
  const text = syncs.csv(syncs.numbered(20)).replace(`,${before[0]?.account},`, ',renumbered,')
  await syncs.giveText(sync, text)
  const done = await syncs.run(sync)
  expect(done).toMatchObject({ state: 'done', counts: { conflict: 1, unchanged: 19 } })
  expect((await syncs.details(done.id, 'outcome=conflict')).rows[0]?.problems[0]).toContain('renumbered')
  expect(await syncs.people()).toEqual(before)
  expect(await syncs.sql`select 1 from users where account = 'renumbered'`).toEqual([])
})

test('rows without a key or with a repeated one are skipped, half a character is cut, and then nobody counts as missing', async () => {
  const sync = await syncs.filledSync(syncs.numbered(40), { leavers: { action: 'disable', runs: 1, days: 0 } })
  const lines = syncs.csv(syncs.numbered(39)).trim().split('\n')
  lines.push(
    `${lines[1]?.split(',')[0]},other1,Other`,
    ',other2,Other',
    `${'k'.repeat(499)}😀,${syncs.account(9999)},X`,
  )
  await syncs.giveText(sync, `${lines.join('\n')}\n`)
  const done = await syncs.run(sync)
  expect(done).toMatchObject({ state: 'done', isComplete: false, counts: { bad: 3, unchanged: 38, new: 1 } })
  expect(done.counts.missing).toBeUndefined()
  expect((await syncs.people()).filter(({ enabled }) => enabled).length).toBe(41)
})

test('a source has one run at a time, and an interrupted one resumes', async () => {
  const sync = await syncs.newSync()
  await syncs.give(sync, syncs.numbered(900))
  const held = await syncs.run(sync)
  await syncs.root.call(`/directory_sync_run/${held.id}/approve/`, { body: { reason: 'Go' } })
  expect((await syncs.start(sync)).envelope.code).toBe('directory-sync.running')
  await until(async () => (await syncs.people()).length > 0, 20_000)
  await syncs.restartTasks()
  const done = await syncs.settled(held.id)
  expect(done).toMatchObject({ state: 'done', counts: { new: 900 } })
  expect((await syncs.people()).length).toBe(900)
  const [links] = await syncs.sql`
    select count(*)::int as n, count(distinct user_id)::int as people from directory_links where sync_id = ${sync.id}`
  expect(links).toEqual({ n: 900, people: 900 })
  await syncs.sql`update directory_sync_runs set state = 'reading' where id = ${held.id}`
  expect((await syncs.details(held.id)).run).toMatchObject({ state: 'failed', problem: 'The run was interrupted.' })
})

test("a source that a sync reads can't be deleted, and only super users see syncs", async () => {
  const sync = await syncs.newSync()
  const source = await syncs.root.call<{ version: number }>(`/data_source/${sync.sourceId}/details/`)
  const { version } = source.data
  const answer = await syncs.root.call(`/data_source/${sync.sourceId}/delete/`, { body: { version } })
  expect(answer.envelope.code).toBe('data-source.in-use')
  const someone = await openPortal(syncs.server, { permissions: ['edit', 'import'] })
  expect((await someone.call('/directory_sync/query/')).status).toBe(403)
})

test('of two people who swap mailboxes one is skipped: the other keeps theirs too, and the run goes on', async () => {
  const mapping = [...SYNC_MAPPING, { column: 'mail', field: 'mailbox' }]
  const sync = await syncs.newSync({ mapping, thresholds: { changed: 100, field: 100 } })
  const [a, b, c] = [syncs.account(1), syncs.account(2), syncs.account(3)]
  const give = (mailOfA: string, mailOfB: string, nameOfC: string) => {
    const lines = [`${a},${a},A,${mailOfA}@example.edu`, `${b},${b},B,${mailOfB}@example.edu`, `${c},${c},${nameOfC},`]
    return syncs.giveText(sync, `no,account,name,mail\n${lines.join('\n')}\n`)
  }
  await give('first', 'second', 'C')
  expect((await syncs.approve(await syncs.run(sync))).state).toBe('done')
  await give('second', 'first', 'Renamed')
  const plan = await syncs.run(sync, true)
  expect(plan).toMatchObject({ state: 'planned', counts: { changed: 3 } })
  await syncs.sql`update users set name = 'By hand', version = version + 1 where account = ${a}`
  const done = await syncs.approve(plan)
  expect(done).toMatchObject({ state: 'done', counts: { changed: 1, 'changed-since': 2 } })
  const mailboxes = await syncs.sql`
    select u.name, u.mailbox, n.canonical from users u left join login_names n on n.user_id = u.id and n.kind = 'mailbox'
    where u.account in (${a}, ${b}, ${c}) order by u.account`
  expect(mailboxes).toEqual([
    { name: 'By hand', mailbox: 'first@example.edu', canonical: 'first@example.edu' },
    { name: 'B', mailbox: 'second@example.edu', canonical: 'second@example.edu' },
    { name: 'Renamed', mailbox: null, canonical: null },
  ])
  const { rows } = await syncs.details(plan.id, 'outcome=changed-since')
  expect(rows.map(({ isApplied }) => isApplied)).toEqual([false, false])
  expect(rows[1]?.problems).toContain('Email: Already belongs to someone.')
})

test('a plan of the former version, which lists the empty fields of new people, can be applied', async () => {
  const sync = await syncs.newSync()
  await syncs.give(sync, syncs.numbered(3))
  const held = await syncs.run(sync)
  const rows = await syncs.sql`
    update directory_sync_rows set after = after || '{"phone": null, "mailbox": null}' where run_id = ${held.id} returning 1`
  expect(rows).toHaveLength(3)
  expect(await syncs.approve(held)).toMatchObject({ state: 'done', counts: { new: 3 } })
  expect(await syncs.people()).toHaveLength(3)
})

test('a number out of its bounds, or none, is refused at its field in plain words', async () => {
  const body = {
    name: syncs.named('Bounds'),
    sourceId: await syncs.newSource(),
    keyColumn: 'no',
    mapping: [{ column: 'account', field: 'account' }],
    rank: 0,
    leavers: { action: 'freeze', runs: null },
    thresholds: { missing: 101 },
  }
  const { envelope } = await syncs.root.call('/directory_sync/create/', { body })
  expect(envelope).toMatchObject({ code: 'request.invalid' })
  const { fields } = envelope.data as { fields: { field: string; reason: string }[] }
  expect(Object.fromEntries(fields.map(({ field, reason }) => [field, reason]))).toEqual({
    rank: 'At least 1.',
    'leavers.runs': 'Please fill this in.',
    'thresholds.missing': 'At most 100.',
  })
})
