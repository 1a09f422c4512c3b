import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import type { InsightKind, LogInsight } from '#shared/contract/log-insights.ts'
import { addCasApplication } from '../../testing/people.ts'
import { insertPerson, openPortal } from '../../testing/portal.ts'
import { insertLoginRecord } from '../../testing/records.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { lookForInsights } from './index.ts'

const LOW = { sprayNames: 3, failedLogins: 3, newAfterLogins: 2, refusedVisits: 3, lostCodes: 2 }

async function open(kinds: InsightKind[]) {
  const server = await testServer()
  const root = await openPortal(server, { account: 'root', isSuperUser: true })
  const changes = { ...LOW, insightKinds: kinds }
  await root.call('/log_insight_settings/update/', { body: { version: 0, changes } })
  const look = async (seconds = 60) => {
    server.advance(seconds)
    await lookForInsights(server.platform)
  }
  const insights = async () => (await root.call<{ records: LogInsight[] }>('/log_insight/query/')).data.records
  /** How many records the list has that an insight opens. */
  const count = async ({ from = '', to = '' }: LogInsight, path: string, filters: Record<string, string>) => {
    const query = new URLSearchParams({ ...filters, from, to, pageSize: '100' })
    return (await root.call<{ records: unknown[] }>(`${path}?${query}`)).data.records.length
  }
  return { server, root, look, insights, count }
}

const ago = ({ platform }: TestServer, seconds: number) => new Date(platform.now().getTime() - seconds * 1000)

test('an address that tries names opens all its failed attempts, those of the same name too, and nothing later', async () => {
  const { server, look, insights, count } = await open(['spraying'])
  const attempt = (account: string, seconds: number, more: object = {}) =>
    insertLoginRecord(server, null, { account, at: ago(server, seconds), ip: '192.0.2.9', succeeded: false, ...more })
  await attempt('long-before', 1200)
  for (const name of ['a', 'b', 'b', 'c']) await attempt(name, 10)
  await attempt('d', 5, { ip: '192.0.2.10' })
  await insertLoginRecord(server, await insertPerson(server), { at: ago(server, 8), ip: '192.0.2.9' })
  await look()
  const [one, ...others] = await insights()
  expect(others).toEqual([])
  if (!one) throw new Error('nothing found')
  expect(one).toMatchObject({ count: 3, records: 4 })
  expect(await count(one, '/login_log/query/', { ip: '192.0.2.9', result: '0' })).toBe(4)
  // It continues with fewer names: the number stays that of the busiest window, and so does its list.
  await look(900)
  for (const name of ['a', 'b', 'c', 'c']) await attempt(name, 0)
  await look()
  const [same] = await insights()
  if (!same) throw new Error('nothing found')
  expect(same.lastAt > one.lastAt).toBe(true)
  expect(await count(same, '/login_log/query/', { ip: '192.0.2.9', result: '0' })).toBe(same.records)
})

test('a person with failed logins opens exactly these, also when more follow', async () => {
  const { server, look, insights, count } = await open(['failing-account'])
  const person = await insertPerson(server, { account: 'lilei' })
  const fail = (seconds = 0) => insertLoginRecord(server, person, { at: ago(server, seconds), succeeded: false })
  for (const seconds of [30 * 3600, 120, 60, 1]) await fail(seconds)
  await insertLoginRecord(server, person, { at: ago(server, 30) })
  for (const total of [3, 5]) {
    await look()
    const [one] = await insights()
    if (!one) throw new Error('nothing found')
    expect(one).toMatchObject({ count: total, records: total })
    expect(await count(one, '/login_log/query/', { userId: person, result: '0' })).toBe(total)
    await fail()
    await fail()
  }
})

test('a first login and a hop open the logins before and the one that was new', async () => {
  const { server, look, insights, count } = await open(['new-range', 'new-device', 'range-hop'])
  const person = await insertPerson(server, { account: 'lilei' })
  const logIn = async (seconds: number, range: string | null, clientType: string) => {
    const id = await insertLoginRecord(server, person, { at: ago(server, seconds), clientType })
    await server.platform.sql`update login_records set ip_range = ${range} where id = ${id}`
  }
  await logIn(200 * 86_400, 'Old campus', 'pc')
  for (const days of [3, 2, 1]) await logIn(days * 86_400, 'North', 'pc')
  await insertLoginRecord(server, person, { at: ago(server, 86_400), succeeded: false })
  await logIn(240, null, 'pc')
  await logIn(200, 'North', 'pc')
  await logIn(100, null, 'pc')
  await logIn(0, 'South', 'mobile')
  await look()
  const found = Object.fromEntries((await insights()).map((one) => [one.kind, one]))
  expect(found).toMatchObject({
    'new-range': { range: 'South', count: 6, records: 7 },
    'new-device': { clientType: 'mobile', count: 6, records: 7 },
    'range-hop': { formerRange: 'North', range: 'South', minutes: 3, records: 3 },
  })
  for (const one of Object.values(found)) {
    expect(await count(one, '/login_log/query/', { userId: person, result: '1' })).toBe(one.records)
  }
})

