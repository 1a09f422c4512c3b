import { expect, onTestFinished, test } from 'vitest'
import { DAY_MS } from '#shared/rules/durations.ts'
import { SYNC_MAPPING, SyncWorld } from '../../testing/directory-syncs.ts'

/** What other products lost by a sync, or were stopped by; the other files of this folder have the rest. */
const syncs = new SyncWorld()

const ROOMY = { thresholds: { missing: 100, changed: 100, created: 100, field: 100, bad: 100, rows: 0 } }

/** A table of the test's own database with these columns beside `no` and `account`. */
async function newTable(columns: string): Promise<{ table: string; prefix: string }> {
  const table = syncs.table()
  await syncs.sql.unsafe(`create table ${table} (no text, account text, ${columns})`)
  return { table, prefix: syncs.account(0).slice(0, -4) }
}

test('whoever leaves keeps authenticator app, passkeys, recovery codes, answers, password, consents and grants', async () => {
  const { sql } = syncs
  const sync = await syncs.filledSync(syncs.numbered(3), { ...ROOMY, leavers: { action: 'disable', runs: 1, days: 0 } })
  const [{ id } = { id: '' }] = await syncs.people()
  const application = await sql<{ id: string }[]>`select id from applications limit 1`
  const applicationId = application[0]?.id ?? ''
  await sql`insert into second_factors (user_id, totp_secret, totp_confirmed_at, created_at) values (${id}, 'sealed', now(), now())`
  await sql`insert into recovery_codes (user_id, code_hash, created_at) values (${id}, 'code', now())`
  await sql`insert into passkeys (id, user_id, credential_id, public_key, counter, transports, backed_up, name, created_at)
    values (gen_random_uuid(), ${id}, ${id}, 'key', 0, '{}', false, 'Phone', now())`
  await sql`insert into security_answers (user_id, question, answer_hash, position) values (${id}, 'pet', 'hash', 1)`
  await sql`insert into passwords (user_id, hash, changed_at) values (${id}, 'hash', now())`
  await sql`insert into consents (user_id, application_id, scopes, given_at) values (${id}, ${applicationId}, '{openid}', now())`
  await sql`insert into application_grants (application_id, subject_kind, subject_id) values (${applicationId}, 'user', ${id})`
  const belongings = async () => {
    const tables = ['second_factors', 'recovery_codes', 'passkeys', 'security_answers', 'passwords', 'consents']
    const rows = await Promise.all(tables.map((table) => sql.unsafe(`select * from ${table} where user_id = '${id}'`)))
    return [
      ...rows.map((found) => [...found]),
      [...(await sql`select * from application_grants where subject_id = ${id}`)],
    ]
  }
  const before = await belongings()
  expect(before.every(({ length }) => length === 1)).toBe(true)
  await syncs.give(sync, syncs.numbered(2, 'Person', 1))
  expect(await syncs.run(sync)).toMatchObject({ state: 'done', counts: { leaver: 1 } })
  expect(await belongings()).toEqual(before)
  await syncs.give(sync, syncs.numbered(3))
  expect(await syncs.run(sync)).toMatchObject({ state: 'done', counts: { changed: 1 } })
  expect(await belongings()).toEqual(before)
  expect((await syncs.people())[0]).toMatchObject({ id, enabled: true })
})

test('the figures of a run are those of its rows, of the people and of their histories', async () => {
  const { sql } = syncs
  const sync = await syncs.filledSync(syncs.numbered(6), { ...ROOMY, leavers: { action: 'disable', runs: 1, days: 0 } })
  const people = { ...syncs.numbered(3, 'Person', 1), [syncs.account(4)]: 'Renamed', [syncs.account(9)]: 'New' }
  await syncs.giveText(sync, `${syncs.csv(people)}K-bad,,No account\n`)
  const run = await syncs.run(sync)
  expect(run).toMatchObject({
    state: 'done',
    rowsRead: 6,
    counts: { new: 1, changed: 1, unchanged: 3, leaver: 2, bad: 1 },
  })
  const rows = await sql`
    select outcome, count(*)::int as n, count(*) filter (where is_applied)::int as applied
    from directory_sync_rows where run_id = ${run.id} group by 1 order by 1`
  expect(Object.fromEntries(rows.map(({ outcome, n }) => [outcome, n]))).toEqual(run.counts)
  expect(rows.filter(({ applied }) => applied > 0).map(({ outcome, n, applied }) => [outcome, n - applied])).toEqual([
    ['changed', 0],
    ['leaver', 0],
    ['new', 0],
  ])
  const lines = await sql`
    select action, count(*)::int as n from audit_records where at >= ${run.startedAt} and reason = ${sync.name} group by 1 order by 1`
  expect([...lines]).toEqual([
    { action: 'account.create', n: 1 },
    { action: 'account.update', n: 3 },
  ])
  expect((await syncs.people()).filter(({ enabled }) => !enabled)).toHaveLength(2)
})

