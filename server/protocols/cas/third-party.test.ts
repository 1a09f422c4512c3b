import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBrowser } from '../../testing/browser.ts'
import { addCasApplication, addPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { type Entered, enterPortal, setPolicy } from '../../testing/sign-in.ts'
import {
  addCampusId,
  addProvider,
  atProvider,
  bindAccount,
  callbackOf,
  comeBack,
  isIn,
  listed,
  logInBy,
  pendingOf,
} from '../../testing/third-party.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await addCasApplication(server, { appId: 'library' })
})
afterAll(() => server.close())

const SERVICE = 'https://library.test/'
let people = 0

/** Somebody who is bound to Li Lei of Campus ID; whoever was before is not. */
async function bound(more: object = {}): Promise<Entered> {
  const account = `bound${++people}`
  await server.platform.sql`delete from third_party_accounts`
  await addPerson(server, { account, ...more })
  const page = await enterPortal(server, account)
  await bindAccount(page)
  return page
}

const pathOf = (address: string) => address.slice(server.url.length)
const loginPath = '/auth_service/third_party/campus-id/login/'

test('a login by another system leads to the application that was wanted, like any other', async () => {
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

test('the login page has a button with the name of each provider in use, and none where a new login is demanded', async () => {
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

test('a state counts once, for ten minutes, in the browser and for the provider that it was made for', async () => {
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
  // In another browser; after that it is over in its own as well.
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
  await server.platform.cache.drop(server.platform.sql, 'third-party-providers')
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
  // What was proved in one browser opens nothing in another, and nothing twice.
  const back = await comeBack(server, browser)
  const stranger = createBrowser(server)
  await stranger.get(loginPath)
  expect((await stranger.get(pathOf(back.location))).status).toBe(400)
  expect((await browser.get(pathOf(back.location))).status).toBe(400)
  expect([isIn(browser), isIn(stranger)]).toEqual([false, false])
  // A browser that gets ready for a click does not spend it.
  const again = await comeBack(server, browser)
  expect((await browser.get(pathOf(again.location), { 'sec-purpose': 'prefetch' })).status).toBe(204)
  await browser.get(pathOf(again.location))
  expect(isIn(browser)).toBe(true)
})

test('a login is no binding, and a binding is no login', async () => {
  await addCampusId(server)
  await server.platform.sql`delete from third_party_accounts`
  await addPerson(server, { account: 'crossed' })
  const page = await enterPortal(server, 'crossed')
  const login = await comeBack(server, page.browser)
  const proof = new URL(login.location).searchParams.get('proof') ?? ''
  const asBinding = await page.call('/third_party_account/complete/', { body: { code: proof } })
  expect(asBinding.envelope.code).toBe('third-party.flow-invalid')
  await page.call('/identity_proof/prove/', { body: { method: 'password', answer: 'Correct-horse-9' } })
  const pending = await pendingOf(page)
  expect(pending).toMatch(/^\w{32}$/)
  expect((await page.browser.get(`/fwk_cas_service/third_party?proof=${pending}`)).status).toBe(400)
})

test('an unknown account is told so and opens nothing, and the record shows the try without a name', async () => {
  await addCampusId(server)
  await server.platform.sql`delete from third_party_accounts`
  // The same phone and mailbox as at the provider link nobody by themselves.
  await addPerson(server, { account: 'lilei', phone: '13800000001', mailbox: 'lilei@example.edu' })
  const browser = createBrowser(server)
  const answer = await logInBy(server, browser, { service: SERVICE })
  expect(answer.status).toBe(403)
  expect(answer.text).toMatch(/isn.{1,8}t bound here yet/)
  expect(isIn(browser)).toBe(false)
  const [record] = await server.platform.sql`
    select account, user_id as "userId", reason, succeeded from login_records where auth_type = 'campus-id' order by at desc limit 1`
  expect(record).toEqual({ account: '***', userId: null, reason: 'third-party.unbound', succeeded: false })
})

test('an administrator may let verified numbers match; unverified ones, administrators and doubtful cases never do', async () => {
  const campus = await addCampusId(server, { matchBy: ['phone', 'mailbox'] })
  await server.platform.sql`delete from third_party_accounts`
  const comesIn = async (user = '30000002') => {
    const browser = createBrowser(server)
    await logInBy(server, browser, { user })
    return isIn(browser)
  }
  await addPerson(server, { account: 'han', phone: '13800000002' })
  expect(await comesIn()).toBe(false)
  campus.person = { phone_number_verified: true }
  expect(await comesIn()).toBe(true)
  const notices = await server.platform.sql`select 1 from messages where template = 'notice.third-party-bound'`
  expect(notices.length).toBeGreaterThan(0)
  // Phone and mailbox of two different people.
  await server.platform.sql`delete from third_party_accounts`
  await addPerson(server, { account: 'other', mailbox: 'han@example.edu' })
  campus.person = { phone_number_verified: true, email_verified: true }
  expect(await comesIn()).toBe(false)
  // A super user.
  await addPerson(server, { account: 'boss', phone: '13800000003', isSuperUser: true })
  campus.person = { phone_number_verified: true }
  expect(await comesIn('30000003')).toBe(false)
  await addProvider(server, campus, { matchBy: [] })
})

test.each([
  ['disabled', 'enabled = false', 'account.disabled'],
  ['frozen', "frozen_from = now() - interval '1 hour'", 'account.frozen'],
  ['locked by an administrator', "locked_at = now() - interval '1 hour'", 'account.locked'],
  ['inactive', 'activated = false', 'account.inactive'],
])(
  'a person who is %s is refused, even when that happens while they are at the provider',
  async (_, change, reason) => {
    await addCampusId(server)
    const page = await bound()
    const browser = createBrowser(server)
    const back = await comeBack(server, browser)
    await server.platform.sql.unsafe(`update users set ${change} where id = '${page.user.userId}'`)
    const answer = await browser.get(pathOf(back.location))
    expect(answer.status).toBe(403)
    expect(isIn(browser)).toBe(false)
    const [record] = await server.platform.sql<{ reason: string; authType: string }[]>`
    select reason, auth_type as "authType" from login_records where user_id = ${page.user.userId} order by at desc limit 1`
    expect(record).toMatchObject({ authType: 'campus-id', reason })
  },
)

test('a provider that is switched off, and a binding that goes, count while somebody is on the way', async () => {
  const campus = await addCampusId(server)
  await bound()
  const browser = createBrowser(server)
  const start = await browser.get(loginPath)
  const back = pathOf(await atProvider(start.location, { user: '30000001' }))
  await addProvider(server, campus, { enabled: false })
  expect((await browser.get(back)).status).toBe(404)
  await addProvider(server, campus, { enabled: true })
  const step = pathOf((await comeBack(server, browser)).location)
  await addProvider(server, campus, { enabled: false })
  expect((await browser.get(step)).status).toBe(404)
  await addProvider(server, campus, { enabled: true })
  const later = pathOf((await comeBack(server, browser)).location)
  await server.platform.sql`delete from third_party_accounts`
  expect((await browser.get(later)).status).toBe(403)
  expect(isIn(browser)).toBe(false)
})

test('whoever must change the password first gets no further by another system', async () => {
  await addCampusId(server)
  const page = await bound()
  await server.platform.sql`update users set must_change_password = true where id = ${page.user.userId}`
  const browser = createBrowser(server)
  const answer = await logInBy(server, browser, { service: SERVICE })
  expect(answer.location).toContain('/auth_web/forgot-password?type=2')
})

test('a person who says no at the provider is back at the login, for the same application', async () => {
  await addCampusId(server)
  const browser = createBrowser(server)
  const start = await browser.get(`${loginPath}?service=${encodeURIComponent(SERVICE)}`)
  const answer = await browser.get(pathOf(await atProvider(start.location, { refuse: 'access_denied' })))
  expect(answer.location).toBe(`${server.url}/fwk_cas_service/login?service=${encodeURIComponent(SERVICE)}`)
})

test('logging in as somebody else ends the login that was there', async () => {
  await addCampusId(server)
  const page = await bound()
  await addPerson(server, { account: 'before' })
  const before = await enterPortal(server, 'before')
  await logInBy(server, before.browser)
  expect((await before.call('/third_party_account/list/')).status).toBe(401)
  expect((await listed(page))[0]?.bound?.lastUsedAt).not.toBeNull()
})

test('a rule about second factors holds for this way in too', async () => {
  await addCampusId(server)
  const page = await bound()
  await server.platform.sql`update users set is_super_user = true where id = ${page.user.userId}`
  await setPolicy(server, { secondFactorSuperUsers: true })
  const answer = await logInBy(server, createBrowser(server), { service: SERVICE })
  expect(answer.location).not.toContain('ticket=')
})
