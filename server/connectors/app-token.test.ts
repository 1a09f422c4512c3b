import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { EDUCATION_PLATFORMS, type Simulator, startSimulator } from '../../tools/simulators/index.ts'
import { applyBootstrap } from '../features/bootstrap/index.ts'
import { type Browser, createBrowser } from '../testing/browser.ts'
import { addPerson } from '../testing/people.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { atProvider } from '../testing/third-party.ts'
import { isIn, leaveVendor, returnFromVendor } from '../testing/vendors.ts'

let one: TestServer
let two: TestServer
beforeAll(async () => {
  one = await startTestServer()
  two = await one.secondNode()
})
afterAll(() => one.close())

const KEY = 'auth-edu'

/** A platform where renewing the application's token invalidates the old one. */
async function addPlatform(): Promise<Simulator> {
  const vendor = EDUCATION_PLATFORMS.changsha
  const simulator = await startSimulator(vendor, { trustedOrigin: one.url, now: one.platform.now })
  onTestFinished(() => simulator.close())
  const entry = { key: KEY, connector: 'oauth2', name: 'City', settings: vendor.settings(simulator.url) }
  await applyBootstrap(one.platform, { thirdPartyProviders: [entry] }, { source: 'test' })
  const userId = await addPerson(one, { account: `pupil${++people}` })
  const { application } = vendor
  await one.platform.sql`delete from third_party_accounts`
  await one.platform.sql`
    insert into third_party_accounts (id, user_id, provider_id, realm, subject, bound_at)
    select gen_random_uuid(), ${userId}, id, ${application}, 'LiLei', now() from third_party_providers where key = ${KEY}`
  return simulator
}
let people = 0

/** A login at a node, up to its callback. */
async function begin(simulator: Simulator, node: TestServer): Promise<() => Promise<boolean>> {
  simulator.trustedOrigin = node.url
  const browser: Browser = createBrowser(node)
  const back = await leaveVendor(browser, KEY, { person: 'LiLei' })
  return async () => {
    await returnFromVendor(node, browser, back)
    return isIn(browser)
  }
}

const renewals = ({ calls }: Simulator) => calls.filter((call) => call.endsWith('/accessToken')).length

test('two nodes share an application’s token: neither fetches what the other has', async () => {
  const simulator = await addPlatform()
  for (const node of [one, two, one, two]) expect(await (await begin(simulator, node))()).toBe(true)
  expect(renewals(simulator)).toBe(1)
})

test('an expired token is renewed by one node, and the other uses that one', async () => {
  const simulator = await addPlatform()
  expect(await (await begin(simulator, two))()).toBe(true)
  simulator.revokeTokens()
  simulator.calls.length = 0
  const logins = [await begin(simulator, one), await begin(simulator, two), await begin(simulator, one)]
  expect(await Promise.all(logins.map((finish) => finish()))).toEqual([true, true, true])
  expect(renewals(simulator)).toBe(1)
})

test('five minutes before its expiry it is renewed, once for both', async () => {
  const simulator = await addPlatform()
  for (const node of [one, two]) expect(await (await begin(simulator, node))()).toBe(true)
  simulator.calls.length = 0
  one.advance(7200 - 299)
  const logins = [await begin(simulator, one), await begin(simulator, two)]
  expect(await Promise.all(logins.map((finish) => finish()))).toEqual([true, true])
  expect(renewals(simulator)).toBe(1)
})

test('a renewal that fails fails for everybody who joined it, and the next one is tried', async () => {
  const simulator = await addPlatform()
  const logins = [await begin(simulator, one), await begin(simulator, one), await begin(simulator, one)]
  simulator.trouble = { token: 'error' }
  // Long enough for all three to join before the first one fails.
  simulator.delayMs = 3000
  simulator.calls.length = 0
  expect(await Promise.all(logins.map((finish) => finish()))).toEqual([false, false, false])
  expect(renewals(simulator)).toBe(1)
  simulator.trouble = {}
  simulator.delayMs = 0
  expect(await (await begin(simulator, one))()).toBe(true)
})

test('providers that keep silent hold no connection of the database, which people who log in need', async () => {
  // More than the node has connections.
  const keys = Array.from({ length: 7 }, (_, at) => `silent-${at}`)
  const vendor = EDUCATION_PLATFORMS.changsha
  const simulators: Simulator[] = []
  const finish: (() => Promise<unknown>)[] = []
  for (const key of keys) {
    const simulator = await startSimulator(vendor, { trustedOrigin: one.url, now: one.platform.now })
    onTestFinished(() => simulator.close())
    const entry = { key, connector: 'oauth2', name: key, settings: vendor.settings(simulator.url) }
    await applyBootstrap(one.platform, { thirdPartyProviders: [entry] }, { source: 'test' })
    const browser = createBrowser(one)
    const start = await browser.get(`/auth_service/third_party/${key}/login/`)
    const back = await atProvider(start.location, { person: 'LiLei' })
    simulator.trouble = { token: 'slow' }
    simulators.push(simulator)
    finish.push(() => returnFromVendor(one, browser, back))
  }
  const waiting = Promise.all(finish.map((end) => end()))
  const areAsked = () => expect(simulators.map((simulator) => renewals(simulator))).toEqual(keys.map(() => 1))
  await vi.waitFor(areAsked, { timeout: 30_000, interval: 10 })
  const [held] = await two.platform.sql<{ count: number }[]>`
    select count(*)::int as count from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'advisory' and a.datname = current_database()`
  expect(held?.count).toBe(0)
  await waiting
}, 60_000)

test('the shared token is sealed', async () => {
  const simulator = await addPlatform()
  await (await begin(simulator, one))()
  const rows = await one.platform.sql<
    { value: string }[]
  >`select value::text from ephemeral_state where kind = 'app-token'`
  expect(rows.length).toBeGreaterThan(0)
  for (const { value } of rows) expect(value).not.toMatch(/[0-9a-f]{64}/)
})
