import { expect, test } from 'vitest'
import type { DormancyRun, LockedPerson } from '#shared/contract/account-holds.ts'
import { systemContext } from '../../platform/platform.ts'
import { dormancyNight } from '../../testing/dormancy.ts'
import { outboxOf } from '../../testing/messages.ts'
import { addPerson, logIn } from '../../testing/people.ts'
import { openPortal } from '../../testing/portal.ts'
import { accounts, details, PEOPLE, school, verb } from '../../testing/school.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { attempt, setPolicy } from '../../testing/sign-in.ts'
import { confirmSweep, startSweep, sweepTask } from './index.ts'

const days = (count: number) => count * 86_400

let roots = 0
/** A new super user session at the current time. */
const root = (server: TestServer) => openPortal(server, { isSuperUser: true, account: `root-${++roots}` })

/** Dormant people, without the super users created for looking. */
const dormantAccounts = async (server: TestServer) =>
  (await accounts(await root(server), 'state=dormant')).filter((account) => !account.startsWith('root-'))

const lines = async ({ platform }: TestServer, account: string) =>
  (
    await platform.sql<{ action: string; actor: string }[]>`
      select action, actor from audit_records a join users u on u.id = a.user_id
      where u.account = ${account} and (action like 'account.dorm%' or action in ('account.wake', 'account.lock-dormant', 'account.unlock'))
      order by a.at, a.id`
  ).map(({ action, actor }) => `${action} ${actor === 'system' ? 'system' : 'person'}`)

test('a person who has not logged in for the term becomes dormant at night, and a second run changes nothing', async () => {
  const server = await testServer()
  await school(server)
  await setPolicy(server, { dormantWarnDays: [] })
  server.advance(days(100))
  await logIn(server, '20260002')
  server.advance(days(81))
  expect(await dormancyNight(server)).toMatchObject({ state: 'done', result: { dormant: 3, locked: 0, told: 0 } })
  expect(await dormantAccounts(server)).toEqual(['20260001', '20260003', 'T-100'])
  const before = await server.platform.sql`select id, xmin::text, dormant_since from users order by id`
  expect(await dormancyNight(server)).toMatchObject({ result: { dormant: 0, locked: 0, told: 0 } })
  expect(await server.platform.sql`select id, xmin::text, dormant_since from users order by id`).toEqual(before)
  expect(await lines(server, '20260001')).toEqual(['account.dormant system'])
})

test('a login lifts dormancy, and the term starts again', async () => {
  const server = await testServer()
  await school(server)
  await setPolicy(server, { dormantWarnDays: [] })
  server.advance(days(181))
  await dormancyNight(server)
  await logIn(server, '20260002')
  server.advance(days(179))
  await dormancyNight(server)
  expect(await lines(server, '20260002')).toEqual(['account.dormant system', 'account.wake person'])
  server.advance(days(2))
  await dormancyNight(server)
  expect((await lines(server, '20260002')).at(-1)).toBe('account.dormant system')
})

test('idleness counts from activation and from the end of whatever prevented logins, not before', async () => {
  const server = await testServer()
  const { id } = await school(server)
  await setPolicy(server, { dormantWarnDays: [] })
  const { sql, now } = server.platform
  const page = await root(server)
  const until = new Date(now().getTime() + days(150) * 1000).toISOString()
  await verb(page, id('20260001'), 'freeze', { cause: 'leave', until })
  await verb(page, id('20260003'), 'lock', { until })
  await sql`update users set activated = false where account = 'T-100'`
  server.advance(days(170))
  await sql`update users set activated = true, awake_from = ${now()} where account = 'T-100'`
  server.advance(days(11))
  await dormancyNight(server)
  expect(await dormantAccounts(server)).toEqual(['20260002'])
  server.advance(days(150))
  await dormancyNight(server)
  expect(await dormantAccounts(server)).toEqual(['20260001', '20260002', '20260003'])
})

