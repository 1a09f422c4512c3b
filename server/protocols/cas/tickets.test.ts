import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from '../../testing/browser.ts'
import { callCas, ticketFor, validateP3 } from '../../testing/cas.ts'
import { addCasApplication, addPerson, changeApplication, logIn } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

const LIBRARY = 'https://library.test/start?a=1&b=%20x'
const COURSES = 'https://courses.test/'

let server: TestServer
let browser: Browser

beforeAll(async () => {
  server = await startTestServer()
  await addPerson(server, { account: '20260001' })
  await addCasApplication(server, { appId: 'library' })
  await addCasApplication(server, { appId: 'courses' })
  browser = await logIn(server, '20260001')
})
afterAll(() => server.close())

test('a ticket works once', async () => {
  const ticket = await ticketFor(browser, LIBRARY)
  expect((await validateP3(server, LIBRARY, ticket)).user).toBe('20260001')
  expect((await validateP3(server, LIBRARY, ticket)).code).toBe('INVALID_TICKET')
})

test('an unused ticket does not become valid longer when the clock is set back, and new ones work', async () => {
  for (const back of [120, 3600, 86_400]) {
    const old = await ticketFor(browser, LIBRARY)
    server.advance(-back)
    expect([back, (await validateP3(server, LIBRARY, old)).code]).toEqual([back, 'INVALID_TICKET'])
    expect((await validateP3(server, LIBRARY, await ticketFor(browser, LIBRARY))).user).toBe('20260001')
    server.advance(back)
  }
})

test('a ticket of a node whose clock is half a minute ahead works', async () => {
  const ticket = await ticketFor(browser, LIBRARY)
  server.advance(-30)
  expect((await validateP3(server, LIBRARY, ticket)).user).toBe('20260001')
  server.advance(30)
})

test('of 100 parallel validations over two nodes exactly one succeeds', async () => {
  const other = await server.secondNode()
  const ticket = await ticketFor(browser, LIBRARY)
  const attempts = Array.from({ length: 100 }, (_, i) => validateP3(i % 2 ? other : server, LIBRARY, ticket))
  const answers = await Promise.all(attempts)
  expect(answers.filter(({ user }) => user === '20260001')).toHaveLength(1)
  expect(answers.filter(({ code }) => code === 'INVALID_TICKET')).toHaveLength(99)
})

test.each([
  ['another application', COURSES],
  ['the same application with another query', 'https://library.test/start?a=2'],
  ['an address below', 'https://library.test/start/more?a=1&b=%20x'],
  ['another spelling of the query', 'https://library.test/start?a=1&b=+x'],
  ['no address at all', 'nonsense'],
  ['an unregistered address', 'https://evil.test/'],
])('a ticket presented for %s is rejected and consumed', async (_what, service) => {
  const ticket = await ticketFor(browser, LIBRARY)
  expect((await validateP3(server, service, ticket)).code).toBe('INVALID_SERVICE')
  expect((await validateP3(server, LIBRARY, ticket)).code).toBe('INVALID_TICKET')
})

test.each([
  'HTTPS://LIBRARY.test/start?a=1&b=%20x',
  'https://library.test:443/start?a=1&b=%20x',
  'https://library.test/start;jsessionid=A1B2?a=1&b=%20x',
  'https://library.test/start?a=1&b=%20x#top',
])('%s is the same service', async (service) => {
  const ticket = await ticketFor(browser, LIBRARY)
  expect((await validateP3(server, service, ticket)).user).toBe('20260001')
})

test('a ticket lives as long as configured, and not a second more', async () => {
  const early = await ticketFor(browser, LIBRARY)
  server.advance(9)
  expect((await validateP3(server, LIBRARY, early)).user).toBe('20260001')
  const late = await ticketFor(browser, LIBRARY)
  server.advance(11)
  expect((await validateP3(server, LIBRARY, late)).code).toBe('INVALID_TICKET')
})

test.each(['', 'ST-', 'ST-1', 'TGT-x', 'ST-%00', `ST-${'x'.repeat(5000)}`, "ST-' or 1=1--"])(
  'a made-up ticket is unknown: %j',
  async (ticket) => {
    const { status, code } = await validateP3(server, LIBRARY, ticket)
    expect([status, code]).toEqual([200, ticket === '' ? 'INVALID_REQUEST' : 'INVALID_TICKET'])
  },
)

test('a truncated or extended ticket is unknown, and does not consume the real one', async () => {
  const ticket = await ticketFor(browser, LIBRARY)
  for (const wrong of [ticket.slice(0, -1), `${ticket}x`, ticket.toLowerCase(), ` ${ticket}`]) {
    expect((await validateP3(server, LIBRARY, wrong)).code).toBe('INVALID_TICKET')
  }
  expect((await validateP3(server, LIBRARY, ticket)).user).toBe('20260001')
})

