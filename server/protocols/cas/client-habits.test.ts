import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Browser, createBrowser } from '../../testing/browser.ts'
import { openService, ticketFor, ticketIn, ticketTraces, validateP3 } from '../../testing/cas.ts'
import { addCasApplication, addPerson, logIn, PASSWORD } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

const LOGIN = '/fwk_cas_service/login'
const LOGOUT = '/fwk_cas_service/logout'
const SAML = 'https://saml.test/cas/login?x=1'
const DESK = 'https://desk.test/view?id=7'
const FORM = { username: '20260001', password: PASSWORD }

let server: TestServer
let browser: Browser

beforeAll(async () => {
  server = await startTestServer()
  await addPerson(server, { account: '20260001' })
  await addCasApplication(server, { appId: 'saml' })
  await addCasApplication(server, { appId: 'desk' })
  await addCasApplication(server, { appId: 'exact', serviceUrls: ['https://exact.test/in?a=1'] })
  await addCasApplication(server, { appId: 'closed', enabled: false })
  browser = await logIn(server, '20260001')
})
afterAll(() => server.close())

const withTarget = (target: string, more: Record<string, string> = {}) =>
  `${LOGIN}?${new URLSearchParams({ TARGET: target, ...more })}`

test('a client of SAML 1.1 says TARGET and gets its ticket as SAMLart', async () => {
  const { status, location } = await browser.get(withTarget(SAML))
  expect(status).toBe(302)
  expect(location).toMatch(/^https:\/\/saml\.test\/cas\/login\?x=1&SAMLart=ST-[A-Za-z0-9]{29}$/)
  const ticket = new URL(location).searchParams.get('SAMLart') ?? ''
  expect((await validateP3(server, SAML, ticket)).user).toBe('20260001')
})

test('the SAMLart survives the login page, with script and without', async () => {
  const stranger = createBrowser(server)
  const page = await stranger.get((await stranger.get(withTarget(SAML))).location)
  const action = /<form[^>]*action="([^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect((await stranger.post(action, FORM)).location).toMatch(/^https:\/\/saml\.test\/cas\/login\?x=1&SAMLart=ST-/)
  const answer = await createBrowser(server).post(action, FORM, { accept: 'application/json' })
  expect(answer.json<{ data: { redirectUrl: string } }>().data.redirectUrl).toMatch(/[?&]SAMLart=ST-/)
})

test('TARGET is judged like service, and service takes precedence', async () => {
  expect((await browser.get(withTarget('https://evil.test/'))).status).toBe(403)
  expect((await browser.get(`${withTarget(SAML)}&TARGET=https://evil.test/`)).status).toBe(403)
  expect((await browser.get(withTarget('https://evil.test/', { service: DESK }))).location).toMatch(
    /^https:\/\/desk\.test\/view\?id=7&ticket=ST-/,
  )
  const stranger = await createBrowser(server).get(withTarget(SAML, { gateway: 'true' }))
  expect(stranger.headers.get('location')).toBe(SAML)
})

test.each(['ticket=ST-old', 'ticket=4711', 'SAMLart=ST-old', 'ticket='])(
  'a service that contains %s gets one ticket, and validates with it or without it',
  async (left) => {
    const service = `${DESK}&${left}`
    for (const named of [service, DESK]) {
      const { location } = await openService(browser, service)
      expect(location).toMatch(/^https:\/\/desk\.test\/view\?id=7&ticket=ST-\w{29}$/)
      expect((await validateP3(server, named, ticketIn(location))).user).toBe('20260001')
    }
    expect((await validateP3(server, service, await ticketFor(browser, DESK))).user).toBe('20260001')
  },
)

test('an old ticket in the service does not hide its registration, and goes neither into a form nor back through the gateway', async () => {
  const left = 'https://exact.test/in?a=1&ticket=ST-old'
  expect((await openService(browser, left)).location).toMatch(/^https:\/\/exact\.test\/in\?a=1&ticket=ST-\w{29}$/)
  expect((await openService(browser, 'https://exact.test/in?a=2&ticket=ST-old')).status).toBe(403)
  expect((await openService(browser, left, { method: 'POST' })).text).toContain('action="https://exact.test/in?a=1"')
  const back = await openService(createBrowser(server), left, { gateway: 'true' })
  expect(back.headers.get('location')).toBe('https://exact.test/in?a=1')
})

