import { expect, test } from 'vitest'
import type { DormantPerson } from '#shared/contract/account-holds.ts'
import type { BatchAnswer } from '#shared/contract/user-verbs.ts'
import { dormancyNight } from '../../testing/dormancy.ts'
import { messagesLater, outboxOf } from '../../testing/messages.ts'
import { addPerson, logIn } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { details, PEOPLE, school } from '../../testing/school.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { setPolicy } from '../../testing/sign-in.ts'
import { runTasks, taskEnd } from '../../testing/tasks.ts'
import { batchChangeTask } from '../account-verbs/index.ts'

const DAY = 86_400
type Dormant = { records: DormantPerson[]; total: number }

const dormant = async (page: Portal, query = '') =>
  (await page.call<Dormant>(`${PEOPLE}/dormant/query/?${query}`)).data.records
const accounts = async (page: Portal, query = '') => (await dormant(page, query)).map(({ account }) => account)
const later = (server: TestServer, days: number) =>
  new Date(server.platform.now().getTime() + days * DAY * 1000).toISOString()
let roots = 0
/** A new super user session now: sessions do not outlast the dormancy terms. */
const root = (server: TestServer) => openPortal(server, { isSuperUser: true, account: `root-${++roots}` })
const run = async (page: Portal, selection: object, verb: string, more: object = {}) => {
  const path = verb === 'wake' ? 'batch_lift' : 'batch_change'
  return (await page.call<BatchAnswer>(`${PEOPLE}/${path}/`, { body: { selection, verb, ...more } })).data
}

test('people who became dormant are listed, longest first, with the last login and what comes next', async () => {
  const server = await testServer()
  const { id, organizationId, category } = await school(server)
  await setPolicy(server, { dormantWarnDays: [14], dormantLockAfterDays: 60 })
  await logIn(server, '20260002')
  server.advance(DAY)
  await addPerson(server, { account: 'newcomer' })
  server.advance(180 * DAY - 60)
  await dormancyNight(server)
  server.advance(DAY)
  await dormancyNight(server)
  const page = await openPortal(server, { isSuperUser: true, account: 'root' })
  const [first, ...others] = await dormant(page)
  expect([first, ...others].map((one) => one?.account)).toEqual([
    '20260001',
    '20260002',
    '20260003',
    'T-100',
    'newcomer',
  ])
  const since = first?.dormantSince ?? ''
  const at = new Date(new Date(since).getTime() + 60 * DAY * 1000).toISOString()
  expect(first).toMatchObject({ lastLogin: null, closedState: null, next: { term: 'lock', at }, exemption: null })
  expect(await accounts(page, 'neverLoggedIn=0')).toEqual(['20260002'])
  expect(await accounts(page, 'neverLoggedIn=1')).not.toContain('20260002')
  expect(await accounts(page, 'neverLoggedIn=1')).toContain(first?.account)
  expect(await accounts(page, 'sort=-dormantSince&pageSize=10&pageIndex=1')).toEqual([
    'newcomer',
    'T-100',
    '20260003',
    '20260002',
    '20260001',
  ])
  expect(await accounts(page, `categoryId=${category}`)).toEqual(['20260001'])
  expect(await accounts(page, `organizationId=${organizationId('art')}`)).toEqual(['20260003', 'T-100'])
  expect(await accounts(page, 'search=mary&searchBy=2')).toEqual(['T-100'])
  const between = (from: string, to: string) => accounts(page, `dormantFrom=${from}&dormantTo=${to}`)
  expect(await between(since, later(server, 1))).toHaveLength(5)
  expect(await between(new Date(new Date(since).getTime() + 1).toISOString(), later(server, 1))).toEqual(['newcomer'])
  await page.call(`${PEOPLE}/${id('20260001')}/lock/`, { body: {} })
  expect((await dormant(page))[0]).toMatchObject({ closedState: 'locked', next: null })
  await page.call(`${PEOPLE}/${id('20260003')}/freeze/`, { body: { cause: 'leave' } })
  expect((await dormant(page))[2]).toMatchObject({ account: '20260003', closedState: 'frozen', next: null })
  await page.call(`${PEOPLE}/${id('20260003')}/disable_user/`, { body: {} })
  expect((await dormant(page))[2]).toMatchObject({ closedState: 'disabled', next: null })
  await setPolicy(server, { dormantLockAfterDays: 0 })
  expect((await dormant(page))[1]).toMatchObject({ account: '20260002', closedState: null, next: null })
})

