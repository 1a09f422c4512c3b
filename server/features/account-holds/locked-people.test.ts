import { expect, test } from 'vitest'
import type { LockedPerson } from '#shared/contract/account-holds.ts'
import type { BatchAnswer } from '#shared/contract/user-verbs.ts'
import { createBrowser } from '../../testing/browser.ts'
import { logIn } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { PEOPLE, school, verb } from '../../testing/school.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { setPolicy } from '../../testing/sign-in.ts'
import { endLocks } from './index.ts'

type Locked = { records: LockedPerson[]; total: number }

const locked = async (page: Portal, query = '') =>
  (await page.call<Locked>(`${PEOPLE}/locked/query/?${query}`)).data.records
const accounts = async (page: Portal, query = '') => (await locked(page, query)).map(({ account }) => account)

const failOnce = (server: TestServer, username: string) =>
  createBrowser(server).post('/fwk_cas_service/login', { username, password: 'wrong' }, { accept: 'application/json' })

const block = async (server: TestServer, userId: string, kind: string) => {
  const at = server.platform.now()
  await server.platform.sql`
    insert into attempt_counters (kind, key, user_id, recent, last_at, blocked_until)
    values (${kind}, ${Buffer.from(`${kind}${userId}`)}, ${userId}, array[${at}::timestamptz], ${at},
      ${new Date(at.getTime() + 60_000)})`
}

test('people who are locked are listed with kind, reason, end and administrator, and are found by each', async () => {
  const server = await testServer()
  const { id, organizationId } = await school(server)
  const page = await openPortal(server, { isSuperUser: true, account: 'root' })
  await block(server, id('20260002'), 'person')
  await block(server, id('20260002'), 'second-factor')
  await block(server, id('20260003'), 'security-answers')
  await verb(page, id('20260001'), 'lock', { reason: 'Lost card' })
  expect(await locked(page)).toMatchObject([
    { account: '20260001', kind: 'administrator', until: null, reason: 'Lost card', by: 'Name of root', closed: [] },
    { account: '20260002', kind: 'failures', reason: null, by: null, closed: ['person', 'second-factor'] },
  ])
  expect(await accounts(page, 'lockedBy=failures')).toEqual(['20260002'])
  expect(await accounts(page, 'lockedBy=administrator')).toEqual(['20260001'])
  expect(await accounts(page, `organizationId=${organizationId('art')}`)).toEqual([])
  expect(await accounts(page, 'search=20260002')).toEqual(['20260002'])
  server.advance(61)
  expect(await accounts(page)).toEqual(['20260001'])
})

test('unlocking everybody whom a filter matches clears what kept them from logging in, and no other counter', async () => {
  const server = await testServer()
  const { id } = await school(server)
  const page = await openPortal(server, { isSuperUser: true })
  for (const kind of ['person', 'device', 'second-factor', 'security-answers'])
    await block(server, id('20260002'), kind)
  await verb(page, id('20260001'), 'lock')
  const all = { state: 'locked', lockedBy: 'failures' }
  const body = { selection: { all, expected: 1 }, verb: 'unlock' }
  expect((await page.call<BatchAnswer>(`${PEOPLE}/batch_lift/`, { body })).data.changed).toBe(1)
  expect(await accounts(page)).toEqual(['20260001'])
  const left = await server.platform.sql`select kind from attempt_counters where user_id = ${id('20260002')}`
  expect(left.map((row) => row['kind'])).toEqual(['security-answers'])
  await logIn(server, '20260002')
})

test('a lock-out by failures is recorded with its end, also the next one, and the list says from where', async () => {
  const server = await testServer()
  const { id } = await school(server)
  const page = await openPortal(server, { isSuperUser: true })
  await setPolicy(server, { lockAfterFailures: 2 })
  for (const times of [1, 2]) {
    for (let tries = 0; tries < 2; tries += 1) await failOnce(server, '20260002')
    const [found] = await locked(page)
    expect(found).toMatchObject({ account: '20260002', kind: 'failures', lastAddress: '127.0.0.1', closed: ['person'] })
    const lines = await server.platform.sql`
      select after->>'lockedUntil' as until from audit_records
      where user_id = ${id('20260002')} and action like 'account.lock-by-failures%' order by at`
    expect(lines).toHaveLength(times)
    expect(lines.at(-1)?.['until']).toBe(found?.until)
    server.advance(901)
  }
})

/** The lines about locks in somebody's history, oldest first. */
async function lockLines(page: Portal, userId: string): Promise<string[]> {
  const { data } = await page.call<{ records: { what: string }[] }>(`${PEOPLE}/${userId}/records/?kind=change`)
  return data.records.flatMap(({ what }) => (/lock/i.test(what) ? [what] : [])).toReversed()
}

test('a lock-out that runs out, one that follows and an unlock are lines in the record, each written once', async () => {
  const server = await testServer()
  const other = await server.secondNode()
  const { id } = await school(server)
  const page = await openPortal(server, { isSuperUser: true })
  await setPolicy(server, { lockAfterFailures: 2 })
  const lock = async (username = '20260002') => {
    for (let tries = 0; tries < 2; tries += 1) await failOnce(server, username)
  }
  const runJob = () => Promise.all([server, other].map(({ platform }) => endLocks(platform)))
  const [locks, ends, again, unlocks] = [
    'Locked after too many failed attempts',
    'Lock ended',
    'Locked again after too many failed attempts',
    'Account unlocked',
  ]
  const expected = [locks]
  await lock()
  await lock('nobody-at-all')
  await runJob()
  expect(await lockLines(page, id('20260002'))).toEqual(expected)
  server.advance(901)
  // A failure before the job runs replaces the counter, and the end is recorded all the same.
  await failOnce(server, '20260002')
  for (let times = 0; times < 2; times += 1) await runJob()
  await failOnce(server, '20260002')
  expect(await lockLines(page, id('20260002'))).toEqual(expected.concat([ends, again]))
  server.advance(901)
  await logIn(server, '20260002')
  await runJob()
  await lock()
  await verb(page, id('20260002'), 'unlock')
  server.advance(901)
  await runJob()
  expected.push(ends, again, ends, locks, unlocks)
  expect(await lockLines(page, id('20260002'))).toEqual(expected)
  await lock()
  expect(await lockLines(page, id('20260002'))).toEqual([...expected, locks])
})

