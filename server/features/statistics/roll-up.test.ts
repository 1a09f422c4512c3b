import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { HOUR_MS } from '#shared/rules/durations.ts'
import { compare, expectEqual } from '../../testing/figures.ts'
import { addCasApplication } from '../../testing/people.ts'
import { insertPerson, openPortal } from '../../testing/portal.ts'
import { insertLoginRecord, moveToMidHour } from '../../testing/records.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { recountLateRecords, rollUp } from './index.ts'

async function insertVisit(server: TestServer, userId: string, applicationId: string, at = server.platform.now()) {
  await server.platform.sql`
    insert into visit_records (id, at, user_id, application_id, entry, ip, client_type, on_campus)
    values (${v7()}, ${at}, ${userId}, ${applicationId}, 'sign-on', '192.0.2.7', 'pc', true)`
}

test('the figures match the records, old ones included, however often they are counted', async () => {
  const server = await testServer()
  const [one, two] = [await insertPerson(server), await insertPerson(server)]
  const application = await addCasApplication(server, { appId: 'library' })
  const now = server.platform.now().getTime()
  for (let hours = 0; hours < 24 * 9; hours += 5) {
    const at = new Date(now - hours * HOUR_MS)
    await insertLoginRecord(server, hours % 2 ? one : two, {
      at,
      authType: hours % 3 ? 'user' : 'qywx',
      onCampus: hours % 2 > 0,
    })
    await insertLoginRecord(server, one, { at, succeeded: false, applicationId: application })
    await insertVisit(server, one, application, at)
  }
  for (let runs = 0; runs < 3; runs++) {
    await rollUp(server.platform)
    const { logins } = await expectEqual(server)
    expect(logins.length).toBeGreaterThan(80)
  }
  server.advance(3 * 24 * 3600)
  await insertLoginRecord(server, two)
  await rollUp(server.platform)
  await expectEqual(server)
})

test('people who log in while two nodes count are each counted once', async () => {
  const server = await testServer()
  const other = await server.secondNode()
  const people = await Promise.all(Array.from({ length: 12 }, () => insertPerson(server)))
  const application = await addCasApplication(server, { appId: 'library' })
  let isOver = false
  const counting = [server, other].map(async (node) => {
    while (!isOver) await rollUp(node.platform)
  })
  const logins = people.map(async (person) => {
    for (let times = 0; times < 12; times++) {
      await insertLoginRecord(server, person, { succeeded: times % 4 > 0 })
      await insertVisit(server, person, application)
    }
  })
  await Promise.all(logins)
  isOver = true
  await Promise.all(counting)
  await rollUp(other.platform)
  const { people: days } = await expectEqual(server)
  expect(days).toMatchObject([{ people: 12 }])
})

test('late records are counted: of the last quarter of an hour at once, of the last days at night', async () => {
  const server = await testServer()
  const person = await insertPerson(server)
  moveToMidHour(server)
  await insertLoginRecord(server, person)
  await rollUp(server.platform)
  const back = (minutes: number) => new Date(server.platform.now().getTime() - minutes * 60_000)
  server.advance(40 * 60)
  await insertLoginRecord(server, person, { at: back(14) })
  await rollUp(server.platform)
  await expectEqual(server)
  server.advance(5 * 3600)
  await rollUp(server.platform)
  await insertLoginRecord(server, person, { at: back(4 * 60) })
  await rollUp(server.platform)
  const { raw, counted } = await compare(server)
  expect(counted).not.toEqual(raw)
  await recountLateRecords(server.platform)
  await expectEqual(server)
})

test('records before the counted hours are not read again', async () => {
  const server = await testServer()
  const person = await insertPerson(server)
  const at = new Date(server.platform.now().getTime() - 30 * HOUR_MS)
  await insertLoginRecord(server, person, { at })
  await rollUp(server.platform)
  await server.platform.sql`update login_hours set logins = 77 where hour <= ${at}`
  await rollUp(server.platform)
  expect(await server.platform.sql`select logins from login_hours where hour <= ${at}`).toMatchObject([{ logins: 77 }])
})

test('an application shows its visits, people and failures day by day', async () => {
  const server = await testServer()
  const [one, two] = [await insertPerson(server), await insertPerson(server)]
  const id = await addCasApplication(server, { appId: 'library' })
  const admin = await openPortal(server, { isSuperUser: true })
  const yesterday = new Date(server.platform.now().getTime() - 24 * HOUR_MS)
  for (const person of [one, one, two]) await insertVisit(server, person, id)
  await insertVisit(server, two, id, yesterday)
  await insertLoginRecord(server, one, { succeeded: false, applicationId: id })
  await rollUp(server.platform)
  const { data } = await admin.call<{ days: object[] }>(`/application_statistics/${id}/query/?days=7`)
  expect(data).toMatchObject({ timeZone: 'Asia/Shanghai' })
  expect(data.days).toHaveLength(7)
  expect(data.days.slice(-2)).toMatchObject([
    { visits: 1, people: 1, failures: 0 },
    { visits: 3, campusVisits: 3, people: 2, failures: 1 },
  ])
  const unknown = await admin.call('/application_statistics/00000000-0000-7000-8000-000000000000/query/')
  expect([unknown.status, unknown.envelope.code]).toEqual([404, 'application.not-found'])
})
