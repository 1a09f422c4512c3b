import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyBootstrap } from '../../features/bootstrap/index.ts'
import { type Browser, createBrowser } from '../../testing/browser.ts'
import { openService, ticketFor, ticketIn, ticketTraces, validateP3 } from '../../testing/cas.ts'
import { addCasApplication, addPerson, changeApplication, logIn, postLogin } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

const LIBRARY = 'https://library.test/start?a=1&b=%20x'
const LOGIN = '/fwk_cas_service/login'

let server: TestServer
let browser: Browser

beforeAll(async () => {
  server = await startTestServer()
  await addPerson(server, { account: '20260001' })
  await addCasApplication(server, { appId: 'library' })
  await addCasApplication(server, { appId: 'closed', enabled: false })
  await addCasApplication(server, { appId: 'secret', type: 'system' })
  browser = await logIn(server, '20260001')
})
afterAll(() => server.close())

const nobody = () => createBrowser(server)

test('without a session the browser is redirected to the login page, with the service unchanged', async () => {
  const { status, location } = await openService(nobody(), LIBRARY)
  expect(status).toBe(302)
  expect(location).toBe(`${server.url}/auth_web/login?service=${encodeURIComponent(LIBRARY)}`)
})

test('without service and session: the login page; with a session: "you are logged in"', async () => {
  expect((await nobody().get(LOGIN)).location).toBe(`${server.url}/auth_web/login`)
  const known = await browser.get(LOGIN)
  expect([known.status, known.location]).toEqual([200, ''])
  expect(known.text).toContain('You are logged in')
})

test('on a session the service gets its ticket by redirect, nothing is cached', async () => {
  const { status, location, headers } = await openService(browser, LIBRARY)
  expect(status).toBe(302)
  expect(location).toMatch(/^https:\/\/library\.test\/start\?a=1&b=%20x&ticket=ST-[A-Za-z0-9]{29}$/)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('pragma')).toBe('no-cache')
  expect(new Date(headers.get('expires') ?? '') < new Date()).toBe(true)
})