test('a lock that follows before the job has run comes after the end of the one before', async () => {
  const server = await testServer()
  const { id } = await school(server)
  const page = await openPortal(server, { isSuperUser: true })
  await setPolicy(server, { lockAfterFailures: 2 })
  for (let times = 0; times < 2; times += 1) {
    server.advance(901 * times)
    for (let tries = 0; tries < 2; tries += 1) await failOnce(server, '20260002')
  }
  const expected = [
    'Locked after too many failed attempts',
    'Lock ended',
    'Locked again after too many failed attempts',
  ]
  expect(await lockLines(page, id('20260002'))).toEqual(expected)
  const inAMinute = () => new Date(server.platform.now().getTime() + 60_000).toISOString()
  for (let times = 0; times < 2; times += 1) {
    await verb(page, id('20260001'), 'lock', { until: inAMinute() })
    server.advance(61)
  }
  expect(await lockLines(page, id('20260001'))).toEqual(['Account locked', 'Lock ended', 'Account locked'])
  const [end] = await server.platform.sql`
    select actor, actor_id from audit_records
    where target_id = ${id('20260001')} and action = 'account.lock-expire'`
  expect(end).toEqual({ actor: 'system', actorId: null })
  const locks = await server.platform.sql`
    select before->>'lockedAt' as former from audit_records
    where target_id = ${id('20260001')} and action = 'account.lock'`
  expect(locks).toEqual([{ former: null }, { former: null }])
  server.advance(901)
  for (let times = 0; times < 2; times += 1) await endLocks(server.platform)
  expect(await lockLines(page, id('20260002'))).toEqual([...expected, 'Lock ended'])
  expect((await lockLines(page, id('20260001'))).filter((line) => line === 'Lock ended')).toHaveLength(2)
})

test('a scoped administrator sees and unlocks only people in scope, and not who locked them', async () => {
  const server = await testServer()
  const { id, organizationId } = await school(server)
  const root = await openPortal(server, { isSuperUser: true, account: 'root' })
  const dean = await openPortal(server, { account: 'dean', permissions: ['unlock'], administers: organizationId('cs') })
  for (const account of ['20260001', '20260003']) await verb(root, id(account), 'lock')
  expect(await locked(dean)).toMatchObject([{ account: '20260001', by: null }])
  const body = { selection: { ids: [id('20260001'), id('20260003')] }, verb: 'unlock' }
  const { changed, refused } = (await dean.call<BatchAnswer>(`${PEOPLE}/batch_lift/`, { body })).data
  expect([changed, refused.map(({ code }) => code)]).toEqual([1, ['user.not-found']])
  expect(await accounts(root)).toEqual(['20260003'])
})

test('a lock by an administrator with an end is recorded once when it expires, and one without an end stays', async () => {
  const server = await testServer()
  const { id } = await school(server)
  const page = await openPortal(server, { isSuperUser: true })
  const until = new Date(server.platform.now().getTime() + 60_000).toISOString()
  await verb(page, id('20260002'), 'lock', { until })
  await verb(page, id('20260001'), 'lock')
  await endLocks(server.platform)
  expect(await accounts(page)).toEqual(['20260001', '20260002'])
  server.advance(61)
  for (let times = 0; times < 2; times += 1) await endLocks(server.platform)
  expect(await accounts(page)).toEqual(['20260001'])
  const lines = await server.platform.sql`
    select action, before->>'lockedUntil' as until from audit_records
    where target_id in (${id('20260001')}, ${id('20260002')}) and action = 'account.lock-expire'`
  expect(lines).toEqual([{ action: 'account.lock-expire', until }])
  const [person] = await server.platform.sql<{ awakeFrom: Date }[]>`
    select awake_from from users where account = '20260002'`
  expect(person?.awakeFrom.toISOString()).toBe(until)
  await verb(page, id('20260002'), 'lock', { until: new Date(server.platform.now().getTime() + 60_000).toISOString() })
  expect(await accounts(page)).toEqual(['20260001', '20260002'])
})

test('ends of locks by failures are recorded although those by administrators can not be', async () => {
  const server = await testServer()
  const { sql } = server.platform
  const { id } = await school(server)
  const page = await openPortal(server, { isSuperUser: true })
  await verb(page, id('20260002'), 'lock', { until: new Date(server.platform.now().getTime() + 60_000).toISOString() })
  await setPolicy(server, { lockAfterFailures: 1 })
  await failOnce(server, '20260001')
  server.advance(3600)
  await sql`alter table users add constraint no_end check (locked_at is not null) not valid`
  await expect(endLocks(server.platform)).rejects.toThrow('no_end')
  await sql`alter table users drop constraint no_end`
  const ended = async () =>
    (await sql`select target_id from audit_records where action = 'account.lock-expire' order by at`).map(
      (row) => row['targetId'],
    )
  expect(await ended()).toEqual([id('20260001')])
  await endLocks(server.platform)
  expect(await ended()).toEqual([id('20260001'), id('20260002')])
})
