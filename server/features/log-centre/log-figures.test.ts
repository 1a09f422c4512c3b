import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LogFigures, loginFigures } from '#shared/contract/log-centre.ts'
import { DAY_MS, HOUR_MS } from '#shared/rules/durations.ts'
import { addCasApplication } from '../../testing/people.ts'
import { insertPerson, openPortal, type Portal } from '../../testing/portal.ts'
import { insertLoginRecord } from '../../testing/records.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { rollUp } from '../statistics/index.ts'

let server: TestServer
let admin: Portal
let person: string
let library: string
let now: number

beforeAll(async () => {
  server = await startTestServer()
  admin = await openPortal(server, { account: 'root', isSuperUser: true })
  person = await insertPerson(server)
  library = await addCasApplication(server, { appId: 'library', name: 'Library' })
  await server.platform.sql`delete from login_records`
  now = Math.floor(server.platform.now().getTime() / HOUR_MS) * HOUR_MS
  const at = (hours: number) => new Date(now - hours * HOUR_MS)
  for (const hours of [1, 2, 30, 31, 32, 200])
    await insertLoginRecord(server, person, { at: at(hours), onCampus: true })
  for (const hours of [2, 31]) {
    const failed = { succeeded: false, reason: 'sign-in.wrong-credentials', applicationId: library }
    await insertLoginRecord(server, await insertPerson(server), { at: at(hours), ...failed })
  }
  await rollUp(server.platform)
})
afterAll(() => server.close())

const figures = async (query: Record<string, string>, page = admin) => {
  const { data } = await page.call<LogFigures>(`/login_log/figures/?${new URLSearchParams(query)}`)
  return loginFigures.output.parse(data)
}
const sum = ({ parts }: LogFigures) =>
  parts.reduce((all, part) => [(all[0] ?? 0) + part.succeeded, (all[1] ?? 0) + part.refused], [0, 0])
const facet = ({ facets }: LogFigures, wanted: string) =>
  facets.find(({ name }) => name === wanted)?.values.map(({ value, succeeded, refused }) => [value, succeeded, refused])
const period = (hours: number) => ({
  from: new Date(now - hours * HOUR_MS).toISOString(),
  to: new Date(now + HOUR_MS).toISOString(),
})

test('without a period the last 30 days are counted, in buckets, by result and by each value', async () => {
  const found = await figures({})
  expect(found).toMatchObject({ partsSince: null, facetsSince: null, countedUntil: null })
  expect(sum(found)).toEqual([6, 2])
  expect(facet(found, 'reason')).toEqual([['sign-in.wrong-credentials', 0, 2]])
  expect(facet(found, 'onCampus')).toEqual([
    ['1', 6, 0],
    ['0', 0, 2],
  ])
  expect(found.facets.find(({ name }) => name === 'applicationId')?.values).toContainEqual({
    value: library,
    label: 'Library',
    succeeded: 0,
    refused: 2,
  })
})

test('roll-ups and the records themselves agree, over whole days and their edges', async () => {
  for (const hours of [1, 3, 31, 33, 49, 250]) {
    const rolled = await figures(period(hours))
    // There is no roll-up by address, so the records are counted.
    const counted = await figures({ ...period(hours), ip: '0.0.0.0/0' })
    expect(counted).toEqual(rolled)
  }
  const { parts, partMs } = await figures(period(3))
  expect(partMs).toBe(HOUR_MS)
  expect(parts).toEqual([
    { at: 1, succeeded: 1, refused: 1 },
    { at: 2, succeeded: 1, refused: 0 },
  ])
})

test('a result and one value are read from the roll-ups, two values from the records', async () => {
  expect(sum(await figures({ result: '0' }))).toEqual([0, 2])
  expect(sum(await figures({ applicationId: library }))).toEqual([0, 2])
  expect(sum(await figures({ applicationId: 'portal', onCampus: '1' }))).toEqual([6, 0])
  expect(sum(await figures({ userId: person, result: '1' }))).toEqual([6, 0])
  expect(facet(await figures({ applicationId: library }), 'onCampus')).toEqual([['0', 0, 2]])
})

test('by device, browser or factor the timeline of the roll-ups is that of the records', async () => {
  await server.platform.sql`
    update login_records set device = 'Amiga', browser = 'Netscape 4', second_factor = 'totp' where at = ${new Date(now - 31 * HOUR_MS)}`
  await server.platform.sql`update statistics_progress set counted_until = first_hour`
  await rollUp(server.platform)
  for (const [query, expected] of [
    [{ device: 'Amiga' }, [1, 1]],
    [{ browser: 'Chrome 140' }, [5, 1]],
    [{ factor: 'totp' }, [1, 1]],
    [{ factor: 'none' }, [5, 1]],
    [{ device: 'Lisa' }, [0, 0]],
  ] as const) {
    const rolled = await figures({ ...period(250), ...query })
    expect([query, sum(rolled)]).toEqual([query, expected])
    const counted = await figures({ ...period(250), ...query, ip: '0.0.0.0/0' })
    expect(rolled.parts).toEqual(counted.parts)
  }
  // Only roll-ups know this one: they are what was read.
  await server.platform.sql`update log_hours set succeeded = 7 where facet = 'device' and value = 'Amiga'`
  expect(sum(await figures({ device: 'Amiga' }))).toEqual([7, 1])
})

test('before the first roll-up the records themselves are counted', async () => {
  const { sql } = server.platform
  const [progress] = await sql<{ until: Date; first: Date; recounted: Date }[]>`
    delete from statistics_progress returning counted_until as until, first_hour as first, recounted_until as recounted`
  expect(sum(await figures({}))).toEqual([6, 2])
  await sql`
    insert into statistics_progress (counted_until, first_hour, recounted_until)
    values (${progress?.until ?? null}, ${progress?.first ?? null}, ${progress?.recounted ?? null})`
})

test('outdated roll-ups are reported as such', async () => {
  await server.platform.sql`update statistics_progress set counted_until = counted_until - interval '5 hours'`
  expect((await figures({})).countedUntil).not.toBeNull()
  await rollUp(server.platform)
  expect((await figures({})).countedUntil).toBeNull()
})

test('a scoped administrator gets numbers of their own people only', async () => {
  const dean = await openPortal(server, { account: 'dean', permissions: [] })
  const [{ id } = { id: '' }] = await server.platform.sql<{ id: string }[]>`
    select organization_id as id from appointments where user_id = ${dean.user.userId}`
  expect(sum(await figures({}, dean))).toEqual([0, 0])
  await server.platform.sql`update users set organization_id = ${id} where id = ${person}`
  expect(sum(await figures({}, dean))).toEqual([6, 0])
})

test('older than the roll-ups are kept, records are counted themselves, and a period of both says from when on it is complete', async () => {
  const ago = (days: number) => new Date(now - days * DAY_MS)
  // In the roll-ups they are no more.
  await insertLoginRecord(server, person, { at: ago(405) })
  await insertLoginRecord(server, person, { at: ago(420) })
  const both = await figures({ from: ago(430).toISOString() })
  expect(sum(both)).toEqual([6, 2])
  const since = Date.parse(both.partsSince ?? '')
  expect(since).toBeGreaterThan(ago(400).getTime())
  expect(since).toBeLessThan(ago(390).getTime())
  expect(both.facetsSince).toBe(both.partsSince)
  const old = await figures({ from: ago(430).toISOString(), to: ago(401).toISOString() })
  expect(old.partsSince).toBeNull()
  expect(sum(old)).toEqual([2, 0])
  expect((await figures({ from: ago(395).toISOString() })).partsSince).toBeNull()
})
