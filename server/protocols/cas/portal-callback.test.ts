import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Browser, createBrowser } from '../../testing/browser.ts'
import { callCas, openService, ticketIn } from '../../testing/cas.ts'
import { addPerson, logIn, postLogin } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { signedFetch } from '../../testing/signed.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  await addPerson(server, { account: '20260001' })
  await addPerson(server, { account: 'first', mustChangePassword: true })
})
afterAll(() => server.close())

const CALLBACK = '/auth_service/cas/login/'

const serviceTo = (redirectUrl: unknown) =>
  `${server.url}${CALLBACK}?casParameter=${encodeURIComponent(JSON.stringify({ redirectUrl }))}`

/** From login to the hand-over code, as a browser does it. */
async function enter(browser: Browser, redirectUrl: unknown): Promise<string> {
  const hop = await openService(browser, serviceTo(redirectUrl))
  return (await browser.get(hop.location)).location
}

const codeIn = (address: string) => new URL(address).searchParams.get('jsessionid') ?? ''

const redeem = (browser: Browser, jsessionid: string) =>
  signedFetch(server, '/login/pc/', { body: { jsessionid }, cookie: browser.cookieHeader('/auth_service/') })

test('the whole way: log in, come back, redeem the code, and be someone', async () => {
  const browser = createBrowser(server)
  await openService(browser, serviceTo(`${server.url}/auth_web/my-apps`))
  const posted = await postLogin(
    browser,
    { username: '20260001' },
    { service: serviceTo(`${server.url}/auth_web/my-apps?x=1#top`) },
  )
  const back = await browser.get(posted.location)
  expect(back.status).toBe(302)
  expect(back.location).toMatch(new RegExp(`^${server.url}/auth_web/my-apps\\?x=1&jsessionid=\\w{32}#top$`))
  const answer = await redeem(browser, codeIn(back.location))
  const { data } = (await answer.json()) as { data: { token: string; fwkAuthUserInformation: { account: string } } }
  expect(data.fwkAuthUserInformation.account).toBe('20260001')
  expect(data.token).toMatch(/^\w{43}$/)
})

test('a code works once, for a minute', async () => {
  const browser = await logIn(server, '20260001')
  const code = codeIn(await enter(browser, '/auth_web/'))
  expect((await redeem(browser, code)).status).toBe(200)
  expect((await redeem(browser, code)).status).toBe(401)
  const late = codeIn(await enter(browser, '/auth_web/'))
  server.advance(61)
  expect((await redeem(browser, late)).status).toBe(401)
})

test('neither the portal’s ticket nor its code is valid in another browser', async () => {
  const browser = await logIn(server, '20260001')
  const thief = createBrowser(server)
  await openService(thief, serviceTo('/auth_web/'))
  const hop = await openService(browser, serviceTo('/auth_web/'))
  expect(codeIn((await thief.get(hop.location)).location)).toBe('')
  expect((await redeem(thief, codeIn(await enter(browser, '/auth_web/')))).status).toBe(401)
})

test('a browser cookie planted before the login can not redeem what the login hands over', async () => {
  const planted = 'p'.repeat(32)
  for (const isFormer of [false, true]) {
    const thief = createBrowser(server)
    thief.setCookie('gatehouse_browser', planted)
    if (isFormer) thief.setCookie('gatehouse_former_browser', planted)
    const browser = createBrowser(server)
    browser.setCookie('gatehouse_browser', planted)
    const logInHere = () => postLogin(browser, { username: '20260001' }, { service: serviceTo('/auth_web/') })
    expect(codeIn((await thief.get((await logInHere()).location)).location)).toBe('')
    expect(browser.cookie('gatehouse_browser')).not.toBe(planted)
    browser.setCookie('gatehouse_browser', planted)
    const code = codeIn((await browser.get((await logInHere()).location)).location)
    expect((await redeem(thief, code)).status).toBe(401)
    expect((await redeem(browser, codeIn(await enter(browser, '/auth_web/')))).status).toBe(200)
  }
})

