import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBrowser } from '../../testing/browser.ts'
import { openService, ticketFor, ticketIn, ticketTraces, validateP3 } from '../../testing/cas.ts'
import { addCasApplication, addPerson, logIn, PASSWORD, postLogin } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

const LIBRARY = 'https://library.test/'
const LOGIN = '/fwk_cas_service/login'
const JSON_ONLY = { accept: 'application/json' }
const FORM = { username: '20260001', password: PASSWORD }

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  await addPerson(server, { account: '20260001' })
  await addPerson(server, { account: '20260002' })
  await addPerson(server, { account: '20260003' })
  await addPerson(server, { account: 'first', mustChangePassword: true })
  await addCasApplication(server, { appId: 'library' })
  await addCasApplication(server, { appId: 'closed', enabled: false })
  await addCasApplication(server, { appId: 'secret', type: 'system' })
})
afterAll(() => server.close())

const at = (service: string) => `${LOGIN}?service=${encodeURIComponent(service)}`

test('a form post answers 302 to the service with a ticket, sets the cookie, and never repeats the password', async () => {
  const browser = createBrowser(server)
  const { status, location, headers } = await browser.post(at(LIBRARY), FORM)
  expect(status).toBe(302)
  expect(location).toMatch(/^https:\/\/library\.test\/\?ticket=ST-\w{29}$/)
  expect(headers.get('cache-control')).toBe('no-store')
  const cookie = headers.getSetCookie().find((line) => line.startsWith('CASTGC='))
  expect(cookie).toMatch(/^CASTGC=TGT-[A-Za-z0-9]{43}; Path=\/fwk_cas_service\/; HttpOnly; SameSite=Lax$/)
  expect((await validateP3(server, LIBRARY, ticketIn(location))).user).toBe('20260001')
})

test('the service may come in the hidden field of the form', async () => {
  const { location } = await createBrowser(server).post(LOGIN, { ...FORM, service: LIBRARY })
  expect(ticketIn(location)).toMatch(/^ST-/)
})

test('a script that asks for JSON gets the address in an envelope', async () => {
  const browser = createBrowser(server)
  const sent = { ...JSON_ONLY, 'content-type': 'application/json' }
  const answer = await browser.post(at(LIBRARY), FORM, sent)
  expect(answer.status).toBe(200)
  const { state, data } = answer.json<{ state: number; data: { redirectUrl: string } }>()
  expect(state).toBe(200)
  expect((await validateP3(server, LIBRARY, ticketIn(data.redirectUrl))).user).toBe('20260001')
})

test('a script gets a ticket for method=POST through a page that posts it, once', async () => {
  const browser = createBrowser(server)
  const answer = await browser.post(`${at(LIBRARY)}&method=POST`, FORM, JSON_ONLY)
  const { redirectUrl } = answer.json<{ data: { redirectUrl: string } }>().data
  expect(new URL(redirectUrl).origin).toBe(server.url)
  const page = await browser.get(redirectUrl)
  const ticket = /ST-\w{29}/.exec(page.text)?.[0] ?? ''
  const renewed = await fetch(
    `${server.url}/fwk_cas_service/serviceValidate?service=${LIBRARY}&ticket=${ticket}&renew=true`,
  )
  expect(await renewed.text()).toContain('20260001')
  expect((await browser.get(redirectUrl)).text).not.toContain(ticket)
})

test('a login without a service says that it worked', async () => {
  const page = await createBrowser(server).post(LOGIN, FORM)
  expect([page.status, page.location]).toEqual([200, ''])
  expect(page.text).toContain('You are logged in')
  const answer = await createBrowser(server).post(LOGIN, FORM, JSON_ONLY)
  expect(answer.json<{ data: unknown }>().data).toEqual({ redirectUrl: `${server.url}/auth_web/` })
})

test('a wrong password is refused in both shapes, the typed name stays, the password does not', async () => {
  const wrong = { username: '20260003', password: 'Wrong-canary-7' }
  const page = await createBrowser(server).post(at(LIBRARY), wrong)
  expect([page.status, page.location]).toEqual([401, ''])
  expect(page.text).toContain('20260003')
  expect(page.text).not.toContain('Wrong-canary-7')
  expect(page.headers.getSetCookie().some((line) => line.startsWith('CASTGC'))).toBe(false)
  const answer = await createBrowser(server).post(at(LIBRARY), wrong, JSON_ONLY)
  expect([answer.status, answer.json<{ state: number; code: string }>().code]).toEqual([401, 'sign-in.refused'])
})

test('a form shown again can be used: it keeps service, renew and method', async () => {
  const wrong = { username: '20260003', password: 'no' }
  const page = await createBrowser(server).post(`${at(LIBRARY)}&renew=true&method=POST`, wrong)
  const action = /<form[^>]*action="([^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect(Object.fromEntries(new URL(action, server.url).searchParams)).toEqual({
    service: LIBRARY,
    renew: 'true',
    method: 'POST',
  })
})

test.each([
  ['an unregistered application', 'https://evil.test/', 'application.unknown'],
  ['one that is switched off', 'https://closed.test/', 'application.disabled'],
])('%s is refused before a credential is looked at', async (_what, service, code) => {
  const { sql } = server.platform
  const count = async () => (await sql`select from login_records`).count
  const before = await count()
  for (const form of [FORM, { ...FORM, password: 'wrong' }]) {
    const page = await createBrowser(server).post(at(service), form)
    expect([page.status, page.location]).toEqual([403, ''])
    expect(page.headers.getSetCookie().some((line) => line.startsWith('CASTGC'))).toBe(false)
    const answer = await createBrowser(server).post(at(service), form, JSON_ONLY)
    expect([answer.status, answer.json<{ code: string }>().code]).toEqual([403, code])
  }
  expect(await count()).toBe(before)
})

