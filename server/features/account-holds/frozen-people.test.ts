import { expect, test } from 'vitest'
import type { FreezeListAnswer, FrozenPerson } from '#shared/contract/account-holds.ts'
import type { BatchAnswer } from '#shared/contract/user-verbs.ts'
import { createBrowser } from '../../testing/browser.ts'
import { hold } from '../../testing/lock-waits.ts'
import { PASSWORD, postLogin } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { details, PEOPLE, school, verb } from '../../testing/school.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { endSessionsOfBlockedUsers } from '../sessions/index.ts'

type Frozen = { records: FrozenPerson[]; total: number }

const frozen = async (page: Portal, query = '') =>
  (await page.call<Frozen>(`${PEOPLE}/frozen/query/?${query}`)).data.records
const accounts = async (page: Portal, query = '') => (await frozen(page, query)).map(({ account }) => account)
const later = (server: TestServer, seconds: number) =>
  new Date(server.platform.now().getTime() + seconds * 1000).toISOString()
const openSessions = async (server: TestServer, userId: string) =>
  (await server.platform.sql`select from sso_sessions where user_id = ${userId} and ended_at is null`).length

test('people who are frozen or will be are listed with cause, period and administrator, and are found by each', async () => {
  const server = await testServer()
  const { id, organizationId } = await school(server)
  const page = await openPortal(server, { isSuperUser: true, account: 'root' })
  await verb(page, id('20260001'), 'freeze', { reason: 'Year abroad', cause: 'leave', until: later(server, 600) })
  await verb(page, id('20260002'), 'freeze', { from: later(server, 300) })
  expect(await frozen(page)).toMatchObject([
    { account: '20260001', phase: 'begun', cause: 'leave', reason: 'Year abroad', by: 'Name of root' },
    { account: '20260002', phase: 'planned', cause: 'other', until: null },
  ])
  expect(await accounts(page, 'freeze=planned')).toEqual(['20260002'])
  expect(await accounts(page, 'freezeCause=leave')).toEqual(['20260001'])
  expect(await accounts(page, `organizationId=${organizationId('art')}`)).toEqual([])
  const dean = await openPortal(server, { account: 'dean', permissions: ['unlock'], administers: organizationId('cs') })
  expect(await frozen(dean, 'freezeCause=leave')).toMatchObject([{ account: '20260001', by: null }])
  const elsewhere = await openPortal(server, {
    account: 'dean2',
    permissions: ['unlock'],
    administers: organizationId('art'),
  })
  expect(await accounts(elsewhere)).toEqual([])
  server.advance(601)
  expect(await accounts(page)).toEqual(['20260002'])
  await verb(page, id('20260002'), 'thaw')
  expect(await accounts(page)).toEqual([])
})

test('many are frozen at once for a period that begins later, and keep their logins until then', async () => {
  const server = await testServer()
  const { id } = await school(server)
  const page = await openPortal(server, { isSuperUser: true })
  const ids = [id('20260001'), id('20260002')]
  const own = await openPortal(server, { userId: id('20260001') })
  const period = { from: later(server, 300), until: later(server, 600) }
  const body = { selection: { ids }, verb: 'freeze', cause: 'leave', ...period }
  const { data } = await page.call<BatchAnswer>(`${PEOPLE}/batch_change/`, { body })
  expect([data.changed, data.refusedCount]).toEqual([2, 0])
  expect(await frozen(page)).toMatchObject([
    { account: '20260001', phase: 'planned', cause: 'leave', ...period },
    { account: '20260002', phase: 'planned', cause: 'leave', ...period },
  ])
  expect((await own.call('/certification_record/account/')).status).toBe(200)
  server.advance(301)
  expect((await own.call('/certification_record/account/')).status).toBe(401)
  server.advance(300)
  expect(await accounts(page)).toEqual([])
})

test('a freeze that begins at once holds on a node whose clock is behind, and shows when it was set', async () => {
  const server = await testServer()
  const { id } = await school(server)
  const page = await openPortal(server, { isSuperUser: true })
  await verb(page, id('20260002'), 'freeze', { cause: 'security' })
  const [{ from } = {}] = await frozen(page)
  expect(Math.abs(Date.parse(from ?? '') - server.platform.now().getTime())).toBeLessThan(60_000)
  server.advance(-3600)
  const body = { username: '20260002', password: PASSWORD }
  expect((await postLogin(createBrowser(server), body)).status).toBe(403)
  expect(await frozen(page)).toMatchObject([{ account: '20260002', phase: 'begun', from }])
  const { states, plannedFreeze } = (await details(page, id('20260002'))).data
  expect([states, plannedFreeze]).toMatchObject([[{ state: 'frozen', since: from }], null])
  server.advance(3600)
  await verb(page, id('20260002'), 'thaw')
  expect((await postLogin(createBrowser(server), body)).status).toBe(200)
})

test('the details of a person name a planned freeze, which can be extended and lifted', async () => {
  const server = await testServer()
  const { id } = await school(server)
  const page = await openPortal(server, { isSuperUser: true })
  const planned = async () => (await details(page, id('20260002'))).data.plannedFreeze
  const [from, until] = [later(server, 300), later(server, 600)]
  await verb(page, id('20260002'), 'freeze', { from, reason: 'Year abroad', note: 'Form 12' })
  expect(await planned()).toEqual({ from, until: null, reason: 'Year abroad', note: 'Form 12' })
  const body = { selection: { ids: [id('20260002')] }, verb: 'extend', until }
  expect((await page.call<BatchAnswer>(`${PEOPLE}/batch_change/`, { body })).data.changed).toBe(1)
  expect(await planned()).toMatchObject({ from, until })
  await verb(page, id('20260002'), 'thaw')
  expect(await planned()).toBeNull()
})

