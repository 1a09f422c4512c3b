import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { type LogInsight, type StoredInsightSettings, searchInsights } from '#shared/contract/log-insights.ts'
import { messagesTo } from '../../testing/messages.ts'
import { addCasApplication, addPerson } from '../../testing/people.ts'
import { insertPerson, openPortal, type Portal } from '../../testing/portal.ts'
import { insertLoginRecord } from '../../testing/records.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { attempt, BEHIND_PROXY } from '../../testing/sign-in.ts'
import { deleteOldInsights, lookForInsights } from './index.ts'

type Found = { records: LogInsight[]; next: string | null; lookedUntil: string | null }

const openRoot = (server: TestServer) => openPortal(server, { account: 'root', isSuperUser: true })
const insights = async (page: Portal, query: Record<string, string> = {}) => {
  const { data } = await page.call<Found>(`/log_insight/query/?${new URLSearchParams(query)}`)
  return searchInsights.output.parse(data)
}
const change = async (page: Portal, changes: object) => {
  const { version } = (await page.call<StoredInsightSettings>('/log_insight_settings/details/')).data
  return await page.call<StoredInsightSettings>('/log_insight_settings/update/', { body: { version, changes } })
}
/** Lets a record grow old enough to be examined, then runs the job. */
async function look(server: TestServer, seconds = 60) {
  server.advance(seconds)
  await lookForInsights(server.platform)
}
const ago = ({ platform }: TestServer, minutes: number) => new Date(platform.now().getTime() - minutes * 60_000)
const inRange = async ({ platform }: TestServer, id: string, range: string | null) => {
  await platform.sql`update login_records set ip_range = ${range} where id = ${id}`
}

test('an address that tries many names is reported once, with their number; below the threshold it is not', async () => {
  const server = await testServer()
  const root = await openRoot(server)
  await change(root, { sprayNames: 3 })
  for (const account of ['one', 'two', 'three']) await addPerson(server, { account })
  await attempt(server, 'one', 'wrong')
  await attempt(server, 'two', 'wrong')
  await attempt(server, 'two', 'wrong')
  await look(server)
  expect(await insights(root)).toMatchObject({ records: [], next: null, lookedUntil: expect.any(String) })
  await attempt(server, 'three', 'wrong')
  await look(server)
  await look(server)
  const { records } = await insights(root)
  expect(records).toMatchObject([{ kind: 'spraying', address: '127.0.0.1', count: 3, minutes: 15, dismissedAt: null }])
})

test('unknown names that an address tries are told apart, though their records mask them', async () => {
  const server = await testServer()
  const root = await openRoot(server)
  await change(root, { sprayNames: 4 })
  for (const name of ['2025010001', '2025010002', '2025010003', '2025010003']) await attempt(server, name, 'wrong')
  await look(server)
  expect((await insights(root)).records).toEqual([])
  await attempt(server, '2025010004', 'wrong')
  await look(server)
  expect((await insights(root)).records).toMatchObject([{ kind: 'spraying', count: 4 }])
  const rows = await server.platform.sql`select distinct account from login_records where not succeeded`
  expect(rows).toEqual([{ account: '2***' }])
})

test('a record of an unknown name can not be compared with what is typed elsewhere or on another day', async () => {
  const server = await testServer(BEHIND_PROXY)
  const macs = async () => {
    const rows = await server.platform.sql<{ mac: number }[]>`
      select account_mac as mac from login_records where not succeeded order by at, id`
    return rows.map(({ mac }) => mac)
  }
  await attempt(server, 'a-password', 'wrong', { from: '192.0.2.1' })
  await attempt(server, 'a-password', 'wrong', { from: '192.0.2.2' })
  server.advance(86_400)
  await attempt(server, 'a-password', 'wrong', { from: '192.0.2.1' })
  expect(new Set(await macs()).size).toBe(3)
  const person = await addPerson(server, { account: 'somebody' })
  await attempt(server, 'somebody', 'wrong')
  const [known] = await server.platform.sql`select account_mac as mac from login_records where user_id = ${person}`
  expect(known).toEqual({ mac: null })
})

