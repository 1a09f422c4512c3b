import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { Overview } from '#shared/contract/overview.ts'
import { addCasApplication } from '../../testing/people.ts'
import { insertPerson, openPortal, type Portal } from '../../testing/portal.ts'
import { insertLoginRecord, moveToMidHour } from '../../testing/records.ts'
import { testServer } from '../../testing/server.ts'
import { rollUp } from '../statistics/index.ts'

const PATH = '/overview/query/'
const look = async (page: Portal) => (await page.call<Overview>(PATH)).data

test('on a fresh system all counts are zero, and every part of the page exists', async () => {
  const server = await testServer()
  const admin = await openPortal(server, { isSuperUser: true })
  const day = await look(admin)
  expect(Overview.parse(day)).toEqual(day)
  expect(day).toMatchObject({ countedAt: null, people: null, applications: [], loginTypes: [], jobs: [], todos: [] })
  expect(day.trend).toHaveLength(31)
  expect(day.hours.yesterday).toHaveLength(24)
  expect(day.hours.today.length).toBeGreaterThan(0)
  expect(day.facts).toMatchObject({ version: expect.stringMatching(/^\d/), database: expect.stringMatching(/^\d/) })
})

test('only super users see the day', async () => {
  const server = await testServer()
  const helper = await openPortal(server, { permissions: ['edit', 'unlock', 'reset', 'import', 'authorise'] })
  expect((await helper.call(PATH)).status).toBe(403)
})

test('logins, failures, people, places, types and applications of today match the records', async () => {
  const server = await testServer()
  moveToMidHour(server)
  const [one, two] = [await insertPerson(server), await insertPerson(server)]
  const admin = await openPortal(server, { userId: one })
  await server.platform.sql`update users set is_super_user = true where id = ${one}`
  const id = await addCasApplication(server, { appId: 'library', names: { en: 'The library' } })
  for (const person of [one, one, two]) await insertLoginRecord(server, person, { onCampus: person === two })
  await insertLoginRecord(server, two, { authType: 'qywx', onCampus: true })
  await insertLoginRecord(server, two, { succeeded: false, reason: 'wrong' })
  await server.platform.sql`
    insert into visit_records (id, at, user_id, application_id, entry, ip, client_type, on_campus)
    values (${v7()}, ${server.platform.now()}, ${one}, ${id}, 'sign-on', '192.0.2.7', 'pc', true)`
  await rollUp(server.platform)
  const day = await look(admin)
  expect(Overview.parse(day)).toEqual(day)
  expect(day.trend.at(-1)).toMatchObject({ day: day.today, logins: 4, failures: 1, people: 2, visits: 1 })
  expect(day.hours.today.at(-1)).toMatchObject({ logins: 4, failures: 1 })
  expect(day.places).toEqual({ onCampus: 2, offCampus: 2 })
  expect(day.loginTypes.map(({ authType, logins }) => [authType, logins])).toEqual([
    ['user', 3],
    ['qywx', 1],
  ])
  expect(day.applications).toMatchObject([{ appId: 'library', name: 'The library', visits: 1, people: 1 }])
  expect(day.active).toEqual({ people: 1, logins: 1 })
  expect(day.people).toMatchObject({ total: 2, locked: 0 })
  expect(day.countedAt).not.toBeNull()
})

test('what needs attention is listed with its number', async () => {
  const server = await testServer()
  const admin = await openPortal(server, { isSuperUser: true })
  const person = await insertPerson(server)
  const { sql, now } = server.platform
  const id = await addCasApplication(server, { appId: 'library', type: 'system' })
  const soon = new Date(now().getTime() + 3 * 86_400_000)
  await sql`update users set locked_at = ${now()} where id = ${person}`
  await sql`
    insert into application_grants (application_id, subject_kind, subject_id, valid_until)
    values (${id}, 'user', ${person}, ${soon})`
  await sql`insert into message_gateways (channel, failures, down_until) values ('sms', 9, ${soon})`
  await rollUp(server.platform)
  const { todos } = await look(admin)
  expect(todos).toEqual([
    { kind: 'gateways', count: 1 },
    { kind: 'locked', count: 1 },
    { kind: 'grants', count: 1 },
  ])
})