test('people who were warned of dormancy are listed as soon dormant, until a login moves the date', async () => {
  const server = await testServer()
  const { organizationId } = await school(server)
  server.advance(170 * DAY)
  const page = await openPortal(server, { isSuperUser: true, account: 'root' })
  expect(await accounts(page, 'dormancy=soon')).toEqual([])
  await dormancyNight(server)
  const soon = await dormant(page, 'dormancy=soon')
  expect(soon.map(({ account }) => account)).toEqual(['20260001', '20260002', '20260003', 'T-100'])
  expect(soon[0]).toMatchObject({ dormantSince: null, next: { term: 'dormant', at: expect.any(String) } })
  const dean = await openPortal(server, { account: 'dean', permissions: [], administers: organizationId('cs') })
  expect(await accounts(dean, 'dormancy=soon')).toEqual(['20260001', '20260002'])
  await logIn(server, '20260002')
  expect(await accounts(page, 'dormancy=soon')).toEqual(['20260001', '20260003', 'T-100'])
  expect(await accounts(dean, 'dormancy=soon')).toEqual(['20260001'])
})

test('a person reactivated by an administrator stays active for another term, and the record says by whom', async () => {
  const server = await testServer()
  const { id } = await school(server)
  await setPolicy(server, { dormantWarnDays: [], dormantLockAfterDays: 10 })
  server.advance(181 * DAY)
  await dormancyNight(server)
  server.advance(11 * DAY)
  await dormancyNight(server)
  const page = await openPortal(server, { isSuperUser: true, account: 'root' })
  expect((await dormant(page)).map(({ closedState }) => closedState)).toEqual(Array(4).fill('locked'))
  expect(await run(page, { ids: [id('20260002')] }, 'wake', { reason: 'Back from leave' })).toMatchObject({
    changed: 1,
  })
  expect(await run(page, { ids: [id('20260002')] }, 'wake')).toMatchObject({ changed: 0, unchanged: 1 })
  await dormancyNight(server)
  expect(await accounts(page)).toEqual(['20260001', '20260003', 'T-100'])
  expect((await details(page, id('20260002'))).data.states).toMatchObject([{ state: 'enabled' }])
  await logIn(server, '20260002')
  const lines = await server.platform.sql`
    select action, reason from audit_records where target_id = ${id('20260002')} and action = 'account.wake'`
  expect(lines).toEqual([{ action: 'account.wake', reason: 'Back from leave' }])
  server.advance(181 * DAY)
  await dormancyNight(server)
  expect(await accounts(await root(server))).toContain('20260002')
})

test('dormancy skips exempt people until the end of the exemption', async () => {
  const server = await testServer()
  const { id } = await school(server)
  await setPolicy(server, { dormantWarnDays: [] })
  const page = await openPortal(server, { isSuperUser: true, account: 'root' })
  const until = later(server, 200)
  expect(await run(page, { ids: [id('20260001')] }, 'exempt', { until })).toMatchObject({ changed: 1 })
  expect(await run(page, { ids: [id('20260001')] }, 'exempt', { until })).toMatchObject({ unchanged: 1 })
  expect(await run(page, { ids: [id('20260002'), id('20260003')] }, 'exempt')).toMatchObject({ changed: 2 })
  const exempt = await dormant(page, 'dormancy=exempt')
  expect(exempt.map(({ account, exemption }) => [account, exemption])).toEqual([
    ['20260001', { until }],
    ['20260002', { until: null }],
    ['20260003', { until: null }],
  ])
  expect((await details(page, id('20260002'))).data.dormancyExemption).toEqual({ until: null })
  const past = await page.call(`${PEOPLE}/batch_change/`, {
    body: { selection: { ids: [id('20260001')] }, verb: 'exempt', until: later(server, -1) },
  })
  expect(past.envelope.code).toBe('user.dates')
  server.advance(190 * DAY)
  const again = await openPortal(server, { isSuperUser: true, account: 'root-2' })
  await dormancyNight(server)
  expect(await accounts(again)).toEqual(['T-100', 'root'])
  expect(await run(again, { ids: [id('20260003'), id('T-100')] }, 'end_exemption')).toMatchObject({
    changed: 1,
    unchanged: 1,
  })
  server.advance(11 * DAY)
  await dormancyNight(server)
  expect(await accounts(await openPortal(server, { isSuperUser: true, account: 'root-3' }))).toEqual([
    'T-100',
    'root',
    '20260001',
    '20260003',
  ])
  const lines = await server.platform.sql`
    select action, after->'dormancyExemptUntil' as until from audit_records
    where action like 'account.dormancy-exempt%' and target_id in (${id('20260001')}, ${id('20260003')}) order by at, id`
  expect(lines).toEqual([
    { action: 'account.dormancy-exempt', until },
    { action: 'account.dormancy-exempt', until: null },
    { action: 'account.dormancy-exempt-end', until: null },
  ])
})