test('exempt categories, and people exempted until a day, stay active; so do those who could not log in anyway', async () => {
  const server = await testServer()
  const { id } = await school(server)
  await setPolicy(server, { dormantWarnDays: [], dormantExemptCategories: ['student', 'a category of yore'] })
  const { sql, now } = server.platform
  await verb(await root(server), id('T-100'), 'disable_user')
  await addPerson(server, { account: 'exempt' })
  await addPerson(server, { account: 'idle' })
  await sql`update users set dormancy_exempt_until = ${new Date(now().getTime() + days(200) * 1000)} where account = 'exempt'`
  await sql`update users set valid_until = ${new Date(now().getTime() + days(10) * 1000)} where account = '20260003'`
  server.advance(days(181))
  await dormancyNight(server)
  expect(await dormantAccounts(server)).toEqual(['20260002', 'idle'])
  server.advance(days(20))
  await dormancyNight(server)
  expect(await dormantAccounts(server)).toEqual(['20260002', 'exempt', 'idle'])
})

test('each notice is sent once, by mail and text message, in the morning, and none to people who have logged in', async () => {
  const server = await testServer({ env: { DEMO: '1' } })
  await school(server)
  await server.platform.sql`update users set mailbox = 'san@example.edu' where account = '20260001'`
  const told = async () => {
    server.advance(days(1))
    await server.platform.sql`select pg_notify('gatehouse_messages', '')`
    await expect
      .poll(async () => (await server.platform.sql`select 1 from messages where state = 'pending'`).length)
      .toBe(0)
    return (await outboxOf(server)).map(({ to }) => to).toSorted()
  }
  server.advance(days(165))
  await dormancyNight(server)
  expect(await told()).toEqual([])
  server.advance(days(0.5))
  await dormancyNight(server)
  await dormancyNight(server)
  expect(await told()).toEqual(['+8613800001234', 'lisi@example.edu', 'san@example.edu'])
  await logIn(server, '20260002')
  server.advance(days(10))
  await dormancyNight(server)
  await dormancyNight(server)
  expect((await told()).filter((to) => to === 'lisi@example.edu')).toHaveLength(1)
  expect((await told()).filter((to) => to === 'san@example.edu')).toHaveLength(2)
  expect(await lines(server, '20260001')).toEqual(Array(2).fill('account.dormancy-notice system'))
})

test('whoever stays dormant for the second term is locked; unlocking reactivates them, and the next night keeps that', async () => {
  const server = await testServer()
  const { id } = await school(server)
  await setPolicy(server, { dormantWarnDays: [], dormantLockAfterDays: 30 })
  server.advance(days(181))
  await dormancyNight(server)
  server.advance(days(29))
  expect(await dormancyNight(server)).toMatchObject({ result: { locked: 0 } })
  server.advance(days(2))
  expect(await dormancyNight(server)).toMatchObject({ result: { locked: 4 } })
  expect(await attempt(server, '20260002')).toMatchObject({ status: 403, code: 'sign-in.locked' })
  const page = await root(server)
  const locked = async (kind: string) =>
    (await page.call<{ records: LockedPerson[] }>(`${PEOPLE}/locked/query/?lockedBy=${kind}`)).data.records
  expect(await locked('administrator')).toEqual([])
  expect(await locked('dormancy')).toMatchObject([
    { account: '20260001', kind: 'dormancy', until: null, by: null },
    { account: '20260002', kind: 'dormancy' },
    { account: '20260003', kind: 'dormancy' },
    { account: 'T-100', kind: 'dormancy' },
  ])
  expect((await details(page, id('20260002'))).data.states).toMatchObject([
    { state: 'locked', byDormancy: true },
    { state: 'dormant' },
  ])
  await verb(page, id('20260002'), 'unlock')
  expect((await details(page, id('20260002'))).data.states).toMatchObject([{ state: 'enabled' }])
  await dormancyNight(server)
  expect((await details(page, id('20260002'))).data.states).toMatchObject([{ state: 'enabled' }])
  expect(await lines(server, '20260002')).toEqual([
    'account.dormant system',
    'account.lock-dormant system',
    'account.unlock person',
  ])
})

