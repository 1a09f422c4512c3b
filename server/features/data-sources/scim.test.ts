import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DataSource, SourceTest } from '#shared/contract/data-sources.ts'
import { SECRET_PLACEHOLDER } from '#shared/contract/stored-secret.ts'
import { createAuthority } from '../../testing/authority.ts'
import { type JsonAnswer, JsonServer, openBeside } from '../../testing/json-server.ts'
import type { Portal } from '../../testing/portal.ts'
import { byEntra, ENTERPRISE, openScimSchool, type ScimBody, type ScimSession } from '../../testing/scim.ts'
import type { TestServer } from '../../testing/server.ts'
import { startService } from '../../testing/service.ts'

/** A school's own SCIM server, another one that can do worse, and the portal that reads them. */
let school: TestServer
let hr: ScimSession
const other = new JsonServer()
let base: string
let server: TestServer
let root: Portal
beforeAll(async () => {
  ;({ server: school, hr } = await openScimSchool())
  ;({ server, root, base } = await openBeside(other))
})
afterAll(async () => {
  other.close()
  await server.close()
  await school.close()
})

const given = (options: object = {}, more: object = {}) => ({
  ...{ name: 'SCIM', kind: 'scim', password: 'a-token' },
  options: { url: base, auth: 'bearer', ...options },
  ...more,
})
const look = async (fields: object, table = 'people', keyColumn = 'id') => {
  other.seen.length = 0
  const body = { ...fields, table, keyColumn }
  const { data, envelope } = await root.call<SourceTest>('/data_source/test/', { body })
  return data ?? envelope
}

type Resource = { id: string; userName: string }
const users = (count: number, from = 1): Resource[] =>
  Array.from({ length: Math.max(0, count) }, (_, at) => ({ id: `I${from + at}`, userName: `u${from + at}` }))
const listOf = (totalResults: number, Resources: object[], more: object = {}): ScimBody => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  ...{ totalResults, itemsPerPage: Resources.length, Resources, ...more },
})
const startOf = (url: URL) => Number(url.searchParams.get('startIndex'))
/** A server that says nothing about what it can do, and lists people like this. */
const lists =
  (page: JsonAnswer): JsonAnswer =>
  (request, response, url) => {
    if (!url.pathname.endsWith('/ServiceProviderConfig')) return page(request, response, url)
    response.statusCode = 404
    return {}
  }
const problem = async (page: JsonAnswer, options: object = {}) => {
  other.answer = page
  const found = await look(given({ pageSize: 10, ...options }))
  return found.isOk ? found.count : found.problem
}

test('a SCIM server is read with its attributes as columns, by their paths, and fields are suggested for them', async () => {
  for (let n = 0; n < 5; n++)
    await hr.call('POST', '/Users', {
      ...byEntra(`s30${n}`),
      phoneNumbers: [{ type: 'mobile', value: `1380000200${n}` }],
    })
  const own = given({ url: `${school.url}/scim/v2/`, pageSize: 2 }, { password: hr.token })
  const found = await look({ ...own, options: { ...own.options, peopleFilter: 'userName sw "s30"' } })
  expect(found).toMatchObject({
    ...{ isOk: true, count: 5, isWhole: true, isEncrypted: false, mayWrite: null, tables: ['people', 'groups'] },
    key: { column: 'id', repeated: 0, empty: 0 },
    server: `SCIM ${new URL(school.url).host}`,
  })
  const suggested = Object.fromEntries(
    found.columns.flatMap((one) => (one.suggested ? [[one.name, one.suggested]] : [])),
  )
  expect(suggested).toEqual({
    userName: 'account',
    'name.formatted': 'name',
    active: 'enabled',
    'emails[type eq "work"].value': 'mailbox',
    'phoneNumbers[type eq "mobile"].value': 'phone',
    [`${ENTERPRISE}:department`]: 'organization',
  })
  expect(found.columns.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['externalId', 'emails.value', 'emails[primary eq true].value', 'meta.lastModified']),
  )
  const at = found.columns.findIndex(({ name }) => name === 'emails[type eq "work"].value')
  expect(found.rows[0]?.[at]).toBe('s**************u')
  const groups = 'urn:gatehouse:params:scim:schemas:extension:1.0:Group'
  const places = await look(
    { ...own, options: { ...own.options, departmentFilter: `${groups}:kind eq "organization"` } },
    'groups',
  )
  expect(places).toMatchObject({ isOk: true, count: 3 })
  expect(places.columns.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['id', 'displayName', `${groups}:code`, `${groups}:parent.value`]),
  )
  expect(await look({ ...own, password: 'wrong' })).toMatchObject({ isOk: false, problem: 'login-refused' })
  const bad = await look({ ...own, options: { ...own.options, peopleFilter: 'nobody knows' } })
  expect(bad).toMatchObject({ problem: 'failed', message: expect.stringContaining('HTTP 400 invalidFilter') })
})