test('a planned freeze leaves the sessions until it begins, then ends them and rejects them at once', async () => {
  const server = await testServer()
  await school(server)
  const page = await openPortal(server, { isSuperUser: true })
  const person = await openPortal(server, { account: 'leaving' })
  const { userId } = person.user
  await verb(page, userId, 'freeze', { from: later(server, 60) })
  const ask = () => person.call(`${PEOPLE}/${userId}/details/`)
  expect((await ask()).status).toBe(200)
  server.advance(60)
  expect((await ask()).status).toBe(401)
  await endSessionsOfBlockedUsers(server.platform)
  expect(await openSessions(server, userId)).toBe(0)
})

test('the sessions of somebody end when a planned freeze begins, not only at the next run of the job', async () => {
  const server = await testServer()
  await school(server)
  const page = await openPortal(server, { isSuperUser: true })
  const plan = async (account: string, seconds: number) => {
    const { userId } = (await openPortal(server, { account })).user
    await verb(page, userId, 'freeze', { from: later(server, seconds) })
    return userId
  }
  const soon = await plan('soon', 1)
  await expect.poll(() => openSessions(server, soon), { timeout: 20_000 }).toBe(0)
  const next = await plan('next', 600)
  server.advance(598)
  expect(await openSessions(server, next)).toBe(1)
  await endSessionsOfBlockedUsers(server.platform)
  await expect.poll(() => openSessions(server, next), { timeout: 20_000 }).toBe(0)
})

test('a freeze that has begun before it is committed ends the sessions with its commit', async () => {
  const server = await testServer()
  await school(server)
  const page = await openPortal(server, { isSuperUser: true })
  const { userId } = (await openPortal(server, { account: 'leaving' })).user
  const records = await hold(
    server.platform.sql,
    (sql) => sql`lock table audit_records in share mode`,
    '%audit_records%',
  )
  const frozen = verb(page, userId, 'freeze', { from: later(server, 100) })
  await records.reached()
  server.advance(101)
  await records.release()
  expect((await frozen).status).toBe(200)
  await expect.poll(() => openSessions(server, userId), { timeout: 20_000 }).toBe(0)
})

test('changing the end of a freeze keeps its start and cause, ends no session, and fails without a freeze', async () => {
  const server = await testServer()
  const { id } = await school(server)
  const page = await openPortal(server, { isSuperUser: true })
  const person = await openPortal(server, { account: 'leaving' })
  const { userId } = person.user
  await verb(page, userId, 'freeze', { cause: 'graduated', from: later(server, 60), until: later(server, 120) })
  const [before] = await frozen(page)
  const until = later(server, 600)
  const extend = async (ids: string[], end?: string) => {
    const body = { selection: { ids }, verb: 'extend', ...(end && { until: end }) }
    return (await page.call<BatchAnswer>(`${PEOPLE}/batch_change/`, { body })).data
  }
  const answer = await extend([userId, id('20260001')], until)
  expect(answer).toMatchObject({ changed: 1, refused: [{ account: '20260001', code: 'user.not-frozen' }] })
  expect(await frozen(page)).toEqual([{ ...before, until }])
  expect(await openSessions(server, userId)).toBe(1)
  expect((await extend([userId], later(server, 30))).refused).toMatchObject([{ code: 'user.dates' }])
  expect(await extend([userId])).toMatchObject({ changed: 1 })
  expect((await frozen(page))[0]?.until).toBeNull()
})

test('each line of a pasted list gets its result, and only people in scope are frozen', async () => {
  const server = await testServer()
  const { id, organizationId } = await school(server)
  const dean = await openPortal(server, { account: 'dean', permissions: ['edit'], administers: organizationId('cs') })
  const body = { accounts: ['20260001', '404', '20260003', '20260001', '20260002'], cause: 'graduated' }
  const freeze = async (dryRun: boolean) =>
    (await dean.call<FreezeListAnswer>(`${PEOPLE}/freeze_list/`, { body: { ...body, dryRun } })).data
  const statuses = ['changed', 'unknown', 'unknown', 'repeated', 'changed']
  for (const dryRun of [true, false]) {
    const { rows, changed, taskId } = await freeze(dryRun)
    expect([rows.map(({ status }) => status), changed, taskId]).toEqual([statuses, 2, null])
    expect(rows[2]).toMatchObject({ row: 3, account: '20260003', name: null })
    expect(await accounts(dean)).toEqual(dryRun ? [] : ['20260001', '20260002'])
  }
  const again = await freeze(false)
  expect(again.rows.map(({ status }) => status)).toEqual(['unchanged', 'unknown', 'unknown', 'repeated', 'unchanged'])
  const root = await openPortal(server, { isSuperUser: true, account: 'root' })
  await verb(root, id('20260003'), 'freeze')
  const small = { ...body, accounts: ['t-100', 'root', '２０２６０００３'] }
  const { rows } = (await root.call<FreezeListAnswer>(`${PEOPLE}/freeze_list/`, { body: small })).data
  expect(rows.map(({ account, status, replaces }) => [account, status, replaces])).toEqual([
    ['T-100', 'changed', false],
    ['root', 'refused', false],
    ['20260003', 'changed', true],
  ])
})