test('a person with too many failures is reported, and a changed threshold applies from the next run on', async () => {
  const server = await testServer()
  const root = await openRoot(server)
  await change(root, { failedLogins: 4 })
  const person = await insertPerson(server, { account: 'lilei' })
  const fail = () => insertLoginRecord(server, person, { succeeded: false, reason: 'password.wrong' })
  for (let n = 0; n < 3; n++) await fail()
  await look(server)
  expect((await insights(root)).records).toEqual([])
  await change(root, { failedLogins: 3 })
  await fail()
  await look(server)
  const [one] = (await insights(root)).records
  expect(one).toMatchObject({ kind: 'failing-account', userId: person, personAccount: 'lilei', count: 4, hours: 24 })
  await change(root, { insightKinds: ['refusals'] })
  const other = await insertPerson(server)
  for (let n = 0; n < 5; n++) await insertLoginRecord(server, other, { succeeded: false })
  await look(server)
  expect((await insights(root)).records).toHaveLength(1)
})

test('a first login from a range or with a kind of device is reported for people with earlier logins', async () => {
  const server = await testServer()
  const root = await openRoot(server)
  const [known, fresh] = [await insertPerson(server, { account: 'known' }), await insertPerson(server)]
  for (let days = 1; days <= 6; days++) {
    const at = ago(server, days * 1440)
    await inRange(server, await insertLoginRecord(server, known, { at }), 'Library')
  }
  for (const person of [known, fresh]) {
    await inRange(server, await insertLoginRecord(server, person, { clientType: 'mobile' }), 'Dormitory')
  }
  await look(server)
  const { records } = await insights(root)
  expect(records).toHaveLength(2)
  expect(records).toContainEqual(
    expect.objectContaining({ kind: 'new-range', userId: known, range: 'Dormitory', count: 6 }),
  )
  expect(records).toContainEqual(
    expect.objectContaining({ kind: 'new-device', userId: known, clientType: 'mobile', count: 6 }),
  )
  await inRange(server, await insertLoginRecord(server, known, { clientType: 'mobile' }), 'Dormitory')
  await look(server)
  expect((await insights(root)).records).toHaveLength(2)
})

test('two ranges too soon after one another are reported, but not with enough time or from a trusted range', async () => {
  const server = await testServer()
  const root = await openRoot(server)
  await server.platform.sql`
    insert into ip_ranges (id, name, kind, networks, updated_at) values (${v7()}, 'VPN', 'trusted', '{10.9.0.0/16}', now())`
  const [quick, slow, tunnelled] = [await insertPerson(server), await insertPerson(server), await insertPerson(server)]
  for (const [person, range, minutes] of [
    [quick, 'North campus', 12],
    [quick, 'South campus', 8],
    [slow, 'North campus', 40],
    [slow, 'South campus', 8],
    [tunnelled, 'North campus', 9],
    [tunnelled, 'VPN', 8],
  ] as const) {
    await inRange(server, await insertLoginRecord(server, person, { at: ago(server, minutes) }), range)
  }
  await look(server)
  const { records } = await insights(root, { kind: 'range-hop' })
  expect(records).toMatchObject([
    { userId: quick, formerRange: 'North campus', range: 'South campus', minutes: 4, count: 2 },
  ])
})

test('an application that refuses many visits is reported by its name', async () => {
  const server = await testServer()
  const root = await openRoot(server)
  await change(root, { refusedVisits: 3 })
  const id = await addCasApplication(server, { appId: 'library', name: 'Library' })
  const person = await insertPerson(server)
  const visit = (refusal: string | null) => server.platform.sql`
    insert into visit_records (id, at, user_id, application_id, entry, ip, client_type, on_campus, refusal)
    values (${v7()}, ${server.platform.now()}, ${person}, ${id}, 'sign-on', '192.0.2.7', 'pc', true, ${refusal})`
  for (const refusal of ['application.not-granted', null, 'application.not-granted', null]) await visit(refusal)
  await look(server)
  expect((await insights(root)).records).toEqual([])
  await visit('application.not-granted')
  await look(server)
  expect((await insights(root)).records).toMatchObject([
    { kind: 'refusals', applicationId: id, application: 'Library', count: 3, minutes: 60 },
  ])
})