test('rows that the database lost after they were read are no leavers: the run fails', async () => {
  const { sql } = syncs
  const sync = await syncs.filledSync(syncs.numbered(6), { ...ROOMY, leavers: { action: 'disable', runs: 1, days: 0 } })
  // As after a crash that takes back what was not on the disk yet.
  await sql.unsafe(`
    create function lose_row() returns trigger language plpgsql as $$ begin return null; end $$;
    create trigger lose_row before insert on directory_sync_rows for each row when (new.row = 2) execute function lose_row()`)
  onTestFinished(async () => void (await sql`drop function lose_row cascade`))
  expect(await syncs.run(sync)).toMatchObject({ state: 'failed', problem: 'The run was interrupted.' })
  expect((await syncs.people()).filter(({ enabled }) => enabled)).toHaveLength(6)
})

test('a password that somebody sets neither stops the sync nor is changed by it', async () => {
  const sync = await syncs.filledSync(syncs.numbered(2), ROOMY)
  const [{ id } = { id: '' }] = await syncs.people()
  await syncs.sql`insert into passwords (user_id, hash, changed_at) values (${id}, 'set by the person', now())`
  await syncs.sql`update users set activated = true, version = version + 1 where id = ${id}`
  await syncs.give(sync, syncs.numbered(2, 'Renamed'))
  expect(await syncs.run(sync)).toMatchObject({ state: 'done', counts: { changed: 2 } })
  expect(await syncs.sql`select hash from passwords where user_id = ${id}`).toMatchObject([
    { hash: 'set by the person' },
  ])
})

test('a row of ten megabytes and rows with every kind of mistake are left out with their reasons; all others are written', async () => {
  const { sql } = syncs
  const { table, prefix } = await newTable('name text, mail text, dept text, born text')
  await sql.unsafe(`insert into ${table} select 'K' || n, '${prefix}' || lpad(n::text, 4, '0'), 'Person ' || n, null, null, null
    from generate_series(1, 8) n`)
  await sql.unsafe(`update ${table} set name = repeat('x', 10 * 1024 * 1024) where no = 'K1'`)
  await sql.unsafe(`update ${table} set mail = 'no mail' where no = 'K2'`)
  await sql.unsafe(`update ${table} set dept = 'nowhere' where no = 'K3'`)
  await sql.unsafe(`update ${table} set born = '31.02.2001' where no = 'K4'`)
  await sql.unsafe(`update ${table} set account = ${"repeat('x', 10 * 1024 * 1024)"} where no = 'K5'`)
  await sql.unsafe(`update ${table} set name = 'lost ' || chr(65533) where no = 'K6'`)
  const extra = { mail: 'mailbox', dept: 'organization', born: 'birthday' }
  const mapping = [...SYNC_MAPPING, ...Object.entries(extra).map(([column, field]) => ({ column, field }))]
  const sync = await syncs.newSync({ ...ROOMY, mapping }, table)
  const run = await syncs.approve(await syncs.run(sync))
  expect(run).toMatchObject({ state: 'done', counts: { new: 2, bad: 6 } })
  const { rows } = await syncs.details(run.id, 'outcome=bad')
  expect(rows.every(({ problems }) => problems.length > 0 && problems.join().length < 400)).toBe(true)
  expect((await syncs.people()).map(({ name }) => name)).toEqual(['Person 7', 'Person 8'])
})

test('keys are cut at 500 characters; two that become equal are both rejected as repeated', async () => {
  const { table, prefix } = await newTable('name text')
  await syncs.sql.unsafe(`insert into ${table} select case when n < 3 then repeat('k', 10 * 1024 * 1024) || n else 'K' || n end,
    '${prefix}' || lpad(n::text, 4, '0'), 'Person ' || n from generate_series(1, 4) n`)
  const sync = await syncs.newSync(ROOMY, table)
  expect(await syncs.approve(await syncs.run(sync))).toMatchObject({ isComplete: false, counts: { new: 2, bad: 2 } })
})

test('a row dated in the future by a wrong clock hides no later change', async () => {
  const { table, prefix } = await newTable('name text, written timestamp')
  const now = syncs.server.platform.now()
  const text = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ')
  await syncs.sql.unsafe(`insert into ${table} select 'K' || n, '${prefix}' || lpad(n::text, 4, '0'), 'Person ' || n,
    '${text(now.getTime() - 9 * DAY_MS)}' from generate_series(1, 20) n`)
  await syncs.sql.unsafe(`update ${table} set written = '2099-12-31 23:59:59' where no = 'K1'`)
  const sync = await syncs.newSync({ ...ROOMY, cursorColumn: 'written' }, table)
  await syncs.approve(await syncs.run(sync))
  await syncs.sql.unsafe(`update ${table} set name = 'Later', written = '${text(now.getTime())}' where no = 'K2'`)
  expect(await syncs.runChanges(sync)).toMatchObject({
    mode: 'incremental',
    rowsRead: 2,
    counts: { changed: 1, unchanged: 1 },
  })
  expect((await syncs.people())[1]?.name).toBe('Later')
})