test('the portal’s ticket can not be validated at a validation address', async () => {
  const browser = await logIn(server, '20260001')
  for (const path of ['/serviceValidate', '/p3/serviceValidate', '/p3/proxyValidate', '/validate']) {
    const service = serviceTo('/auth_web/')
    const ticket = ticketIn((await openService(browser, service)).location)
    expect((await callCas(server, path, { service, ticket })).text).not.toContain('20260001')
  }
})

test.each([
  'https://evil.test/',
  '//evil.test/',
  '/\\evil.test',
  'javascript:alert(1)',
  'https://evil.test/auth_web/',
  '/auth_web/../../evil',
  '/fwk_cas_service/logout',
  'x'.repeat(5000),
  42,
  null,
])('a return address elsewhere becomes the home page: %j', async (redirectUrl) => {
  const browser = await logIn(server, '20260001')
  const hop = await browser.get(`${CALLBACK}?${new URL(serviceTo(redirectUrl)).search.slice(1)}`)
  const service = new URL(hop.location).searchParams.get('service') ?? ''
  const back = await browser.get((await openService(browser, service)).location)
  expect(back.location).toMatch(new RegExp(`^${server.url}/auth_web/\\?jsessionid=\\w{32}$`))
})

test('a ticket and a code already in the return address are removed', async () => {
  const browser = await logIn(server, '20260001')
  const location = await enter(browser, '/auth_web/my-apps?ticket=ST-old&a=1&jsessionid=old')
  expect(location).toMatch(/\/auth_web\/my-apps\?a=1&jsessionid=\w{32}$/)
})

test('without a ticket, or with a used one, the login restarts on its own', async () => {
  const browser = await logIn(server, '20260001')
  const hop = await openService(browser, serviceTo('/auth_web/my-apps'))
  await browser.get(hop.location)
  for (const address of [hop.location, serviceTo('/auth_web/my-apps'), `${server.url}${CALLBACK}`]) {
    const again = await browser.get(address)
    expect(new URL(again.location).pathname).toBe('/fwk_cas_service/login')
    const second = await browser.get((await browser.get(again.location)).location)
    expect(codeIn(second.location)).toMatch(/^\w{32}$/)
  }
})

test('a browser that can not keep a login is told so after one more attempt, instead of being redirected in a loop', async () => {
  const address = new URL(serviceTo('/auth_web/'))
  const first = await createBrowser(server).get(address.href)
  const service = new URL(new URL(first.location).searchParams.get('service') ?? '')
  service.searchParams.set('ticket', 'ST-xxxxxxxxxxxxxxxxxxxxxxxxxxxxx')
  const second = await createBrowser(server).get(service.href)
  expect([second.status, second.location]).toEqual([401, ''])
  expect(second.text).toContain('/auth_web/')
})

test('a person who must change the password gets in, marked as such', async () => {
  const browser = createBrowser(server)
  const posted = await postLogin(browser, { username: 'first' }, { service: serviceTo('/auth_web/') })
  const back = await browser.get(posted.location)
  const { data } = (await (await redeem(browser, codeIn(back.location))).json()) as {
    data: { fwkAuthUserInformation: { firstLogin: string } }
  }
  expect(data.fwkAuthUserInformation.firstLogin).toBe('1')
})

test('entering the portal is no visit to an application, and is not asked about', async () => {
  const browser = await logIn(server, '20260001', { warn: 'true' })
  expect(codeIn(await enter(browser, '/auth_web/'))).toMatch(/^\w{32}$/)
  expect((await server.platform.sql`select from visit_records`).count).toBe(0)
})

test('a single-logout message to the portal is accepted and changes nothing', async () => {
  const browser = await logIn(server, '20260001')
  const answer = await createBrowser(server).post(`${CALLBACK}?casParameter=%7B%7D`, { logoutRequest: '<x/>' })
  expect(answer.status).toBe(200)
  expect(codeIn(await enter(browser, '/auth_web/'))).toMatch(/^\w{32}$/)
})
