import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Browser, createBrowser } from '../../testing/browser.ts'
import { openService, ticketFor } from '../../testing/cas.ts'
import { addCasApplication, addPerson, logIn } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

const LIBRARY = 'https://library.test/'
const LOGOUT = '/fwk_cas_service/logout'
const withService = (service: string) => `${LOGOUT}?${new URLSearchParams({ service })}`

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  await addPerson(server, { account: '20260001' })
  await addCasApplication(server, { appId: 'library', singleLogout: 'none' })
  await addCasApplication(server, { appId: 'closed', enabled: false })
})
afterAll(() => server.close())

const someone = () => logIn(server, '20260001')
const isLoggedIn = async (browser: Browser) => (await openService(browser, LIBRARY)).location.includes('ticket=')

test('logging out ends the session for good, clears the cookies and says so', async () => {
  const browser = await someone()
  const secret = browser.cookie('CASTGC') ?? ''
  const page = await browser.get(LOGOUT)
  expect([page.status, page.location]).toEqual([200, ''])
  expect(page.text).toContain('You are logged out')
  expect(browser.cookie('CASTGC')).toBeUndefined()
  browser.setCookie('CASTGC', secret, '/fwk_cas_service/')
  expect(await isLoggedIn(browser)).toBe(false)
  const [row] = await server.platform.sql<{ endReason: string; loggedOut: boolean }[]>`
    select end_reason, r.logout_at is not null as logged_out
    from sso_sessions s join login_records r on r.sso_session_id = s.id order by s.opened_at desc limit 1`
  expect(row).toEqual({ endReason: 'logout', loggedOut: true })
})

test('POST logs out too, and a second logout answers like the first', async () => {
  const browser = await someone()
  for (const answer of [await browser.post(LOGOUT, {}), await browser.post(LOGOUT, {}), await browser.get(LOGOUT)]) {
    expect([answer.status, answer.location]).toEqual([200, ''])
  }
  expect(await isLoggedIn(browser)).toBe(false)
})

test('a registered service is returned to, with or without a session, by GET and POST', async () => {
  for (const browser of [await someone(), createBrowser(server)]) {
    const answer = await browser.get(withService(`${LIBRARY}bye?x=1`))
    expect([answer.status, answer.location]).toEqual([302, `${LIBRARY}bye?x=1`])
    expect((await browser.post(LOGOUT, { service: LIBRARY })).location).toBe(LIBRARY)
  }
})

test.each(['https://evil.test/', 'https://closed.test/', 'javascript:alert(1)'])(
  'any other service is not: %s; the logout happens',
  async (service) => {
    const browser = await someone()
    const answer = await browser.get(withService(service))
    expect([answer.status, answer.location]).toEqual([200, ''])
    expect(await isLoggedIn(browser)).toBe(false)
  },
)

test('the parameter url of protocol 2.0 is ignored, even a registered one', async () => {
  const answer = await (await someone()).get(`${LOGOUT}?url=${encodeURIComponent(LIBRARY)}`)
  expect([answer.status, answer.location]).toEqual([200, ''])
  expect(answer.text).not.toContain('library.test')
})