test('pages follow the rows that came, however few a server gives at once, and whatever it says behind the end', async () => {
  const all = users(23)
  const from = (url: URL) => all.slice(startOf(url) - 1, startOf(url) + 6)
  expect(await problem(lists((_, __, url) => listOf(23, from(url))))).toBe(23)
  expect(other.seen.slice(-5).map(({ url }) => url)).toEqual(
    [1, 8, 15, 22, 24].map((start) => `/Users?startIndex=${start}&count=10`),
  )
  expect(other.seen.at(-1)?.headers).toMatchObject({
    authorization: 'Bearer a-token',
    accept: expect.stringContaining('application/scim+json'),
  })
  const refused: JsonAnswer = (_, response, url) => {
    if (startOf(url) > 23) response.statusCode = 400
    return listOf(23, from(url))
  }
  expect(await problem(lists(refused))).toBe(23)
  // The last page for every number behind it.
  expect(await problem(lists((_, __, url) => listOf(23, startOf(url) > 23 ? all.slice(20) : from(url))))).toBe(23)
  // Empty without a list, as RFC 7644 allows.
  expect(await problem(lists(() => ({ totalResults: 0 })))).toBe(0)
})

test('values of one attribute are told apart by type, joined within one, and never mixed with what selects them', async () => {
  const emails = [
    { type: 'home', value: 'a@home' },
    { type: 'home', value: 'b@home' },
    { type: 'work', value: 'w@work', primary: true },
    { value: 'x' },
  ]
  const person = { id: 'I1', schemas: ['urn:x'], emails, roles: ['r', 's'], name: { givenName: 'G' }, manager: null }
  other.answer = lists((_, __, url) => listOf(1, startOf(url) === 1 ? [person] : []))
  const { columns, rows } = await look(given({ columns: 'emails[type eq "other"].value, title' }))
  const read = Object.fromEntries(columns.map(({ name }, at) => [name, rows[0]?.[at]]))
  expect(read).toEqual({
    id: 'I*',
    'emails[type eq "other"].value': '',
    title: '',
    'emails.value': 'a********************x',
    'emails[type eq "home"].value': 'a***********e',
    'emails[type eq "work"].value': 'w****k',
    'emails[primary eq true].value': 'w****k',
    roles: 'r**',
    'name.givenName': 'G',
  })
})

test('a list that repeats itself, ends early, shrinks, or has a wrong total is not read as the whole', async () => {
  const page = (url: URL, count: number) => users(Math.min(10, count - startOf(url) + 1), startOf(url))
  expect(await problem(lists(() => listOf(30, users(10))))).toBe('repeated-page')
  // It names the rows of the page as the total.
  expect(await problem(lists((_, __, url) => listOf(page(url, 30).length, page(url, 30))))).toBe('cut-off')
  expect(await problem(lists((_, __, url) => listOf(30, page(url, 25))))).toBe('cut-off')
  expect(await problem(lists((_, __, url) => listOf(30, startOf(url) === 11 ? [] : page(url, 30))))).toBe('cut-off')
  // Somebody on the first page is deleted before the second is read, and the eleventh person moves there.
  const shrinking: JsonAnswer = (_, __, url) =>
    startOf(url) === 1 ? listOf(20, users(10)) : listOf(19, users(20 - startOf(url), startOf(url) + 1))
  expect(await problem(lists(shrinking))).toBe('cut-off')
  // Somebody new at the end meanwhile is read as well.
  const growing: JsonAnswer = (_, __, url) =>
    listOf(startOf(url) === 1 ? 20 : 21, page(url, startOf(url) === 1 ? 20 : 21))
  expect(await problem(lists(growing))).toBe(21)
})