test('a login towards an application that was not granted logs in, but issues no ticket', async () => {
  const before = await ticketTraces(server)
  const browser = createBrowser(server)
  const page = await browser.post(at('https://secret.test/'), FORM)
  expect([page.status, page.location]).toEqual([403, ''])
  expect(await ticketTraces(server)).toBe(before)
  expect(await ticketFor(browser, LIBRARY)).toMatch(/^ST-/)
})

test.each([
  [{ origin: 'https://evil.test' }],
  [{ 'sec-fetch-site': 'cross-site' }],
  [{ 'sec-fetch-site': 'same-site' }],
  [{ origin: 'null' }],
] as Record<string, string>[][])('another site can not log a browser in: %j', async (headers) => {
  for (const shape of [{}, JSON_ONLY]) {
    const browser = createBrowser(server)
    const answer = await browser.post(at(LIBRARY), FORM, { ...headers, ...shape })
    expect([answer.status, answer.location]).toEqual([403, ''])
    expect(browser.cookie('CASTGC')).toBeUndefined()
  }
})

test('our own page, and a script without headers of a browser, may', async () => {
  for (const headers of [{ origin: server.url, 'sec-fetch-site': 'same-origin' }, {}] as Record<string, string>[]) {
    expect((await createBrowser(server).post(at(LIBRARY), FORM, headers)).status).toBe(302)
  }
})

test('another person at the same browser ends the first one’s session; the same person renews it', async () => {
  const { sql } = server.platform
  const browser = await logIn(server, '20260001')
  const first = browser.cookie('CASTGC') ?? ''
  await postLogin(browser, { username: '20260001' })
  const second = browser.cookie('CASTGC') ?? ''
  expect(second).not.toBe(first)
  const open = async (account: string) =>
    (
      await sql`select from sso_sessions s join users u on u.id = s.user_id where u.account = ${account} and ended_at is null`
    ).count
  const before = await open('20260001')
  await postLogin(browser, { username: '20260002' })
  expect(await open('20260001')).toBe(before - 1)
  const ticket = await ticketFor(browser, LIBRARY)
  expect((await validateP3(server, LIBRARY, ticket)).user).toBe('20260002')
  for (const old of [first, second]) {
    const thief = createBrowser(server)
    thief.setCookie('CASTGC', old, '/fwk_cas_service/')
    expect((await openService(thief, LIBRARY)).location).toContain('/auth_web/login?')
  }
})

test('a person who must change the password is redirected there from every application, and gets no ticket', async () => {
  const before = await ticketTraces(server)
  const browser = createBrowser(server)
  const there = `${server.url}/auth_web/forgot-password?type=2&service=${encodeURIComponent(LIBRARY)}`
  const posted = await browser.post(at(LIBRARY), { ...FORM, username: 'first' })
  expect([posted.status, posted.location]).toEqual([302, there])
  expect((await openService(browser, LIBRARY)).location).toBe(there)
  expect((await openService(browser, LIBRARY, { gateway: 'true' })).location).toBe(LIBRARY)
  const scripted = await createBrowser(server).post(at(LIBRARY), { ...FORM, username: 'first' }, JSON_ONLY)
  expect(scripted.json<{ data: unknown }>().data).toEqual({ redirectUrl: there })
  expect(await ticketTraces(server)).toBe(before)
})

test.each([
  [{}],
  [{ username: '20260001' }],
  [{ username: '', password: '' }],
  [{ username: 'x'.repeat(300), password: 'x' }],
  [{ username: '20260001', password: 'x'.repeat(2000) }],
] as Record<string, string>[][])('an invalid form is rejected in both formats', async (form) => {
  const page = await createBrowser(server).post(at(LIBRARY), form)
  expect([page.status, page.location]).toEqual([400, ''])
  const answer = await createBrowser(server).post(at(LIBRARY), form, JSON_ONLY)
  expect([answer.status, answer.json<{ code: string }>().code]).toEqual([400, 'request.invalid'])
})

test('warn: every further service is asked about, and the answer counts once, here, for this service', async () => {
  await addCasApplication(server, { appId: 'other' })
  const browser = createBrowser(server)
  const first = await postLogin(browser, { username: '20260001', warn: 'true' }, { service: LIBRARY })
  expect(ticketIn(first.location)).toMatch(/^ST-/)
  const ask = async () => {
    const page = await openService(browser, LIBRARY)
    expect([page.status, page.location]).toEqual([200, ''])
    const link = /href="(\/fwk_cas_service\/login[^"]*continue=\w{32})"/.exec(page.text)?.[1] ?? ''
    return link.replaceAll('&amp;', '&')
  }
  const before = await ticketTraces(server)
  const stolen = await ask()
  const thief = await logIn(server, '20260002', { warn: 'true' })
  expect((await thief.get(stolen)).location).toBe('')
  expect((await browser.get((await ask()).replace('library.test', 'other.test'))).location).toBe('')
  expect((await browser.get(`/fwk_cas_service/login?service=${LIBRARY}&continue=${'x'.repeat(32)}`)).location).toBe('')
  expect(await ticketTraces(server)).toBe(before)
  const link = await ask()
  expect(ticketIn((await browser.get(link)).location)).toMatch(/^ST-/)
  expect((await browser.get(link)).location).toBe('')
})