test('the ticket comes before a fragment and replaces an old one', async () => {
  const withFragment = await openService(browser, 'https://library.test/page#part')
  expect(withFragment.location).toMatch(/^https:\/\/library\.test\/page\?ticket=ST-\w{29}#part$/)
  const withOld = await openService(browser, 'https://library.test/page?ticket=ST-old&x=1')
  expect(withOld.location).toMatch(/^https:\/\/library\.test\/page\?x=1&ticket=ST-\w{29}$/)
})

test('an address that is registered exactly is not registered with a fragment, before or after the password', async () => {
  await addCasApplication(server, { appId: 'exact', serviceUrls: ['https://exact.test/page'] })
  const before = await ticketTraces(server)
  for (const service of ['https://exact.test/page#part', 'https://exact.test/page#', 'https://exact.test/page#/**']) {
    const onSession = await openService(browser, service)
    expect([service, onSession.status, onSession.location]).toEqual([service, 403, ''])
    const posted = await postLogin(createBrowser(server), { username: '20260001' }, { service })
    expect([service, posted.status, posted.location]).toEqual([service, 403, ''])
  }
  expect(await ticketTraces(server)).toBe(before)
  expect((await openService(browser, 'https://exact.test/page')).location).toContain('?ticket=ST-')
})

test('an address beyond ASCII is redirected to as browsers write it, and validates', async () => {
  const service = 'https://library.test/图书?书=一'
  const { location } = await openService(browser, service)
  expect(location).toMatch(/^https:\/\/library\.test\/%E5%9B%BE%E4%B9%A6\?%E4%B9%A6=%E4%B8%80&ticket=/)
  expect((await validateP3(server, service, ticketIn(location))).user).toBe('20260001')
})

test('renew asks for credentials in spite of a session, and is kept across the login page', async () => {
  const { location } = await openService(browser, LIBRARY, { renew: 'true', method: 'POST' })
  const page = new URL(location)
  expect(page.pathname).toBe('/auth_web/login')
  expect(Object.fromEntries(page.searchParams)).toEqual({ service: LIBRARY, renew: 'true', method: 'POST' })
})

test.each(['false', '0', ''])('renew=%j is not set', async (renew) => {
  expect(ticketIn((await openService(browser, LIBRARY, { renew })).location)).toMatch(/^ST-/)
})

test('gateway without a session goes back to the exact address, without a ticket', async () => {
  const reply = await openService(nobody(), LIBRARY, { gateway: 'true' })
  expect([reply.status, reply.headers.get('location')]).toEqual([302, LIBRARY])
})

test('gateway with a session brings a ticket; with renew it is ignored; without a service too', async () => {
  expect(ticketIn((await openService(browser, LIBRARY, { gateway: 'true' })).location)).toMatch(/^ST-/)
  const both = await openService(nobody(), LIBRARY, { gateway: 'true', renew: 'true' })
  expect(new URL(both.location).pathname).toBe('/auth_web/login')
  expect((await nobody().get(`${LOGIN}?gateway=true`)).location).toBe(`${server.url}/auth_web/login`)
})

test.each([
  ['an unregistered application', 'https://evil.test/', 'not registered'],
  ['one that is disabled', 'https://closed.test/', 'This application is disabled'],
])(
  '%s gets a page that says so, with and without session and gateway, and no ticket',
  async (_what, service, words) => {
    const before = await ticketTraces(server)
    for (const who of [nobody(), browser]) {
      for (const query of [{}, { gateway: 'true' }, { renew: 'true' }, { method: 'POST' }] as Record<
        string,
        string
      >[]) {
        const { status, location, text } = await openService(who, service, query)
        expect([status, location]).toEqual([403, ''])
        expect(text).toContain(words)
      }
    }
    expect(await ticketTraces(server)).toBe(before)
  },
)

test('an application that was not granted gets a page that says so, and no ticket', async () => {
  const before = await ticketTraces(server)
  const { status, location, text } = await openService(browser, 'https://secret.test/')
  expect([status, location]).toEqual([403, ''])
  expect(text).toContain("You don't have access to this application")
  expect(await ticketTraces(server)).toBe(before)
})

test('a grant to an organisation reaches the people below it, at once', async () => {
  const organizations = [
    { code: 'school', name: 'School' },
    { code: 'cs', name: 'CS', parent: 'school' },
  ]
  await applyBootstrap(server.platform, { organizations }, { source: 'test' })
  await addPerson(server, { account: 'deep', organization: 'cs' })
  const deep = await logIn(server, 'deep')
  expect((await openService(deep, 'https://secret.test/')).status).toBe(403)
  await addCasApplication(server, { appId: 'secret', type: 'system', authorized: { organizations: ['school'] } })
  expect(await ticketFor(deep, 'https://secret.test/')).toMatch(/^ST-/)
})

test('an application without a registered address is refused, and none is learned from the request', async () => {
  await addCasApplication(server, { appId: 'empty', serviceUrls: ['https://empty.test/'] })
  await changeApplication(server, 'empty', { service_urls: [] })
  expect((await openService(browser, 'https://empty.test/')).status).toBe(403)
  const [row] = await server.platform.sql<{ serviceUrls: string[] }[]>`
    select service_urls from applications where app_id = 'empty'`
  expect(row?.serviceUrls).toEqual([])
})

test('method=POST hands the ticket over in an escaped form that can only go to the service', async () => {
  const service = 'https://library.test/x?q="><script>alert(1)</script>'.replaceAll(' ', '%20')
  const { status, text, headers } = await openService(browser, service, { method: 'POST' })
  expect(status).toBe(200)
  expect(text).not.toContain('<script>alert')
  expect(text).toMatch(/name="ticket"[^>]*value="ST-\w{29}"|value="ST-\w{29}"[^>]*name="ticket"/)
  expect(headers.get('content-security-policy')).toContain("form-action 'self' https://library.test;")
})

test('an unknown method is a redirect', async () => {
  expect(ticketIn((await openService(browser, LIBRARY, { method: 'CARRIER-PIGEON' })).location)).toMatch(/^ST-/)
})

test('each hop is recorded as a visit, with its session', async () => {
  await ticketFor(browser, LIBRARY)
  const [row] = await server.platform.sql<{ entry: string; known: boolean }[]>`
    select v.entry, s.id is not null as known from visit_records v left join sso_sessions s on s.id = v.sso_session_id
    order by v.at desc limit 1`
  expect(row).toEqual({ entry: 'sign-on', known: true })
})

test('whatever host the headers name, addresses are built from the configured origin', async () => {
  const poison = { 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'javascript', forwarded: 'host=evil.test' }
  const { location, text } = await nobody().get(`${LOGIN}?service=${encodeURIComponent(LIBRARY)}`, poison)
  expect(location.startsWith(`${server.url}/auth_web/login?`)).toBe(true)
  const notice = await nobody().get(`${LOGIN}?service=https://evil2.test/`, poison)
  expect(text + notice.text).not.toContain('evil.test')
})

test('a foreign, ended or invented session cookie is no session', async () => {
  const other = nobody()
  for (const value of ['x', 'TGT-x', 'y'.repeat(4000)]) {
    other.setCookie('CASTGC', value, '/fwk_cas_service/')
    expect((await openService(other, LIBRARY)).location).toContain('/auth_web/login?')
  }
})