test('undelivered codes are reported by their channel; those delivered by another channel are not', async () => {
  const server = await testServer()
  const root = await openRoot(server)
  await change(root, { lostCodes: 2 })
  const message = async (state: string, { template = 'code.login', route = null as string | null } = {}) => {
    const [id, at] = [v7(), server.platform.now()]
    await server.platform.sql`
      insert into messages (id, channel, template, language, masked_to, target_hash, state, next_attempt_at, expires_at, route_id,
        created_at, finished_at)
      values (${id}, 'sms', ${template}, 'en', '', '\\x00', ${state}, ${at}, ${at}, ${route}, ${at}, ${at})`
    return id
  }
  await message('failed')
  await message('failed', { template: 'notice.new-device' })
  await message('sent', { route: await message('expired') })
  await look(server)
  expect((await insights(root)).records).toEqual([])
  await message('expired')
  await look(server)
  expect((await insights(root)).records).toMatchObject([{ kind: 'lost-codes', channel: 'sms', count: 2, minutes: 60 }])
})

test('every insight is found once across pages, can be dismissed and restored, and expires', async () => {
  const server = await testServer()
  const root = await openRoot(server)
  await change(root, { failedLogins: 2, keepInsightDays: 7 })
  for (let n = 0; n < 7; n++) {
    const person = await insertPerson(server)
    for (let times = 0; times < 2; times++) await insertLoginRecord(server, person, { succeeded: false })
  }
  await look(server)
  const seen: string[] = []
  let after: string | null = ''
  while (after !== null) {
    const found: Found = await insights(root, { pageSize: '3', ...(after && { after }) })
    seen.push(...found.records.map(({ id }) => id))
    after = found.next
  }
  expect(new Set(seen).size).toBe(7)
  expect(seen).toHaveLength(7)
  const [first] = seen
  expect((await root.call(`/log_insight/${first}/dismiss/`, { body: {} })).status).toBe(200)
  expect((await insights(root, { state: 'open' })).records).toHaveLength(6)
  expect((await insights(root, { state: 'dismissed' })).records).toMatchObject([
    { id: first, dismissedBy: 'Name of root' },
  ])
  await root.call(`/log_insight/${first}/reopen/`, { body: {} })
  expect((await insights(root, { state: 'open' })).records).toHaveLength(7)
  const gone = await root.call(`/log_insight/${v7()}/dismiss/`, { body: {} })
  expect(gone).toMatchObject({ status: 404, envelope: { code: 'log-insight.not-found' } })
  expect((await insights(root, { to: ago(server, 60).toISOString() })).records).toEqual([])
  server.advance(8 * 86_400)
  await deleteOldInsights(server.platform)
  expect(await server.platform.sql`select 1 from log_insights`).toHaveLength(0)
})

test('super users are notified by mail, about the same thing once an hour, and again only if it continues', async () => {
  const server = await testServer({ env: { DEMO: '1' } })
  const mailbox = 'root@school.test'
  const userId = await addPerson(server, { account: 'root', isSuperUser: true, mailbox })
  const root = await openPortal(server, { userId })
  await change(root, { failedLogins: 2 })
  const person = await addPerson(server, { account: 'lilei', name: 'Li Lei' })
  const fail = () => insertLoginRecord(server, person, { succeeded: false })
  await fail()
  await fail()
  await look(server)
  const [mail] = await messagesTo(server, mailbox)
  expect(mail?.text).toContain('Li Lei')
  expect(mail?.text).toContain(`${server.url}/auth_web/manage/log-insights`)
  for (let minutes = 0; minutes < 50; minutes += 10) {
    await fail()
    await look(server, 600)
  }
  // Another node, as after a restart, knows what was reported and how far was examined.
  const other = await server.secondNode()
  await lookForInsights(other.platform)
  expect(await server.platform.sql`select 1 from messages where template = 'notice.log-insight'`).toHaveLength(1)
  await look(server, 900)
  await messagesTo(server, mailbox, 2)
  await look(server, 3600)
  await fail()
  await look(server)
  await messagesTo(server, mailbox, 3)
  const again = await openPortal(server, { userId })
  expect((await insights(again)).records).toHaveLength(1)
  await change(again, { insightMessages: [] })
  await fail()
  await look(server, 3700)
  expect(await server.platform.sql`select 1 from messages where template = 'notice.log-insight'`).toHaveLength(3)
})
