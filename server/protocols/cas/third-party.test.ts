import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBrowser } from '../../testing/browser.ts'
import { addCasApplication, addPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { enterPortal } from '../../testing/sign-in.ts'
import {
  addCampusId,
  addLinkedPerson,
  addProvider,
  atProvider,
  callbackOf,
  isIn,
  logInBy,
  pendingOf,
  returnFromProvider,
} from '../../testing/third-party.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await addCasApplication(server, { appId: 'library' })
})
afterAll(() => server.close())

const SERVICE = 'https://library.test/'

/** A person linked to Li Lei of Campus ID; whoever was linked before no longer is. */
const bound = (person?: object) => addLinkedPerson(server, undefined, person)

const pathOf = (address: string) => address.slice(server.url.length)
const loginPath = '/auth_service/third_party/campus-id/login/'

test('a login by a provider leads to the wanted application, like any other', async () => {
  await addCampusId(server)
  const page = await bound()
  const browser = createBrowser(server)
  const answer = await logInBy(server, browser, { service: SERVICE })
  expect(answer.status).toBe(302)
  expect(answer.location).toMatch(/^https:\/\/library\.test\/\?ticket=ST-/)
  const ticket = new URL(answer.location).searchParams.get('ticket') ?? ''
  const query = new URLSearchParams({ service: SERVICE, ticket })
  const validated = await browser.get(`/fwk_cas_service/p3/serviceValidate?${query}`)
  expect(validated.text).toContain(`<cas:user>${page.user.account}</cas:user>`)
  expect(validated.text).toContain('<cas:isFromNewLogin>true</cas:isFromNewLogin>')
})

test('the login page has a button with the name of each enabled provider, and none if a new login is required', async () => {
  const campus = await addCampusId(server, { names: { zh_CN: '校园通' } })
  const page = await createBrowser(server).get(`/auth_web/login?service=${encodeURIComponent(SERVICE)}`)
  expect(page.text).toContain('Campus ID</a>')
  expect(page.text).toContain(`/auth_service/third_party/campus-id/login?service=${encodeURIComponent(SERVICE)}`)
  const chinese = await createBrowser(server).get('/auth_web/login', { 'accept-language': 'zh-CN' })
  expect(chinese.text).toContain('校园通</a>')
  const renewed = await createBrowser(server).get(`/auth_web/login?renew=true&service=${encodeURIComponent(SERVICE)}`)
  expect(renewed.text).not.toContain('Campus ID</a>')
  await addProvider(server, campus, { enabled: false })
  const without = await createBrowser(server).get('/auth_web/login')
  expect(without.text).not.toContain('Campus ID</a>')
  await addProvider(server, campus, { enabled: true })
})

test('the address that is registered at the provider never changes, and the state is random letters and digits', async () => {
  await addCampusId(server)
  const states = new Set<string>()
  for (const service of [SERVICE, `${SERVICE}?a=b`, '']) {
    const { location } = await createBrowser(server).get(`${loginPath}?service=${encodeURIComponent(service)}`)
    const address = new URL(location)
    expect(address.searchParams.get('redirect_uri')).toBe(callbackOf(server, 'campus-id'))
    expect(location).not.toContain('library')
    expect(location).not.toContain('secret')
    expect(address.searchParams.get('state')).toMatch(/^[a-zA-Z0-9]{32}$/)
    states.add(address.searchParams.get('state') ?? '')
  }
  expect(states.size).toBe(3)
})

test('a state is valid once, for ten minutes, in its browser and for its provider', async () => {
  const campus = await addCampusId(server)
  await addProvider(server, campus, { key: 'other-id', name: 'Other ID', position: 1 })
  await bound()
  const begin = async (browser = createBrowser(server)) => {
    const start = await browser.get(loginPath)
    return { browser, back: pathOf(await atProvider(start.location, { user: '30000001' })) }
  }
  const refused = async ({ browser, back }: { browser: ReturnType<typeof createBrowser>; back: string }) => {
    const answer = await browser.get(back)
    expect([answer.status, answer.text.includes('Please start again')]).toEqual([400, true])
    expect(isIn(browser)).toBe(false)
  }
  // Used twice.
  const twice = await begin()
  expect((await twice.browser.get(twice.back)).status).toBe(302)
  await refused(twice)
  // In another browser; after that it is invalid in its own as well.
  const own = await begin()
  const other = createBrowser(server)
  await other.get(loginPath)
  await refused({ browser: other, back: own.back })
  await refused(own)
  // Too late.
  const late = await begin()
  server.advance(601)
  await refused(late)
  // Absent, empty, unknown, twice.
  const { browser, back } = await begin()
  const url = new URL(back, server.url)
  for (const state of [null, '', 'x'.repeat(32)]) {
    const altered = new URL(url)
    if (state === null) altered.searchParams.delete('state')
    else altered.searchParams.set('state', state)
    await refused({ browser, back: altered.pathname + altered.search })
  }
  await refused({ browser, back: `${back}&state=${url.searchParams.get('state')}` })
  // The code of one provider at the callback of another.
  const crossed = await begin()
  await refused({ ...crossed, back: crossed.back.replace('/campus-id/', '/other-id/') })
  await refused(crossed)
  await server.platform.sql`delete from third_party_providers where key = 'other-id'`
  await server.platform.cache.invalidate(server.platform.sql, 'third-party-providers')
})

