import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPerson } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let page: Portal
beforeAll(async () => {
  server = await startTestServer()
  page = await openPortal(server, { userId: await addPerson(server, { account: 'root', isSuperUser: true }) })
})
afterAll(() => server.close())

const CREATE = '/user_information/create/'
const refusalOf = async (path: string, body: object) => {
  const { status, envelope } = await page.call(path, { body })
  const fields = (envelope.data as { fields?: { field: string; reason: string }[] } | null)?.fields ?? []
  return [status, envelope.code, ...fields.map(({ field, reason }) => `${field}: ${reason}`)]
}
const REASON = "It contains a character that can't be stored. Please type it again."

test.each<[string, string, object]>([
  ['NUL', 'account', { account: 'a\u0000b', name: 'Lin' }],
  ['half a surrogate pair', 'name', { account: 'half', name: 'a\ud800' }],
  ['NUL within an object', 'custom.dorm', { account: 'inside', name: 'Lin', custom: { dorm: '\u0000' } }],
])('text that can’t be stored is refused by the name of its field: %s', async (_, field, body) => {
  expect(await refusalOf(CREATE, body)).toEqual([400, 'request.invalid', `${field}: ${REASON}`])
})

test('the item of a list is named', async () => {
  const body = { accounts: ['20240001', '2024\u0000'], cause: 'leave' }
  expect(await refusalOf('/user_information/freeze_list/', body)).toEqual([
    400,
    'request.invalid',
    `accounts.1: ${REASON}`,
  ])
})

test('so is a value of the query', async () => {
  const { envelope } = await page.call(`/global_search/query/?search=${encodeURIComponent('a\u0000')}`)
  expect([envelope.code, envelope.message]).toEqual(['request.invalid', `“Search” can't be used: ${REASON}`])
})

test('a character outside the basic plane is stored', async () => {
  expect(await refusalOf(CREATE, { account: 'pair', name: '𠮷田' })).toEqual([200, undefined])
})

test('a body that is a list has no field to name', async () => {
  expect(await refusalOf(CREATE, [])).toEqual([400, 'request.malformed'])
})