test('single logout is posted to the service without the old ticket in it', async () => {
  await openService(browser, `${DESK}&ticket=ST-old`)
  const [row] = await server.platform.sql<{ url: string }[]>`
    select service_url as url from session_services order by issued_at desc limit 1`
  expect(row?.url).toBe(DESK)
})

test('method=HEADER is refused with a page that says so, with a session and before credentials are taken', async () => {
  const before = await ticketTraces(server)
  for (const one of [browser, createBrowser(server)]) {
    const { status, location, text } = await openService(one, DESK, { method: 'header' })
    expect([status, location]).toEqual([400, ''])
    expect(text).toContain('(method=HEADER), which isn')
  }
  const stranger = createBrowser(server)
  const posted = await stranger.post(`${LOGIN}?${new URLSearchParams({ service: DESK, method: 'HEADER' })}`, FORM, {
    accept: 'application/json',
  })
  expect([posted.status, posted.json<{ code: string }>().code]).toEqual([400, 'application.header-not-offered'])
  expect(stranger.cookie('CASTGC')).toBeUndefined()
  expect(await ticketTraces(server)).toBe(before)
})

async function head(path: string, from: Browser = browser) {
  const headers = { cookie: from.cookieHeader(LOGIN), accept: 'text/html' }
  const reply = await fetch(server.url + path, { method: 'HEAD', headers, redirect: 'manual' })
  return { status: reply.status, headers: reply.headers, text: await reply.text() }
}

test('HEAD of the login answers as for an anonymous browser, and does nothing', async () => {
  const before = await ticketTraces(server)
  const { sql } = server.platform
  const records = async () => (await sql`select from audit_records`).count
  const recorded = await records()
  for (const from of [browser, createBrowser(server)]) {
    const login = await head(`${LOGIN}?service=${encodeURIComponent(DESK)}`, from)
    expect([login.status, login.text]).toEqual([302, ''])
    expect(login.headers.get('location')).toBe(`${server.url}/auth_web/login?service=${encodeURIComponent(DESK)}`)
    expect(login.headers.getSetCookie()).toEqual([])
    for (const service of ['https://evil.test/', 'https://closed.test/']) {
      expect((await head(`${LOGIN}?service=${encodeURIComponent(service)}`, from)).status).toBe(403)
    }
  }
  expect([await ticketTraces(server), await records()]).toEqual([before, recorded])
})

test('HEAD of the logout logs nobody out, and HEAD of the pages is answered', async () => {
  const { status, headers, text } = await head(`${LOGOUT}?service=${encodeURIComponent(DESK)}`)
  expect([status, headers.get('content-type'), text]).toEqual([200, 'text/html; charset=utf-8', ''])
  expect(headers.getSetCookie()).toEqual([])
  expect(await ticketFor(browser, DESK)).toMatch(/^ST-/)
  expect((await head('/fwk_cas_service/')).status).toBe(302)
  for (const path of [`/auth_web/login?service=${encodeURIComponent(DESK)}`, '/auth_web/']) {
    expect([path, (await head(path)).status]).toEqual([path, 200])
  }
})

test('HEAD with a portal session does not bounce between the login and its page', async () => {
  const headers = { cookie: 'gatehouse_portal=x', accept: 'text/html' }
  const reply = await fetch(`${server.url}${LOGIN}?service=${encodeURIComponent(DESK)}`, { method: 'HEAD', headers })
  expect(reply.status).toBe(200)
})

test('HEAD of a validation consumes no ticket', async () => {
  const ticket = await ticketFor(browser, DESK)
  await head(`/fwk_cas_service/serviceValidate?${new URLSearchParams({ service: DESK, ticket })}`)
  expect((await validateP3(server, DESK, ticket)).user).toBe('20260001')
})
