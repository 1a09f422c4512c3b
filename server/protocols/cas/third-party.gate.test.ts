import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBrowser } from '../../testing/browser.ts'
import { addCasApplication, addPerson } from '../../testing/people.ts'
import { setUpApp, totpCode } from '../../testing/second-factors.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { enterPortal, setPolicy } from '../../testing/sign-in.ts'
import {
  addCampusId,
  addLinkedPerson,
  addProvider,
  atProvider,
  isIn,
  listed,
  logInBy,
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

test('an unknown account is told so and gets no access, and the attempt is recorded without a name', async () => {
  await addCampusId(server)
  await server.platform.sql`delete from third_party_accounts`
  // The same phone and mailbox as at the provider link nobody on their own.
  await addPerson(server, { account: 'lilei', phone: '13800000001', mailbox: 'lilei@example.edu' })
  const browser = createBrowser(server)
  const answer = await logInBy(server, browser, { service: SERVICE })
  expect(answer.status).toBe(403)
  expect(answer.text).toMatch(/isn.{1,8}t linked yet/)
  expect(isIn(browser)).toBe(false)
  const [record] = await server.platform.sql`
    select account, user_id, reason, succeeded from login_records where auth_type = 'campus-id' order by at desc limit 1`
  expect(record).toEqual({ account: '***', userId: null, reason: 'third-party.unbound', succeeded: false })
})

test('an administrator may let verified numbers match; unverified ones, administrators and ambiguous cases never do', async () => {
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
    const back = await returnFromProvider(server, browser)
    await server.platform.sql.unsafe(`update users set ${change} where id = '${page.user.userId}'`)
    const answer = await browser.get(pathOf(back.location))
    expect(answer.status).toBe(403)
    expect(isIn(browser)).toBe(false)
    const [record] = await server.platform.sql<{ reason: string; authType: string }[]>`
    select reason, auth_type from login_records where user_id = ${page.user.userId} order by at desc limit 1`
    expect(record).toMatchObject({ authType: 'campus-id', reason })
  },
)

test('disabling a provider, and unlinking, take effect while somebody is at the provider', async () => {
  const campus = await addCampusId(server)
  await bound()
  const browser = createBrowser(server)
  const start = await browser.get(loginPath)
  const back = pathOf(await atProvider(start.location, { user: '30000001' }))
  await addProvider(server, campus, { enabled: false })
  expect((await browser.get(back)).status).toBe(404)
  await addProvider(server, campus, { enabled: true })
  const step = pathOf((await returnFromProvider(server, browser)).location)
  await addProvider(server, campus, { enabled: false })
  expect((await browser.get(step)).status).toBe(404)
  await addProvider(server, campus, { enabled: true })
  const later = pathOf((await returnFromProvider(server, browser)).location)
  await server.platform.sql`delete from third_party_accounts`
  expect((await browser.get(later)).status).toBe(403)
  expect(isIn(browser)).toBe(false)
})

test('a person who must change the password first gets no further through a provider', async () => {
  await addCampusId(server)
  const page = await bound()
  await server.platform.sql`update users set must_change_password = true where id = ${page.user.userId}`
  const browser = createBrowser(server)
  const answer = await logInBy(server, browser, { service: SERVICE })
  expect(answer.location).toContain('/auth_web/forgot-password?type=2')
})

test('an address that presents many invalid codes is rate-limited, before the provider blocks the whole installation', async () => {
  const campus = await addCampusId(server)
  await bound()
  const guess = async () => {
    const browser = createBrowser(server)
    const { location } = await browser.get(loginPath)
    const state = new URL(location).searchParams.get('state') ?? ''
    return (await browser.get(`/auth_service/third_party/campus-id/callback?code=guessed&state=${state}`)).status
  }
  for (let round = 0; round < 5; round++) {
    const statuses = await Promise.all(Array.from({ length: 20 }, guess))
    expect(new Set(statuses)).toEqual(new Set([400]))
  }
  campus.calls = []
  expect(await guess()).toBe(429)
  expect(campus.calls.filter((call) => call.includes('token'))).toEqual([])
  server.advance(601)
  expect(await guess()).toBe(400)
})

test('logging in as somebody else ends the previous login', async () => {
  await addCampusId(server)
  const page = await bound()
  await addPerson(server, { account: 'before' })
  const before = await enterPortal(server, 'before')
  await logInBy(server, before.browser)
  expect((await before.call('/third_party_account/list/')).status).toBe(401)
  expect((await listed(page))[0]?.bound?.lastUsedAt).not.toBeNull()
})

test('a rule about second factors applies to this login method too', async () => {
  await addCampusId(server)
  const page = await bound()
  await server.platform.sql`update users set is_super_user = true where id = ${page.user.userId}`
  await setPolicy(server, { secondFactorSuperUsers: true })
  const answer = await logInBy(server, createBrowser(server), { service: SERVICE })
  expect(answer.location).not.toContain('ticket=')
})

test('a person with an authenticator app is asked for its code after the provider, and then continues', async () => {
  await addCampusId(server)
  const page = await bound()
  const { secret } = await setUpApp(server, page)
  const browser = createBrowser(server)
  const step = await logInBy(server, browser, { service: SERVICE })
  expect([step.status, isIn(browser)]).toEqual([401, false])
  const query = new URLSearchParams({ service: SERVICE })
  const code = totpCode(server, secret)
  const done = await browser.post(`/fwk_cas_service/login?${query}`, {
    loginType: 'second-factor',
    factor: 'typed',
    code,
  })
  expect(done.location).toMatch(/^https:\/\/library\.test\/\?ticket=ST-/)
  const [record] = await server.platform.sql`
    select auth_type from login_records where user_id = ${page.user.userId} order by at desc limit 1`
  expect(record).toEqual({ authType: 'campus-id' })
})
