import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { signedFetch } from '../../testing/signed.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const LOGOUT = '/auth_service/login/logout/'

const sameOrigin = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }

const lives = async (page: Portal) => (await page.call('/certification_record/current_login/')).status === 200

test('logging out ends the session on every node, forgets the cookies and leaves language and device alone', async () => {
  const node = await server.secondNode()
  const page = await openPortal(server)
  page.browser.setCookie('gatehouse_language', 'en')
  const answer = await page.browser.get(LOGOUT, { ...sameOrigin, accept: 'application/json' })
  expect(answer.status).toBe(200)
  expect(answer.json()).toMatchObject({ state: 200, data: null })
  expect(answer.headers.get('clear-site-data')).toBe('"cache"')
  const gone = answer.headers.getSetCookie().map((line) => line.replace(/; .*?Path/, '; Path'))
  expect(gone).toEqual([expect.stringContaining('gatehouse_portal=; Path=/')])
  expect(page.browser.cookie('gatehouse_language')).toBe('en')
  for (const at of [server, node]) {
    const old = await signedFetch(at, '/certification_record/current_login/', { token: page.token })
    expect(old.status).toBe(401)
  }
  expect(await server.platform.sql`select end_reason from sso_sessions where id = ${page.ssoSessionId}`).toMatchObject([
    { endReason: 'logout' },
  ])
})

test('after a logout the old cookie and token are rejected by every call', async () => {
  const page = await openPortal(server, { isSuperUser: true })
  const cookie = page.browser.cookieHeader('/auth_service/')
  await page.browser.get(LOGOUT, sameOrigin)
  const guarded = server.app.surface.endpoints.filter(
    // Applications are authenticated by their key: a session gives them no access, before or after a logout.
    ({ access }: Endpoint) => access !== 'public' && access !== 'application',
  )
  expect(guarded.length).toBeGreaterThan(5)
  for (const { method, path } of guarded) {
    const answer = await signedFetch(server, path.replace(/\{\w+\}/g, page.user.userId), {
      method,
      ...(method === 'POST' && { body: {} }),
      cookie,
      token: page.token,
    })
    expect([path, answer.status]).toEqual([path, 401])
  }
})

test('a browser that navigates to the logout goes on to the page that says so', async () => {
  const page = await openPortal(server)
  const answer = await page.browser.get(LOGOUT, { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document' })
  expect([answer.status, answer.location]).toEqual([303, `${server.url}/fwk_cas_service/logout`])
  expect(await lives(page)).toBe(false)
})

test('logging out twice, or without a session, is no error', async () => {
  const page = await openPortal(server)
  for (let i = 0; i < 2; i++) {
    expect((await page.browser.get(LOGOUT, { ...sameOrigin, accept: 'application/json' })).status).toBe(200)
  }
})

const notMeant: [string, Record<string, string>][] = [
  ['a picture on another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image', accept: 'image/*' }],
  [
    'a link on another site',
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
  ],
  ['a sister site', { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'document' }],
  ['a prefetch of our own page', { 'sec-fetch-site': 'same-origin', 'sec-purpose': 'prefetch' }],
  ['a prerendering browser', { 'sec-fetch-site': 'none', 'sec-purpose': 'prefetch;prerender' }],
  ['a picture in our own page', { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'image' }],
  ['an old browser that does not say where it comes from', {}],
  ['an old browser that comes from elsewhere', { referer: 'https://evil.test/page' }],
  ['a request with a foreign origin', { origin: 'https://evil.test' }],
  ['a request with a hidden origin', { origin: 'null' }],
]
test.each(notMeant)('%s logs nobody out: it gets a page that asks', async (_, headers) => {
  const page = await openPortal(server)
  const answer = await page.browser.get(LOGOUT, headers)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toContain('text/html')
  expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(answer.text).toContain(`action="${LOGOUT}"`)
  expect(answer.headers.getSetCookie().join()).not.toContain('gatehouse_portal')
  expect(await lives(page)).toBe(true)
})

test('choosing another language on that page asks again instead of logging out', async () => {
  const page = await openPortal(server)
  const asked = await page.browser.get(LOGOUT, { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' })
  const link = asked.text.match(/href="([^"]*lang=zh_TW)"/)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const fromItself = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  const again = await page.browser.get(link, { ...fromItself, referer: server.url + LOGOUT })
  expect([again.status, again.headers.get('content-language')]).toEqual([200, 'zh-TW'])
  expect(again.text).toContain(`action="${LOGOUT}"`)
  expect(await lives(page)).toBe(true)
})

test.each<[string, (page: Portal) => Record<string, string>]>([
  ['names our page as referrer', (page) => ({ referer: `${page.server.url}/auth_web/my-apps` })],
  ['sends the portal token', (page) => ({ token: page.token, accept: 'application/json' })],
])('a browser without fetch metadata that %s logs out at once', async (_, headers) => {
  const page = await openPortal(server)
  await page.browser.get(LOGOUT, headers(page))
  expect(await lives(page)).toBe(false)
})

test('a HEAD request looks but does not log out', async () => {
  const page = await openPortal(server)
  await fetch(server.url + LOGOUT, { method: 'HEAD', headers: { cookie: page.browser.cookieHeader('/auth_service/') } })
  expect(await lives(page)).toBe(true)
})

test('the button of that page logs out, and only from our own page', async () => {
  const page = await openPortal(server)
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' },
    { origin: 'null' },
    { 'sec-fetch-site': 'same-site' },
    {},
  ]
  for (const headers of foreign) {
    const refused = await page.browser.post(LOGOUT, {}, headers)
    expect([headers, refused.status]).toEqual([headers, 403])
    expect(await lives(page)).toBe(true)
  }
  const answer = await page.browser.post(LOGOUT, {}, { origin: server.url, 'sec-fetch-site': 'same-origin' })
  expect([answer.status, answer.location]).toEqual([303, `${server.url}/fwk_cas_service/logout`])
  expect(await lives(page)).toBe(false)
})