test('the sign-on cookie and its session id are no tickets', async () => {
  const secret = browser.cookie('CASTGC') ?? ''
  expect((await validateP3(server, LIBRARY, secret)).code).toBe('INVALID_TICKET')
})

test('tickets are unique, 32 characters of letters and digits, and opaque', async () => {
  const tickets: string[] = []
  for (let i = 0; i < 150; i++) {
    tickets.push(...(await Promise.all(Array.from({ length: 4 }, () => ticketFor(browser, LIBRARY)))))
  }
  expect(new Set(tickets).size).toBe(600)
  for (const ticket of tickets) expect(ticket).toMatch(/^ST-[A-Za-z0-9]{29}$/)
  const random = tickets.map((ticket) => ticket.slice(3)).join('')
  // 29 of 62 characters hold 172 bits: nothing left for a compressor to find (log2(62)/8 = 0.744).
  expect(deflateSync(random, { level: 9 }).length / random.length).toBeGreaterThan(0.74)
  const counts = new Map<string, number>()
  for (const character of random) counts.set(character, (counts.get(character) ?? 0) + 1)
  const expected = random.length / 62
  for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(6 * Math.sqrt(expected))
})

test('tickets and cookies are not in the database in clear before they are used', async () => {
  const ticket = await ticketFor(browser, LIBRARY)
  const secrets = [ticket, browser.cookie('CASTGC') ?? '']
  const rows = await server.platform.sql<{ text: string }[]>`
    select s::text as text from session_services s union all select h::text from ephemeral_state h
    union all select t::text from sso_sessions t`
  const dump = rows.map(({ text }) => text).join('\n')
  for (const secret of secrets) expect(dump).not.toContain(secret)
})

const ACCOUNT_STOPS: [string, Record<string, unknown>][] = [
  ['disabled', { enabled: false }],
  ['locked by an administrator', { locked_at: new Date(0) }],
  ['frozen', { frozen_from: new Date(0) }],
  ['deleted', { deleted_at: new Date() }],
]
test.each(ACCOUNT_STOPS)('an account %s between issue and validation fails the validation', async (_what, change) => {
  const { sql } = server.platform
  const userId = await addPerson(server, { account: `stop-${Math.random()}` })
  const [row] = await sql<{ account: string }[]>`select account from users where id = ${userId}`
  const own = await logIn(server, row?.account ?? '')
  const ticket = await ticketFor(own, LIBRARY)
  await sql`update users set ${sql(change)} where id = ${userId}`
  expect((await validateP3(server, LIBRARY, ticket)).code).toBe('INVALID_TICKET')
  const again = await own.get(`/fwk_cas_service/login?service=${encodeURIComponent(LIBRARY)}`)
  expect(again.location).toContain('/auth_web/login?')
})

test('a logout between issue and validation fails the validation', async () => {
  const own = await logIn(server, '20260001')
  const ticket = await ticketFor(own, LIBRARY)
  await own.get('/fwk_cas_service/logout')
  expect((await validateP3(server, LIBRARY, ticket)).code).toBe('INVALID_TICKET')
})

test('a disabled application, on every node, gets nothing more from tickets already issued', async () => {
  const other = await server.secondNode()
  await addCasApplication(server, { appId: 'closing' })
  const ticket = await ticketFor(browser, 'https://closing.test/')
  await changeApplication(server, 'closing', { enabled: false })
  expect((await validateP3(other, 'https://closing.test/', ticket)).code).toBe('INVALID_SERVICE')
  const { status, location } = await browser.get('/fwk_cas_service/login?service=https%3A%2F%2Fclosing.test%2F')
  expect([status, location]).toEqual([403, ''])
})

test('a grant withdrawn between issue and validation fails the validation', async () => {
  await addCasApplication(server, { appId: 'granted', type: 'system', authorized: { users: ['20260001'] } })
  const ticket = await ticketFor(browser, 'https://granted.test/')
  await server.platform.sql`delete from application_grants`
  expect((await validateP3(server, 'https://granted.test/', ticket)).code).toBe('INVALID_SERVICE')
})

test('validation answers whatever the Host header says', async () => {
  const ticket = await ticketFor(browser, LIBRARY)
  const answer = await callCas(server, '/serviceValidate', { service: LIBRARY, ticket }, { 'x-forwarded-host': 'evil' })
  expect(answer.user).toBe('20260001')
})
