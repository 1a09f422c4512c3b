import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyBootstrap } from '../../features/bootstrap/index.ts'
import { openDatabase } from '../../platform/db.ts'
import type { Browser } from '../../testing/browser.ts'
import { callCas, ticketFor, ticketIn } from '../../testing/cas.ts'
import { casDocument } from '../../testing/cas-schema.ts'
import { addCasApplication, addPerson, changeApplication, logIn, postLogin } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

const SERVICE = 'https://library.test/'
const NAME = `李 <雷> & "O'Hara" ]]>`

let server: TestServer
let browser: Browser

beforeAll(async () => {
  server = await startTestServer()
  const roles = [
    { code: 'staff', name: 'Staff' },
    { code: 'faculty', name: 'Faculty' },
  ]
  await applyBootstrap(server.platform, { roles }, { source: 'test' })
  await addPerson(server, {
    account: '20260001',
    name: NAME,
    roles: ['staff', 'faculty'],
    mailbox: 'lilei@example.edu',
  })
  await addCasApplication(server, {
    appId: 'library',
    attributes: [
      'name',
      { name: 'affiliation', from: 'roles' },
      'nickname',
      { name: 'tier', value: 'gold' },
      { name: 'nothing', value: '' },
    ],
  })
  browser = await logIn(server, '20260001')
})
afterAll(() => server.close())

const ask = async (path: string, more: Record<string, string> = {}) =>
  callCas(server, path, { service: SERVICE, ticket: await ticketFor(browser, SERVICE), ...more })

test('protocol 1.0 answers two lines, byte by byte', async () => {
  const yes = await ask('/validate')
  expect(yes.text).toBe('yes\n20260001\n')
  expect(yes.headers.get('content-type')).toBe('text/plain;charset=UTF-8')
  expect((await callCas(server, '/validate', { service: SERVICE, ticket: 'ST-x' })).text).toBe('no\n\n')
  expect((await callCas(server, '/validate', { service: SERVICE })).text).toBe('no\n\n')
})

test('protocol 1.0 omits the second line for an application that wants the strict specification', async () => {
  await addCasApplication(server, { appId: 'strict', casOptions: { validateUserLine: false } })
  const ticket = await ticketFor(browser, 'https://strict.test/')
  expect((await callCas(server, '/validate', { service: 'https://strict.test/', ticket })).text).toBe('yes\n')
})

test('protocol 2.0 answers the user alone', async () => {
  const { text, status, headers } = await ask('/serviceValidate')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/xml;charset=UTF-8')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(text).toContain('<cas:user>20260001</cas:user>')
  expect(text).not.toContain('attributes')
  casDocument(text)
})

test('protocol 2.0 answers attributes too where the application says so', async () => {
  await changeApplication(server, 'library', { cas_options: { attributesInCas2: true } })
  const { text } = await ask('/serviceValidate')
  await changeApplication(server, 'library', { cas_options: {} })
  expect(text).toContain('<cas:tier>gold</cas:tier>')
  casDocument(text)
})

test('protocol 3.0 answers what the application is allowed, escaped, several values as several elements', async () => {
  const { text } = await ask('/p3/serviceValidate')
  const document = casDocument(text)
  expect(document.get('//cas:name')).toEqual([NAME])
  expect(document.get('//cas:affiliation').sort()).toEqual(['faculty', 'staff'])
  expect(document.get('//cas:tier')).toEqual(['gold'])
  expect(document.get('//cas:nickname')).toEqual([])
  expect(document.get('//cas:isFromNewLogin')).toEqual(['false'])
  expect(document.get('//cas:longTermAuthenticationRequestTokenUsed')).toEqual(['false'])
  expect(text).not.toContain('lilei@example.edu')
})

test('characters that XML can not represent are left out of attributes, and a carriage return survives', async () => {
  await changeApplication(server, 'library', {
    attributes: [{ name: 'odd', value: 'a\u0001b\ufffec\r\n\td😀' }],
  })
  const { text } = await ask('/p3/serviceValidate')
  const document = casDocument(text)
  expect(document.get('//cas:odd')).toEqual(['abc\r\n\td😀'])
})