test('a callback that nobody began, and a step that nobody proved, lead nowhere', async () => {
  await addCampusId(server)
  await bound()
  const browser = createBrowser(server)
  expect((await browser.get('/auth_service/third_party/campus-id/callback/?code=x&state=y')).status).toBe(400)
  expect((await browser.get('/auth_service/third_party/nobody/callback/?code=x&state=y')).status).toBe(400)
  expect((await browser.get('/auth_service/third_party/nobody/login/')).status).toBe(404)
  expect((await browser.get('/fwk_cas_service/third_party?proof=')).status).toBe(400)
  expect((await browser.get(`/fwk_cas_service/third_party?proof=${'x'.repeat(32)}`)).status).toBe(400)
  // What was proved in one browser is useless in another, and works only once.
  const back = await returnFromProvider(server, browser)
  const stranger = createBrowser(server)
  await stranger.get(loginPath)
  expect((await stranger.get(pathOf(back.location))).status).toBe(400)
  expect((await browser.get(pathOf(back.location))).status).toBe(400)
  expect([isIn(browser), isIn(stranger)]).toEqual([false, false])
  // A browser that prefetches the link does not consume it.
  const again = await returnFromProvider(server, browser)
  expect((await browser.get(pathOf(again.location), { 'sec-purpose': 'prefetch' })).status).toBe(204)
  await browser.get(pathOf(again.location))
  expect(isIn(browser)).toBe(true)
})

test('a login flow can not link, and a linking flow can not log in', async () => {
  await addCampusId(server)
  await server.platform.sql`delete from third_party_accounts`
  await addPerson(server, { account: 'crossed' })
  const page = await enterPortal(server, 'crossed')
  const login = await returnFromProvider(server, page.browser)
  const proof = new URL(login.location).searchParams.get('proof') ?? ''
  const asBinding = await page.call('/third_party_account/complete/', { body: { code: proof } })
  expect(asBinding.envelope.code).toBe('third-party.flow-invalid')
  await page.call('/reauthentication/submit/', { body: { method: 'password', answer: 'Correct-horse-9' } })
  const pending = await pendingOf(page)
  expect(pending).toMatch(/^\w{32}$/)
  expect((await page.browser.get(`/fwk_cas_service/third_party?proof=${pending}`)).status).toBe(400)
})

test('a person who declines at the provider returns to the login, for the same application', async () => {
  await addCampusId(server)
  const browser = createBrowser(server)
  const start = await browser.get(`${loginPath}?service=${encodeURIComponent(SERVICE)}`)
  const answer = await browser.get(pathOf(await atProvider(start.location, { refuse: 'access_denied' })))
  expect(answer.location).toBe(`${server.url}/fwk_cas_service/login?service=${encodeURIComponent(SERVICE)}`)
})

test('a login that begins with a foreign address ends on our own pages', async () => {
  await addCampusId(server)
  await bound()
  const foreign = [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    'javascript:alert(1)',
    `${server.url}@evil.example/`,
    `${SERVICE.slice(0, -1)}.evil.example/`,
    'https://evil.example/\r\nSet-Cookie: x=1',
  ]
  for (const address of foreign) {
    for (const name of ['service', 'redirect', 'redirect_uri', 'next', 'url']) {
      const browser = createBrowser(server)
      const start = await browser.get(`${loginPath}?${new URLSearchParams({ [name]: address })}`)
      let answer = await browser.get(pathOf(await atProvider(start.location, { user: '30000001' })))
      while (answer.location.startsWith(`${server.url}/`)) answer = await browser.get(pathOf(answer.location))
      expect([name, address, answer.location]).toEqual([name, address, ''])
    }
  }
})

test('line breaks in what comes back to the callback split no header', async () => {
  await addCampusId(server)
  const breaks = 'x\r\nSet-Cookie: planted=1\r\n\r\n<b>'
  for (const altered of [{ code: breaks }, { state: breaks }, { error: breaks }, { error_description: breaks }]) {
    const browser = createBrowser(server)
    const start = new URL((await browser.get(loginPath)).location)
    const state = start.searchParams.get('state') ?? ''
    const query = new URLSearchParams({ code: 'x', state, ...altered })
    const answer = await browser.get(`/auth_service/third_party/campus-id/callback/?${query}`)
    expect([answer.status, answer.location]).toEqual([400, ''])
    expect([browser.cookie('planted'), answer.text.includes('<b>')]).toEqual([undefined, false])
  }
})