test('the last super user who could log in is neither made dormant nor locked', async () => {
  const server = await testServer()
  await setPolicy(server, { dormantWarnDays: [], dormantLockAfterDays: 30 })
  for (const account of ['one', 'two']) await addPerson(server, { account })
  await server.platform.sql`update users set is_super_user = true`
  server.advance(days(181))
  await dormancyNight(server)
  server.advance(days(31))
  await dormancyNight(server)
  server.advance(days(31))
  await dormancyNight(server)
  const people = await server.platform.sql<{ locked: boolean; dormant: boolean }[]>`
    select locked_at is not null as locked, dormant_since is not null as dormant from users where is_super_user`
  expect(people.filter(({ locked }) => locked).length).toBeLessThan(2)
  expect(people.filter(({ locked, dormant }) => !locked && !dormant).length).toBeGreaterThan(0)
})

test('a clock that jumps by years holds the run until an operator confirms it, and super users are notified once', async () => {
  const server = await testServer({ env: { DEMO: '1' } })
  await addPerson(server, { account: 'chief', mailbox: 'chief@example.edu' })
  await server.platform.sql`update users set is_super_user = true`
  for (let at = 0; at < 25; at += 1) await addPerson(server, { account: `person-${at}` })
  server.advance(days(3650))
  for (let nights = 0; nights < 2; nights += 1) {
    expect(await dormancyNight(server)).toMatchObject({ state: 'failed', error: 'dormancy.held' })
  }
  const { sql } = server.platform
  expect(await sql`select 1 from users where dormant_since is not null or locked_at is not null`).toHaveLength(0)
  const messages = await sql`select template from messages`
  expect(messages.map((row) => row['template'])).toEqual(['notice.dormancy-held'])
  expect(await sql`select 1 from audit_records where action = 'dormancy.hold'`).toHaveLength(2)
  const ctx = systemContext(server.platform)
  expect(await dormancyNight(server, () => confirmSweep(ctx))).toMatchObject({ state: 'done', result: { dormant: 25 } })
  expect(await confirmSweep(ctx)).toBe(null)
})

test('a super user sees that a run is held, what it would do and when the next one begins, and lets it continue', async () => {
  const server = await testServer()
  const { organizationId } = await school(server)
  const { sql, now } = server.platform
  await sql`
    insert into users (id, account, name, created_at, updated_at)
    select gen_random_uuid(), 'n' || n, 'n', ${now()}, ${now()} from generate_series(1, 30) n`
  server.advance(days(400))
  await dormancyNight(server)
  const page = await root(server)
  const RUN = `${PEOPLE}/dormant/run/`
  const shown = async () =>
    (await page.call<{ latest: DormancyRun | null; isUnderWay: boolean; nextAt: string | null }>(RUN)).data
  const { latest, nextAt } = await shown()
  expect(latest).toMatchObject({ isHeld: true, dormant: 34, locked: 0, told: 0 })
  const seen = { people: latest?.people, dormant: 34, locked: 0, told: 0 }
  expect(nextAt).toMatch(/T19:00:00.000Z$/)
  const dean = await openPortal(server, {
    account: 'dean',
    permissions: ['edit', 'unlock'],
    administers: organizationId('cs'),
  })
  for (const by of [dean, await openPortal(server)])
    expect([(await by.call(RUN)).status, (await by.call(`${RUN}confirm/`, { body: seen })).status]).toEqual([403, 403])
  const confirm = () => page.call(`${RUN}confirm/`, { body: seen })
  const night = await dormancyNight(server, async () => {
    // Twice at once, and once more before it has begun.
    const answers = [...(await Promise.all([confirm(), confirm()])), await confirm()]
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect(await shown()).toMatchObject({ isUnderWay: true })
  })
  expect(night).toMatchObject({ state: 'done', result: { dormant: 34 } })
  expect(await shown()).toMatchObject({ isUnderWay: false, latest: { isHeld: false, dormant: 34 } })
  const confirmed = await sql`select actor_id, after from audit_records where action = 'dormancy.run'`
  expect(confirmed).toEqual([{ actorId: page.user.userId, after: seen }])
  const again = await confirm()
  expect([again.status, again.envelope.code]).toEqual([409, 'dormancy.not-held'])
  await setPolicy(server, { dormantAfterDays: 0 })
  expect((await shown()).nextAt).toBeNull()
})

