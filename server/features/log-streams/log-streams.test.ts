import { v7 } from 'uuid'
import { beforeEach, expect, test } from 'vitest'
import type { Change } from '#shared/contract/change-history.ts'
import type { LogStream } from '#shared/contract/log-streams.ts'
import { createAuthority } from '../../testing/authority.ts'
import { openBatchSink, openSyslogSink, sendUntil } from '../../testing/log-sinks.ts'
import { insertPerson, openPortal, type Portal } from '../../testing/portal.ts'
import { until } from '../../testing/process.ts'
import { insertLoginRecord } from '../../testing/records.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { startLogStreams } from './index.ts'

const SECRET = 'a secret of the collector'
let server: TestServer
let root: Portal
let person: string
beforeEach(async () => {
  server = await testServer()
  root = await openPortal(server, { isSuperUser: true, account: 'root' })
  person = await insertPerson(server, { account: 'lilei' })
})

const create = (fields: object) =>
  root.call<LogStream>('/log_stream/create/', { body: { name: 'Collector', logs: ['login'], ...fields } })
const bySyslog = (port: number, more: object = {}) => ({ kind: 'syslog', host: '127.0.0.1', port, tls: 'off', ...more })
const byHttps = (url: string, more: object = {}) => ({ kind: 'https', url, secret: SECRET, ...more })
const look = async (id: string) => (await root.call<LogStream>(`/log_stream/${id}/details/`)).data
/** Makes records old enough to be sent. */
const settle = () => server.advance(15)
/** Sends everything that is due, once. */
async function sendOnce(): Promise<void> {
  const streams = await startLogStreams(server.platform)
  await streams.stop()
}
async function logIns(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push(await insertLoginRecord(server, person, { account: 'lilei' }))
  return ids
}

test('logins, visits and changes are sent as syslog with structured data, each once, whatever they contain', async () => {
  const sink = await openSyslogSink()
  const { data: stream } = await create(bySyslog(sink.port, { logs: ['login', 'visit', 'audit'], facility: 10 }))
  const hostile = 'a"b]c\\d\n<14>1 forged 王\u2028<14>1 again'
  const id = await insertLoginRecord(server, person, { account: hostile, succeeded: false, reason: 'password.wrong' })
  await server.platform.sql`
    insert into visit_records (id, at, user_id, application_id, entry, ip, client_type, on_campus, refusal)
    values (${v7()}, ${server.platform.now()}, ${person}, ${v7()}, 'sign-on', '192.0.2.7', 'pc', true, null)`
  settle()
  await sendUntil(server, () => sink.arrived.length >= 3)
  const login = sink.arrived.find((message) => message.includes(' login [')) ?? ''
  expect(login).toMatch(/^<84>1 \d{4}-\d\d-\d\dT[\d:.]+Z 127\.0\.0\.1 gatehouse - login \[gatehouse@32473 /)
  expect(login).toContain(`id="${id}"`)
  expect(login).toContain(' account="a\\"b\\]c\\\\d <14>1 forged 王 <14>1 again"')
  expect(login).toContain(' reason="password.wrong"')
  expect(login).toMatch(/\] \ufefflogin failed /)
  expect(login).not.toMatch(/[\n\u2028]/)
  expect(sink.arrived.find((message) => message.includes(' visit ['))).toMatch(
    /^<86>1 .* account="lilei" .*result="granted"/,
  )
  const audit = sink.arrived.find((message) => message.includes(' audit [')) ?? ''
  expect(audit).toMatch(/^<85>1 .* action="log-stream.create" account="root"/)
  expect(audit).not.toContain(SECRET)
  const after = await look(stream.id)
  expect(after).toMatchObject({ state: 'current', failures: 0, problem: null, sentAt: expect.any(String) })
  expect(after.cursors.map(({ log, waiting }) => [log, waiting])).toEqual([
    ['login', 0],
    ['visit', 0],
    ['audit', 0],
  ])
  const [seen] = [sink.arrived.length]
  const [last] = await logIns(1)
  settle()
  await sendUntil(server, () => sink.arrived.length > seen)
  expect(sink.arrived.slice(seen)).toEqual([expect.stringContaining(`id="${last}"`)])
})

test('syslog is encrypted to a receiver whose certificate is valid, and sent to no other', async () => {
  const authority = createAuthority()
  const sink = await openSyslogSink(authority.issue())
  const { data: stream } = await create(bySyslog(sink.port, { tls: 'verify' }))
  await logIns(1)
  settle()
  await sendUntil(server, async () => (await look(stream.id)).failures > 0)
  const failing = await look(stream.id)
  expect(failing).toMatchObject({ state: 'failing', problem: 'certificate', nextAttemptAt: expect.any(String) })
  expect(failing.cursors[0]).toMatchObject({ waiting: 1, sent: 0 })
  expect(sink.arrived).toEqual([])
  const fields = {
    ...bySyslog(sink.port, { tls: 'verify', ca: authority.certificate }),
    name: 'Collector',
    logs: ['login'],
  }
  await root.call(`/log_stream/${stream.id}/update/`, { body: { ...fields, version: stream.version } })
  await sendUntil(server, () => sink.arrived.length > 0)
  expect(await look(stream.id)).toMatchObject({ state: 'current', failures: 0 })
})