test('cursors are used where a server has them, and may neither come again nor end early', async () => {
  const withCursors =
    (total: number, next: (cursor: string) => [string, Resource[]]): JsonAnswer =>
    (_, __, { pathname, searchParams }) => {
      if (pathname.endsWith('/ServiceProviderConfig')) return { pagination: { cursor: true } }
      const [nextCursor, page] = next(searchParams.get('cursor') ?? '')
      return listOf(total, page, nextCursor ? { nextCursor } : {})
    }
  expect(await problem(withCursors(15, (at) => (at === '' ? ['b', users(10)] : ['', users(5, 11)])))).toBe(15)
  expect(await problem(withCursors(15, (at) => (at === '' ? ['b', users(10)] : ['', users(4, 11)])))).toBe('cut-off')
  expect(await problem(withCursors(15, () => ['b', users(10)]))).toBe('repeated-page')
  expect(await problem(withCursors(15, (at) => ['b', at === '' ? users(10) : []]))).toBe('repeated-page')
})

test('answers that are no list, refusals and redirects end the read, and a busy server is called again', async () => {
  const withStatus =
    (status: number, headers: Record<string, string> = {}): JsonAnswer =>
    (_, response) => {
      response.writeHead(status, headers)
      return { scimType: 'tooMany', detail: 'a-token is not welcome' }
    }
  expect(await problem(lists(() => '<html>Log in</html>'))).toBe('failed')
  expect(await problem(lists(() => ({ error: 'database is away' })))).toBe('failed')
  expect(await problem(lists(() => ({ totalResults: -1, Resources: [] })))).toBe('failed')
  expect(await problem(lists(() => listOf(1, [{ userName: 'without an id' }])))).toBe('failed')
  expect(await problem(lists(withStatus(404)))).toBe('no-table')
  expect(await problem(lists(withStatus(403)))).toBe('no-rights')
  expect(await problem(withStatus(401))).toBe('login-refused')
  expect(await problem(lists(withStatus(429, { 'retry-after': '600' })))).toBe('limited')
  expect(await problem(withStatus(302, { location: 'http://169.254.169.254/' }))).toBe('referral')
  expect(await problem(lists(() => `{"Resources":["${'x'.repeat(33 * 1024 * 1024)}"]}`))).toBe('limited')
  expect(await problem(lists((_, response) => void response.destroy()))).toBe('cut-off')
  const untrusted = await startService({ tls: createAuthority().issue() })
  expect((await look(given({ url: untrusted.url }))).problem).toBe('tls')
  expect(untrusted.hits).toEqual([])
  expect(await problem(lists(withStatus(400)))).toBe('limited')
  expect((await look(given())).message).not.toContain('a-token')
  const busy = new Set<string>()
  const afterOneRefusal: JsonAnswer = (_, response, url) => {
    if (!busy.has(url.href)) response.writeHead(503, { 'retry-after': '0' })
    busy.add(url.href)
    return listOf(12, users(Math.min(10, 13 - startOf(url)), startOf(url)))
  }
  expect(await problem(lists(afterOneRefusal))).toBe(12)
})

test('a source needs its address and what its authentication takes, and keeps its secret to that address', async () => {
  const create = (options: object, more: object = {}) =>
    root.call<DataSource>('/data_source/create/', { body: given(options, more) })
  const missing = async (options: object, more: object = {}) => (await create(options, more)).envelope.data
  expect(await missing({ url: '' })).toEqual({ fields: ['options.url'] })
  expect(await missing({}, { password: '' })).toEqual({ fields: ['password'] })
  expect(await missing({ auth: 'basic' })).toEqual({ fields: ['user'] })
  expect(await missing({ url: 'https://reader:secret@hr.example.edu/scim/v2' })).toEqual({ fields: ['options.url'] })
  const { data } = await create({ paging: 'page', rowsPath: 'rows' })
  expect(data).toMatchObject({ password: SECRET_PLACEHOLDER, options: { paging: 'none', rowsPath: '' } })
  const [row] = await server.platform.sql`select password from data_sources where id = ${data.id}`
  expect(JSON.stringify(row)).not.toContain('a-token')
  const body = (options: object) => ({ ...given(options), password: SECRET_PLACEHOLDER, version: 1 })
  const change = async (options: object) =>
    (await root.call(`/data_source/${data.id}/update/`, { body: body(options) })).status
  expect(await change({ url: 'https://other.example.edu/scim/v2' })).toBe(422)
  expect(await change({ peopleFilter: 'active eq true' })).toBe(200)
})