test('a notice sent by hand goes out now, says how the person stands, and is sent at most once a day', async () => {
  const server = await testServer({ env: { DEMO: '1' } })
  const { id } = await school(server)
  await setPolicy(server, { dormantWarnDays: [] })
  const tell = async (more: object = {}) => run(await root(server), everybody, 'notify', more)
  const subjects = async () => {
    await messagesLater(server, 1)
    await expect
      .poll(async () => (await server.platform.sql`select 1 from messages where state = 'pending'`).length)
      .toBe(0)
    return (await outboxOf(server)).filter(({ channel }) => channel === 'mail').map(({ subject }) => subject)
  }
  const everybody = { ids: ['20260001', '20260002', '20260003'].map(id) }
  server.advance(100 * DAY)
  await run(await root(server), { ids: [id('20260003')] }, 'freeze')
  expect(await tell({ dryRun: true })).toMatchObject({ changed: 2, refusedCount: 1 })
  const first = await tell()
  expect(first).toMatchObject({ changed: 2, refused: [{ account: '20260003', code: 'user.not-becoming-dormant' }] })
  expect(await tell()).toMatchObject({ changed: 0, unchanged: 2 })
  expect(await subjects()).toHaveLength(1)
  server.advance(81 * DAY)
  await dormancyNight(server)
  expect(await tell()).toMatchObject({ changed: 2 })
  await setPolicy(server, { dormantLockAfterDays: 30 })
  server.advance(2 * DAY)
  expect(await tell()).toMatchObject({ changed: 2 })
  const words = await subjects()
  expect(words).toHaveLength(3)
  expect(new Set(words).size).toBe(3)
  await server.platform.sql`update users set phone = null where account = '20260001'`
  server.advance(2 * DAY)
  expect(await tell()).toMatchObject({
    changed: 1,
    refused: [{ code: 'user.no-contact' }, { account: '20260003' }],
  })
})

test('everybody whom the filters match is reactivated in the background, and an administrator reaches only their own people', async () => {
  const server = await testServer()
  const { id, organizationId } = await school(server)
  const { sql, now } = server.platform
  await sql`update users set dormant_since = ${now()} where account in ('20260001', '20260003')`
  await sql`
    insert into users (id, account, name, organization_id, created_at, updated_at, dormant_since)
    select gen_random_uuid(), 'n' || n, 'N' || n, ${organizationId('cs')}, ${now()}, ${now()}, ${now()} from generate_series(1, 1200) n`
  const dean = await openPortal(server, {
    account: 'dean',
    permissions: ['unlock', 'edit'],
    administers: organizationId('cs'),
  })
  const elsewhere = { ids: [id('20260003')] }
  for (const verb of ['wake', 'exempt', 'notify', 'end_exemption']) {
    expect((await run(dean, elsewhere, verb)).refused.map(({ code }) => code)).toEqual(['user.not-found'])
  }
  const reader = await openPortal(server, { account: 'reader', permissions: [], administers: organizationId('cs') })
  for (const path of ['batch_lift', 'batch_change']) {
    const body = { selection: { ids: [id('20260001')] }, verb: path === 'batch_lift' ? 'wake' : 'exempt' }
    expect((await reader.call(`${PEOPLE}/${path}/`, { body })).status).toBe(403)
  }
  const { taskId } = await run(dean, { all: { dormancy: 'dormant' }, expected: 1201 }, 'wake')
  await runTasks(server, [batchChangeTask])
  expect(await taskEnd(server, taskId ?? '')).toMatchObject({ state: 'done', result: { changed: 1201 } })
  expect(await accounts(await openPortal(server, { isSuperUser: true, account: 'root' }))).toEqual(['20260003'])
})