test.each(['closes', 'resets'] as const)(
  'what a receiver that %s has not read completely is sent again',
  async (mood) => {
    const sink = await openSyslogSink()
    sink.mood = mood
    const { data: stream } = await create(bySyslog(sink.port))
    const ids = await logIns(3)
    settle()
    await sendUntil(server, async () => (await look(stream.id)).failures > 0)
    expect(await look(stream.id)).toMatchObject({ problem: 'cut-off', cursors: [{ sent: 0, waiting: 3 }] })
    sink.mood = 'well'
    server.advance(60)
    await sendUntil(server, () => sink.arrived.length > 0)
    expect(sink.arrived.map((message) => /id="([^"]+)"/.exec(message)?.[1])).toEqual(ids)
  },
)

test('an unavailable endpoint misses nothing, is retried less and less often, and gets signed batches in order', async () => {
  const sink = await openBatchSink(SECRET)
  sink.status = 503
  const { data: stream } = await create(byHttps(sink.url))
  const ids = await logIns(3)
  settle()
  const waits: number[] = []
  for (let failures = 1; failures <= 5; failures++) {
    await sendUntil(server, async () => (await look(stream.id)).failures >= failures)
    const { problem, problemWords, problemAt, nextAttemptAt } = await look(stream.id)
    expect([problem, problemWords]).toEqual(['refused', 'HTTP 503'])
    const wait = Date.parse(nextAttemptAt ?? '') - Date.parse(problemAt ?? '')
    waits.push(wait)
    server.advance(wait / 1000)
  }
  for (const [at, wait] of waits.entries()) {
    expect(wait).toBeGreaterThanOrEqual(2500 * 2 ** at)
    expect(wait).toBeLessThanOrEqual(5000 * 2 ** at)
  }
  sink.status = 200
  await sendUntil(server, () => sink.arrived.length > 0)
  const [batch] = sink.arrived
  expect(batch).toMatchObject({ isSigned: true, batch: sink.refused[0]?.batch, sender: '127.0.0.1' })
  expect(batch?.records.map(({ id }) => id)).toEqual(ids)
  expect(batch?.records[0]).toMatchObject({
    log: 'login',
    account: 'lilei',
    userId: person,
    succeeded: true,
    ip: '192.0.2.7',
  })
})

test('a redirect is no delivery', async () => {
  const sink = await openBatchSink(SECRET)
  sink.status = 302
  const { data: stream } = await create(byHttps(sink.url))
  await logIns(1)
  settle()
  await sendUntil(server, async () => (await look(stream.id)).failures > 0)
  expect(await look(stream.id)).toMatchObject({ problem: 'refused', problemWords: 'HTTP 302', cursors: [{ sent: 0 }] })
})

test('a record that is committed long after its time is still sent', async () => {
  const sink = await openBatchSink(SECRET)
  const { data: stream } = await create(byHttps(sink.url))
  const at = new Date(server.platform.now().getTime() - 9_000)
  const to = new Date(at.getTime() - 1000).toISOString()
  await root.call(`/log_stream/${stream.id}/move/`, { body: { to, reason: 'Earlier' } })
  await server.platform.sql.begin(async (tx) => {
    await tx`
      insert into login_records (id, at, user_id, account, auth_type, succeeded, ip, user_agent, browser, device, client_type,
        on_campus, request_id)
      values (${v7()}, ${at}, ${person}, 'late', 'user', true, '192.0.2.7', '', '', '', 'pc', false, '')`
    await insertLoginRecord(server, person, { account: 'early', at: new Date(at.getTime() + 1) })
    // Both are old enough on their own.
    await until(() => server.platform.now().getTime() - at.getTime() > 10_500, 10_000)
    await sendOnce()
    expect(sink.arrived).toEqual([])
  })
  await sendUntil(server, () => sink.arrived.length > 0)
  expect(sink.arrived.flatMap(({ records }) => records.map(({ account }) => account))).toEqual(['late', 'early'])
})