test('JSON carries the same: single values plain, several as a list', async () => {
  await changeApplication(server, 'library', {
    attributes: [
      { name: 'name', from: 'name' },
      { name: 'affiliation', from: 'roles' },
    ],
  })
  const { text, headers, status } = await ask('/p3/serviceValidate', { format: 'JSON' })
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json;charset=UTF-8'])
  const { authenticationDate, ...attributes } = JSON.parse(text).serviceResponse.authenticationSuccess.attributes
  expect(attributes).toEqual({
    longTermAuthenticationRequestTokenUsed: [false],
    isFromNewLogin: [false],
    name: NAME,
    affiliation: ['faculty', 'staff'],
  })
  expect(authenticationDate[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  const plain = await ask('/serviceValidate', { format: 'json' })
  expect(JSON.parse(plain.text)).toEqual({ serviceResponse: { authenticationSuccess: { user: '20260001' } } })
})

const FAILURES: [string, Record<string, string>, string][] = [
  ['no service', { ticket: 'ST-1' }, 'INVALID_REQUEST'],
  ['no ticket', { service: SERVICE }, 'INVALID_REQUEST'],
  ['nothing', {}, 'INVALID_REQUEST'],
  ['an unknown ticket', { service: SERVICE, ticket: '<script>"\'&' }, 'INVALID_TICKET'],
  ['an unknown format', { service: SERVICE, ticket: 'ST-1', format: 'YAML' }, 'INVALID_REQUEST'],
]
test.each(FAILURES)('%s fails with its code, in both formats, without echoing input', async (_what, query, code) => {
  for (const path of ['/serviceValidate', '/proxyValidate', '/p3/serviceValidate', '/p3/proxyValidate']) {
    const xml = await callCas(server, path, query)
    expect([xml.status, xml.code]).toEqual([200, code])
    expect(xml.text).not.toContain('<script')
    casDocument(xml.text)
    if (query['format']) continue
    const json = await callCas(server, path, { ...query, format: 'JSON' })
    expect(json.status).toBe(200)
    expect(JSON.parse(json.text).serviceResponse.authenticationFailure.code).toBe(code)
    expect(json.text).not.toContain('<script')
  }
})

test('parameter names are case-sensitive, and one given twice is ignored', async () => {
  const ticket = await ticketFor(browser, SERVICE)
  expect((await callCas(server, '/serviceValidate', { Service: SERVICE, ticket })).code).toBe('INVALID_REQUEST')
  const twice = await fetch(
    `${server.url}/fwk_cas_service/serviceValidate?ticket=${ticket}&service=${SERVICE}&service=https://evil.test/`,
  )
  expect(await twice.text()).toContain('INVALID_REQUEST')
})

test('renew is satisfied by a ticket of a fresh login only', async () => {
  expect((await ask('/serviceValidate', { renew: 'true' })).code).toBe('INVALID_TICKET')
  expect((await ask('/serviceValidate', { renew: 'false' })).user).toBe('20260001')
  const fresh = await postLogin(browser, { username: '20260001' }, { service: SERVICE })
  const ticket = ticketIn(fresh.location)
  const answer = await callCas(server, '/p3/serviceValidate', { service: SERVICE, ticket, renew: 'true' })
  expect(answer.text).toContain('<cas:isFromNewLogin>true</cas:isFromNewLogin>')
})

test('a remembered login is shown as such', async () => {
  await server.platform
    .sql`insert into settings (name, value, updated_at) values ('login', '{"rememberMeLongSecond": 86400}', now())`
  await server.platform.cache.invalidate(server.platform.sql, 'settings')
  const own = await logIn(server, '20260001', { rememberMe: 'true' })
  const ticket = await ticketFor(own, SERVICE)
  const { text } = await callCas(server, '/p3/serviceValidate', { service: SERVICE, ticket })
  expect(text).toContain(
    '<cas:longTermAuthenticationRequestTokenUsed>true</cas:longTermAuthenticationRequestTokenUsed>',
  )
})

test('another attribute can be the user name', async () => {
  await addCasApplication(server, { appId: 'mail', userAttribute: 'mailbox' })
  const service = 'https://mail.test/'
  const answer = await callCas(server, '/serviceValidate', { service, ticket: await ticketFor(browser, service) })
  expect(answer.user).toBe('lilei@example.edu')
})

test('an outage is answered in the shape of the protocol', async () => {
  const { platform } = server
  const { sql } = platform
  const ticket = await ticketFor(browser, SERVICE)
  platform.sql = openDatabase('postgres://nobody@127.0.0.1:1/nowhere')
  const answer = await callCas(server, '/serviceValidate', { service: SERVICE, ticket })
  await platform.sql.end({ timeout: 0 })
  platform.sql = sql
  expect([answer.status, answer.code]).toEqual([503, 'INTERNAL_ERROR'])
  expect(answer.headers.get('retry-after')).toBe('2')
})
