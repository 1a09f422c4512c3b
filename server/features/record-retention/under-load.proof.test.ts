import { v7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../platform/db.ts'
import { addPerson, logIn } from '../../testing/people.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { setPolicy } from '../../testing/sign-in.ts'
import { dropExpiredRecords } from './index.ts'

const MONTHS = 12
const ROWS_PER_MONTH = 20_000
const PEOPLE = 4
const LONG_MS = 2000

/** A year of records, counted by the statistics. */
async function writeMonths({ platform: { sql, now } }: TestServer): Promise<void> {
  const first = new Date(Date.UTC(now().getUTCFullYear() - 1, now().getUTCMonth(), 1))
  await sql`select ensure_record_partitions(${first.toISOString().slice(0, 10)}::date, ${MONTHS})`
  await sql`
    insert into login_records (id, at, account, auth_type, succeeded, ip, user_agent, browser, device, client_type, on_campus, request_id)
    select gen_random_uuid(), ${first}::timestamptz + n * interval '1 month' / ${ROWS_PER_MONTH}::int, 'old', 'user', true, '192.0.2.1',
      '', '', '', 'pc', false, '' from generate_series(0, ${MONTHS * ROWS_PER_MONTH - 1}) n`
  await sql`insert into statistics_progress (counted_until, first_hour, recounted_until) values (${now()}, ${first}, ${now()})`
}

/** People log in one after the other until stopped. @returns how long each login took */
function logInMeanwhile(server: TestServer): () => Promise<number[]> {
  let isOver = false
  const times: number[] = []
  const all = Array.from({ length: PEOPLE }, async (_, at) => {
    while (!isOver) {
      const from = performance.now()
      await logIn(server, `busy-${at}`)
      times.push(performance.now() - from)
    }
  })
  return async () => {
    isOver = true
    await Promise.all(all)
    return times.toSorted((a, b) => a - b)
  }
}

const months = async ({ platform: { sql } }: TestServer) =>
  (await sql`select from pg_inherits where inhparent = 'login_records'::regclass`).length

test('months are dropped while people log in, also beside a search that holds them: no login fails or waits for long', async () => {
  const server = await testServer()
  for (let at = 0; at < PEOPLE; at += 1) await addPerson(server, { account: `busy-${at}` })
  await writeMonths(server)
  const before = await months(server)

  const quiet = logInMeanwhile(server)
  await new Promise((done) => setTimeout(done, 3000))
  const usual = await quiet()

  await setPolicy(server, { retention: { login: 180, visit: 3650, audit: 3650 } })
  const reader = openDatabase(server.platform.config.databaseUrl ?? '', { max: 1 })
  onTestFinished(() => reader.end())
  const busy = logInMeanwhile(server)
  // It reads every month for some seconds: the drop gives up each time, and runs again.
  const search = reader`select count(*), pg_sleep(3), ${v7()} from login_records`.execute()
  let retries = 0
  while (
    await dropExpiredRecords(server.platform).then(
      () => false,
      (error: Error) => error.name === 'RecordsBusyError',
    )
  )
    retries += 1
  await search
  const meanwhile = await busy()

  expect(retries).toBeGreaterThan(0)
  expect(await months(server)).toBeLessThan(before - 3)
  expect(meanwhile.length).toBeGreaterThan(PEOPLE)
  const slowest = { usual: usual.at(-1) ?? 0, meanwhile: meanwhile.at(-1) ?? 0 }
  // A login may wait for one attempt at each of the months, not for the search.
  expect(slowest.meanwhile - slowest.usual, `${retries} retries, ${JSON.stringify(slowest)}`).toBeLessThan(LONG_MS)
}, 120_000)