test('two nodes send more than a thousand records once, in order; what a killed node held continues after a minute', async () => {
  const sink = await openBatchSink(SECRET)
  const { data: stream } = await create(byHttps(sink.url))
  const other = await server.secondNode()
  await server.platform.sql`
    insert into login_records (id, at, account, auth_type, succeeded, ip, user_agent, browser, device, client_type, on_campus, request_id)
    select gen_random_uuid(), ${server.platform.now()}::timestamptz + n * interval '1 microsecond', n::text, 'user', true, '192.0.2.7',
      '', '', '', 'pc', false, '' from generate_series(1, 1201) n`
  settle()
  const accounts = () => sink.arrived.flatMap(({ records }) => records.map(({ account }) => Number(account)))
  const all = () => accounts().length >= 1201
  await Promise.all([sendUntil(server, all), sendUntil(other, all)])
  expect(accounts()).toEqual(Array.from({ length: 1201 }, (_, at) => at + 1))
  expect(sink.arrived.every(({ records }) => records.length <= 500)).toBe(true)
  expect((await look(stream.id)).cursors).toMatchObject([{ sent: 1201, waiting: 0 }])
  await server.platform.sql`
    update log_streams set sender = ${v7()}, sender_until = ${new Date(server.platform.now().getTime() + 60_000)}`
  await logIns(1)
  settle()
  await sendOnce()
  expect(accounts()).toHaveLength(1201)
  server.advance(50)
  await sendUntil(server, () => accounts().length > 1201)
})

test('a paused stream keeps new records for later; records are skipped only with a reason, and can be sent again', async () => {
  const sink = await openBatchSink(SECRET)
  const fields = { ...byHttps(sink.url), name: 'Collector', logs: ['login'] }
  const { data: stream } = await create(fields)
  const beginning = server.platform.now().toISOString()
  const pause = { ...fields, secret: stream.secret, version: 1, enabled: false }
  expect((await root.call<LogStream>(`/log_stream/${stream.id}/update/`, { body: pause })).data.state).toBe('paused')
  await logIns(2)
  settle()
  await sendOnce()
  expect(sink.arrived).toEqual([])
  expect((await look(stream.id)).cursors).toMatchObject([{ waiting: 2, isMore: false }])
  const move = (body: object) => root.call<LogStream>(`/log_stream/${stream.id}/move/`, { body })
  const now = server.platform.now()
  expect((await move({ to: now.toISOString() })).status).toBe(400)
  const ahead = new Date(now.getTime() + 60_000).toISOString()
  expect((await move({ to: ahead, reason: 'x' })).envelope.code).toBe('log-stream.in-future')
  const skipped = await move({ to: now.toISOString(), reason: 'Sent by hand' })
  expect(skipped.data.cursors).toMatchObject([{ waiting: 0 }])
  const [line] = await server.platform.sql`select reason, after from audit_records where action = 'log-stream.move'`
  expect(line).toMatchObject({ reason: 'Sent by hand', after: { login: now.toISOString() } })
  await move({ to: beginning, reason: 'They lost them' })
  await root.call(`/log_stream/${stream.id}/update/`, { body: { ...pause, version: 2, enabled: true } })
  await sendUntil(server, () => sink.arrived.length > 0)
  expect(sink.arrived[0]?.records).toHaveLength(2)
})

test('a secret is never shown, is used for no other address than the one it was entered for, and can not be short', async () => {
  const sink = await openBatchSink(SECRET)
  const fields = { ...byHttps(sink.url), name: 'Collector', logs: ['login'] }
  expect((await create({ ...fields, secret: 'short' })).envelope.code).toBe('log-stream.weak-secret')
  expect((await create({ ...fields, url: 'http://collector.example.edu/' })).status).toBe(400)
  expect((await create({ kind: 'syslog' })).envelope.code).toBe('log-stream.incomplete')
  expect((await create(bySyslog(1, { ca: 'none' }))).envelope.code).toBe('log-stream.bad-ca')
  const { data: stream } = await create(fields)
  expect((await create(fields)).envelope.code).toBe('log-stream.name-taken')
  const moved = { ...fields, secret: stream.secret, url: 'https://elsewhere.example.edu/', version: 1 }
  const refused = await root.call(`/log_stream/${stream.id}/update/`, { body: moved })
  expect([refused.status, refused.envelope.code]).toEqual([422, 'settings.secret-needed'])
  const kept = { ...fields, secret: stream.secret, note: 'Other', version: 1 }
  await root.call(`/log_stream/${stream.id}/update/`, { body: kept })
  expect((await root.call(`/log_stream/${stream.id}/test/`, { body: {} })).data).toEqual({ problem: null, words: null })
  expect(sink.arrived).toMatchObject([{ isSigned: true, records: [{ log: 'test', stream: 'Collector' }] }])
  const history = await root.call<{ records: Change[] }>(
    `/change_history/query/?targetKind=log-stream&targetId=${stream.id}`,
  )
  expect(history.data.records.length).toBeGreaterThan(1)
  expect(JSON.stringify([stream, history.data])).not.toContain(SECRET)
  const person = await openPortal(server, { permissions: ['edit'] })
  expect((await person.call('/log_stream/query/')).status).toBe(403)
})

test('a test says what is wrong at the other side, and does not advance the stream', async () => {
  const sink = await openBatchSink(SECRET)
  sink.status = 401
  const { data: stream } = await create(byHttps(sink.url))
  const tried = await root.call(`/log_stream/${stream.id}/test/`, { body: {} })
  expect(tried.data).toEqual({ problem: 'refused', words: 'HTTP 401' })
  expect(await look(stream.id)).toMatchObject({ failures: 0, cursors: [{ sent: 0 }] })
})
