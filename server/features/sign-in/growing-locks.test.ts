import { expect, test } from 'vitest'
import { createBrowser } from '../../testing/browser.ts'
import { addPerson, PASSWORD } from '../../testing/people.ts'
import { openPortal } from '../../testing/portal.ts'
import { PEOPLE, school, verb } from '../../testing/school.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { attempt, setPolicy } from '../../testing/sign-in.ts'
import { purgeAttempts } from '../attempts/index.ts'

const MINUTE = 60
const DAY = 86_400

/** A server whose lock-outs double from ten minutes to an hour. */
async function growingServer(): Promise<TestServer> {
  const server = await testServer()
  const quiet = { captchaAfterFailures: 1000, addressFailures: 100_000 }
  await setPolicy(server, { ...quiet, lockAfterFailures: 2, lockMinutes: 10, lockMode: 'growing', lockMostMinutes: 60 })
  return server
}

async function lockOnce(server: TestServer, username: string) {
  await attempt(server, username, 'wrong')
  return await attempt(server, username, 'wrong')
}

/** The minutes that a further attempt is told to wait. */
const told = (message: string): number => Number(/(\d+) min\./.exec(message)?.[1])

/** Locks a name repeatedly; returns the minutes that each lock-out was announced to last, after checking that it does. */
async function lockLengths(server: TestServer, username: string, times: number): Promise<number[]> {
  const lengths: number[] = []
  for (let at = 0; at < times; at += 1) {
    const minutes = told((await lockOnce(server, username)).message)
    server.advance(minutes * MINUTE - 30)
    expect(told((await attempt(server, username)).message)).toBe(1)
    server.advance(31)
    lengths.push(minutes)
  }
  return lengths
}

test('each further lock-out lasts twice as long, up to the maximum, for unknown names too', async () => {
  const server = await growingServer()
  await addPerson(server, { account: 'lilei' })
  for (const name of ['lilei', 'nobody-at-all'])
    expect(await lockLengths(server, name, 5)).toEqual([10, 20, 40, 60, 60])
  expect(await attempt(server, 'lilei')).toMatchObject({ status: 200 })
})

test('a locked-out name is told the true end, whether anybody has the name or not', async () => {
  const server = await growingServer()
  await addPerson(server, { account: 'lilei' })
  const answers = new Set<string>()
  for (const name of ['lilei', 'nobody-at-all']) await lockOnce(server, name)
  server.advance(10 * MINUTE + 1)
  for (const name of ['lilei', 'nobody-at-all']) {
    await lockOnce(server, name)
    const { answer, message } = await attempt(server, name, 'wrong')
    expect(told(message)).toBe(20)
    answers.add(JSON.stringify([answer.status, answer.text.replace(/"requestId":"\w{20}"/, '')]))
  }
  expect(answers.size).toBe(1)
})

test('a login resets the length of lock-outs, also one from a known browser', async () => {
  const server = await growingServer()
  await addPerson(server, { account: 'lilei' })
  const browser = createBrowser(server)
  await attempt(server, 'lilei', PASSWORD, { browser })
  expect(await lockLengths(server, 'lilei', 2)).toEqual([10, 20])
  expect(await attempt(server, 'lilei')).toMatchObject({ status: 200 })
  expect(await lockLengths(server, 'lilei', 2)).toEqual([10, 20])
  expect(await attempt(server, 'lilei', PASSWORD, { browser })).toMatchObject({ status: 200 })
  expect(await lockLengths(server, 'lilei', 1)).toEqual([10])
})

test('an unlock resets them too, and the list and the record show the true end', async () => {
  const server = await growingServer()
  const { id } = await school(server)
  const page = await openPortal(server, { isSuperUser: true, account: 'root' })
  await lockLengths(server, '20260002', 1)
  await lockOnce(server, '20260002')
  const end = new Date(server.platform.now().getTime() + 20 * MINUTE * 1000)
  const { data } = await page.call<{ records: { until: string }[] }>(`${PEOPLE}/locked/query/`)
  const inSeconds = (time: string) => Math.round(Date.parse(time) / 60_000)
  expect(data.records.map(({ until }) => inSeconds(until))).toEqual([inSeconds(end.toISOString())])
  const lines = await server.platform.sql<{ until: string }[]>`
    select after->>'lockedUntil' as until from audit_records where action like 'account.lock-by-failures%' order by at`
  expect(lines.at(-1)?.until).toBe(data.records[0]?.until)
  expect(lines).toHaveLength(2)
  await verb(page, id('20260002'), 'unlock')
  expect(await lockLengths(server, '20260002', 1)).toEqual([10])
})

test('simultaneous guesses cause one lock-out, and do not lengthen the next', async () => {
  const server = await growingServer()
  await addPerson(server, { account: 'lilei' })
  const guesses = Array.from({ length: 12 }, () => attempt(server, 'lilei', 'wrong'))
  await Promise.all(guesses)
  const counters = await server.platform
    .sql`select locks, cardinality(recent) as failures from attempt_counters where kind = 'person'`
  expect(counters).toMatchObject([{ locks: 1, failures: 2 }])
  const records = await server.platform
    .sql`select count(*)::int as n from login_records where reason = 'password.wrong'`
  expect(records).toMatchObject([{ n: 2 }])
  server.advance(10 * MINUTE + 1)
  expect(await lockLengths(server, 'lilei', 1)).toEqual([20])
})

test('a lock-out is remembered while nobody tries, and forgotten after three months', async () => {
  const server = await growingServer()
  await lockLengths(server, 'nobody-at-all', 1)
  server.advance(30 * DAY)
  await purgeAttempts(server.platform)
  expect(await lockLengths(server, 'nobody-at-all', 1)).toEqual([20])
  server.advance(91 * DAY)
  await purgeAttempts(server.platform)
  expect(await lockLengths(server, 'nobody-at-all', 1)).toEqual([10])
})

test('with constant lock-outs a further one is as long as the first, and nothing is remembered', async () => {
  const server = await growingServer()
  await setPolicy(server, { lockMode: 'fixed' })
  expect(await lockLengths(server, 'nobody-at-all', 3)).toEqual([10, 10, 10])
  expect(await server.platform.sql`select from attempt_counters where locks > 0`).toHaveLength(0)
})

test('a lock-out by a clock that was ahead ends soon after the clock is set back, for unknown names too', async () => {
  const server = await growingServer()
  await addPerson(server, { account: 'lilei' })
  server.advance(30 * DAY)
  for (const name of ['lilei', 'nobody-at-all']) await lockOnce(server, name)
  server.advance(-30 * DAY)
  expect((await attempt(server, 'lilei')).status).toBe(401)
  await purgeAttempts(server.platform)
  expect((await attempt(server, 'lilei')).status).toBe(200)
  expect(await lockLengths(server, 'nobody-at-all', 1)).toEqual([10])
})

test('a node whose clock is behind deletes no failure or lock-out counted by the others', async () => {
  const server = await growingServer()
  await addPerson(server, { account: 'lilei' })
  await lockOnce(server, 'lilei')
  server.advance(-60 * MINUTE)
  await purgeAttempts(server.platform)
  server.advance(60 * MINUTE)
  expect(told((await attempt(server, 'lilei')).message)).toBe(10)
  server.advance(10 * MINUTE)
  expect(await lockLengths(server, 'lilei', 1)).toEqual([20])
})