test('an application that refuses opens these visits; undelivered codes are listed with their reason', async () => {
  const { server, root, look, insights, count } = await open(['refusals', 'lost-codes'])
  const id = await addCasApplication(server, { appId: 'library', name: 'Library' })
  const person = await insertPerson(server, { account: 'lilei' })
  const { sql } = server.platform
  const visit = (seconds: number, refusal: string | null) => sql`
    insert into visit_records (id, at, user_id, application_id, entry, ip, client_type, on_campus, refusal)
    values (${v7()}, ${ago(server, seconds)}, ${person}, ${id}, 'sign-on', '192.0.2.7', 'pc', true, ${refusal})`
  for (const seconds of [7200, 50, 40, 0]) await visit(seconds, 'application.not-granted')
  await visit(20, null)
  const message = async (seconds: number, state: string, more: object = {}) => {
    const { template = 'code.login', route = null, channel = 'sms' } = more as Record<string, string>
    const [messageId, at] = [v7(), ago(server, seconds)]
    await sql`
      insert into messages (id, user_id, channel, template, language, masked_to, target_hash, state, reason, next_attempt_at, expires_at,
        route_id, created_at, finished_at)
      values (${messageId}, ${person}, ${channel}, ${template}, 'en', '138****0001', '\\x00', ${state}, 'recipient', ${at}, ${at},
        ${route}, ${at}, ${at})`
    return messageId
  }
  await message(7200, 'failed')
  await message(30, 'failed')
  await message(20, 'expired')
  await message(10, 'failed', { template: 'notice.new-device' })
  await message(10, 'failed', { channel: 'mail' })
  await message(5, 'sent', { route: await message(5, 'failed') })
  await look()
  const found = Object.fromEntries((await insights()).map((one) => [one.kind, one]))
  const { refusals, 'lost-codes': lost } = found
  if (!refusals || !lost) throw new Error('nothing found')
  expect(refusals).toMatchObject({ count: 3, records: 3 })
  expect(await count(refusals, '/app_visit_log/query/', { applicationId: id, result: '0' })).toBe(3)
  expect(lost).toMatchObject({ channel: 'sms', count: 2, records: 2 })
  const search = { state: 'undelivered-code', from: lost.from ?? '', to: lost.to ?? '' }
  const query = new URLSearchParams({ ...search, channel: 'sms' })
  const { data } = await root.call<{ records: object[] }>(`/message_log/query/?${query}`)
  expect(data.records).toMatchObject([
    { state: 'expired', template: 'code.login', to: '138****0001', person: 'Name of lilei' },
    { state: 'failed', reason: 'recipient', channel: 'sms', personAccount: 'lilei' },
  ])
  const all = await root.call<{ records: object[] }>('/message_log/query/?state=undelivered-code')
  expect(all.data.records).toHaveLength(4)
})

test('two nodes that notify at the same time send one message', async () => {
  const server = await testServer({ env: { DEMO: '1' } })
  const root = await openPortal(server, { account: 'root', isSuperUser: true })
  await server.platform.sql`update users set mailbox = 'root@school.test' where account = 'root'`
  await root.call('/log_insight_settings/update/', { body: { version: 0, changes: LOW } })
  const other = await server.secondNode()
  const person = await insertPerson(server, { account: 'lilei' })
  for (let hour = 1; hour <= 3; hour++) {
    for (let n = 0; n < 3; n++) await insertLoginRecord(server, person, { succeeded: false })
    server.advance(60)
    await Promise.all([server, other, server, other].map(({ platform }) => lookForInsights(platform)))
    const sent = await server.platform.sql`select 1 from messages where template = 'notice.log-insight'`
    expect(sent).toHaveLength(hour)
    server.advance(3600)
  }
})