test('a confirmed run that would affect many more than were shown is held again', async () => {
  const server = await testServer()
  const { sql, now } = server.platform
  const add = (count: number) => sql`
    insert into users (id, account, name, created_at, updated_at)
    select gen_random_uuid(), gen_random_uuid(), 'n', ${new Date(now().getTime() - days(400) * 1000)}, ${now()}
    from generate_series(1, ${count}::int)`
  await add(30)
  expect(await dormancyNight(server)).toMatchObject({ error: 'dormancy.held' })
  await add(40)
  const ctx = systemContext(server.platform)
  server.advance(600)
  expect(await dormancyNight(server, () => confirmSweep(ctx))).toMatchObject({ error: 'dormancy.held' })
  expect(await sql`select from users where dormant_since is not null`).toHaveLength(0)
  server.advance(600)
  await add(2)
  expect(await dormancyNight(server, () => confirmSweep(ctx))).toMatchObject({ state: 'done', result: { dormant: 72 } })
})

test('an interrupted run resumes after its last mark, and notifies everybody', async () => {
  const server = await testServer()
  const { sql, now } = server.platform
  await setPolicy(server, { dormantWarnDays: [] })
  await sql`
    insert into users (id, account, name, created_at, updated_at, last_login_at)
    select gen_random_uuid(), 'n' || n, 'n', ${now()}, ${now()},
      case when n % 10 > 0 then ${new Date(now().getTime() + days(180) * 1000)}::timestamptz end
    from generate_series(1, 12000) n`
  server.advance(days(181))
  const ctx = systemContext(server.platform)
  await startSweep(server.platform)
  const [row] = await sql<{ id: string }[]>`select id from background_tasks where kind = 'dormancy.sweep'`
  const id = row?.id ?? ''
  let steps = 0
  const task = { id, input: { isConfirmed: false }, done: 0, total: 12_000, cancelled: () => false }
  const cut = {
    ...task,
    progress: () => (++steps === 2 ? Promise.reject(new Error('killed')) : Promise.resolve()),
    advance: () => Promise.resolve(),
  }
  await expect(sweepTask.run(ctx, cut)).rejects.toThrow('killed')
  const [marked] = await sql<{ dormant: number }[]>`select dormant from dormancy_runs`
  const dormant = async () => (await sql`select 1 from users where dormant_since is not null`).length
  expect(await dormant()).toBe(marked?.dormant)
  expect(await dormant()).toBeLessThan(1200)
  const progress = () => Promise.resolve()
  const result = await sweepTask.run(ctx, { ...task, done: 5000, progress, advance: progress })
  expect(result).toMatchObject({ dormant: 1200 })
  expect(await dormant()).toBe(1200)
  expect(await sql`select 1 from audit_records where action = 'account.dormant'`).toHaveLength(1200)
})

test('of super users far apart in a run one stays active', async () => {
  const server = await testServer()
  const { sql, now } = server.platform
  await setPolicy(server, { dormantWarnDays: [] })
  await sql`
    insert into users (id, account, name, is_super_user, activated, created_at, updated_at) values
      ('00000000-0000-4000-8000-000000000001', 'one', 'One', true, true, ${now()}, ${now()}),
      ('ffffffff-ffff-4fff-bfff-fffffffffff1', 'two', 'Two', true, true, ${now()}, ${now()})`
  await sql`
    insert into users (id, account, name, created_at, updated_at, last_login_at)
    select gen_random_uuid(), 'n' || n, 'n', ${now()}, ${now()}, ${new Date(now().getTime() + days(180) * 1000)}
    from generate_series(1, 6000) n`
  server.advance(days(181))
  await dormancyNight(server)
  expect(await sql`select account from users where dormant_since is not null`).toEqual([{ account: 'one' }])
})