const navigation = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
const EVIL: [string, 'get' | 'post', Record<string, string>][] = [
  ['a picture', 'get', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
  ['a picture in one of our own pages', 'get', { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'image' }],
  ['a script', 'get', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
  ['a frame', 'get', { ...navigation, 'sec-fetch-dest': 'iframe' }],
  ['a prefetch', 'get', { 'sec-fetch-site': 'same-origin', 'sec-purpose': 'prefetch;prerender' }],
  ['a link', 'get', { ...navigation, referer: 'https://evil.test/' }],
  ['a link that hides where it is', 'get', navigation],
  ['a link from a neighbour', 'get', { ...navigation, 'sec-fetch-site': 'same-site' }],
  ['a link of a browser without fetch metadata', 'get', { referer: 'https://evil.test/page' }],
  ['a form', 'post', { ...navigation, origin: 'https://evil.test' }],
  ['a form without metadata', 'post', { origin: 'https://evil.test' }],
  ['a form of an opaque origin', 'post', { origin: 'null' }],
  ['a form of an application', 'post', { ...navigation, origin: 'https://library.test', referer: LIBRARY }],
  ['a form that the person sent', 'post', { ...navigation, 'sec-fetch-user': '?1', origin: 'https://library.test' }],
  ['a click in a frame', 'get', { ...navigation, 'sec-fetch-dest': 'iframe', 'sec-fetch-user': '?1' }],
  ['a click that is only prepared', 'get', { ...navigation, 'sec-fetch-user': '?1', purpose: 'prefetch' }],
  [
    'a picture in an application',
    'get',
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image', referer: LIBRARY },
  ],
]
test.each(EVIL)('%s on another site’s page changes nothing but asks', async (_what, method, headers) => {
  for (const address of [LOGOUT, withService(LIBRARY)]) {
    const browser = await someone()
    const answer = method === 'get' ? await browser.get(address, headers) : await browser.post(address, {}, headers)
    expect([answer.status, answer.location]).toEqual([200, ''])
    expect(answer.text).toContain('Log out everywhere?')
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(await isLoggedIn(browser)).toBe(true)
  }
})

const click = { ...navigation, 'sec-fetch-user': '?1' }
test.each([
  ['no Referer', click],
  ['a Referer of its own', { ...click, referer: LIBRARY }],
  ['a Referer on a host that is not registered', { ...click, referer: 'https://www.library.test/' }],
] as [string, Record<string, string>][])(
  'a user’s own click with a registered service as destination logs out without asking, with %s',
  async (_what, headers) => {
    const browser = await someone()
    expect((await browser.get(withService(LIBRARY), headers)).location).toBe(LIBRARY)
    expect(await isLoggedIn(browser)).toBe(false)
  },
)

test.each(['https://evil.test/', 'https://closed.test/', ''])(
  'the same click asks if it names no enabled registered service: %j',
  async (service) => {
    const browser = await someone()
    const answer = await browser.get(service === '' ? LOGOUT : withService(service), click)
    expect(answer.text).toContain('Log out everywhere?')
    expect(await isLoggedIn(browser)).toBe(true)
  },
)

test('the button of that page logs out and goes on to the service', async () => {
  const browser = await someone()
  const page = await browser.get(withService(LIBRARY), navigation)
  const link = /href="(\/fwk_cas_service\/logout\?service=[^"]*)"[^>]*>Log out</.exec(page.text)?.[1] ?? ''
  const sent = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document', referer: `${server.url}/` }
  expect((await browser.get(link.replaceAll('&amp;', '&'), sent)).location).toBe(LIBRARY)
  expect(await isLoggedIn(browser)).toBe(false)
})

test('choosing a language on that page asks again', async () => {
  const browser = await someone()
  const page = await browser.get(withService(LIBRARY), navigation)
  const link = /<a href="([^"]+)" lang="zh-TW"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const again = await browser.get(link, { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document' })
  expect([again.status, again.location]).toEqual([200, ''])
  expect(again.text).toContain('zh-TW')
  expect(await isLoggedIn(browser)).toBe(true)
})

test.each([
  ['its own logout link', { ...navigation, referer: LIBRARY }],
  ['its own logout link, from a browser without fetch metadata', { referer: LIBRARY }],
] as [string, Record<string, string>][])(
  'an application that the person is in logs out without a prompt: %s',
  async (_what, headers) => {
    for (const [address, location] of [
      [withService(LIBRARY), LIBRARY],
      [LOGOUT, ''],
    ] as const) {
      const browser = await someone()
      await ticketFor(browser, LIBRARY)
      expect((await browser.get(address, headers)).location).toBe(location)
      expect(await isLoggedIn(browser)).toBe(false)
    }
  },
)

test('a typed address and a script log out without a prompt', async () => {
  for (const headers of [{ ...navigation, 'sec-fetch-site': 'none' }, {}] as Record<string, string>[]) {
    const browser = await someone()
    await browser.get(LOGOUT, headers)
    expect(await isLoggedIn(browser)).toBe(false)
  }
})
