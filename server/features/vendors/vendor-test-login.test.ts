import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { TestedLogin } from '#shared/contract/tested-logins.ts'
import { type Simulator, startSimulator, VENDORS } from '../../../tools/simulators/index.ts'
import { createBrowser } from '../../testing/browser.ts'
import { addPerson } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { enterPortal } from '../../testing/sign-in.ts'
import { atProvider } from '../../testing/third-party.ts'
import { bindAt, isIn, VENDOR_KEYS, type VendorKey } from '../../testing/vendors.ts'

let server: TestServer
let root: Portal
beforeAll(async () => {
  server = await startTestServer()
  root = await openPortal(server, { isSuperUser: true })
})
afterAll(() => server.close())

type Tried = { simulator: Simulator; settings: Record<string, unknown> }

/** A vendor that is not set up. */
async function simulate(key: VendorKey): Promise<Tried> {
  await server.platform.sql`delete from third_party_providers`
  await server.platform.sql`delete from ephemeral_state where kind = 'vendor-check'`
  const simulator = await startSimulator(VENDORS[key], { trustedOrigin: server.url, now: server.platform.now })
  onTestFinished(() => simulator.close())
  return { simulator, settings: VENDORS[key].settings(simulator.url) }
}

const begin = (key: VendorKey, settings: object, use: object = {}) =>
  root.call<{ redirectUrl: string }>(`/vendor/${key}/test_login/`, {
    body: { unbound: 'bind', matchAccount: false, ...use, settings },
  })

/** The whole flow. @returns where the window ends */
async function tripOf(key: VendorKey, settings: object, { person = 'LiLei', use = {} } = {}): Promise<string> {
  const begun = await begin(key, settings, use)
  const back = await atProvider(begun.data.redirectUrl, { person })
  return (await root.browser.get(back.slice(server.url.length))).location
}

const read = (address: string, as: Pick<Portal, 'call'> = root) =>
  as.call<TestedLogin>('/vendor/tested_login/', { body: { code: new URL(address).searchParams.get('test') } })

/** What a test must leave unchanged: links, people, sessions and login records. */
const print = async () =>
  (
    await server.platform.sql`
      select (select count(*) from third_party_accounts) as links, (select count(*) from users) as people,
        (select count(*) from sso_sessions) as sessions, (select count(*) from login_records) as logins,
        (select count(*) from audit_records) as audits, (select count(*) from third_party_providers) as providers`
  )[0]

test.each(VENDOR_KEYS)('%s: unsaved settings are tested, shown, and link nobody', async (key) => {
  const { settings } = await simulate(key)
  const before = await print()
  const address = await tripOf(key, settings)
  expect(address).toMatch(
    new RegExp(`^${server.url}/auth_web/manage/${key === 'weChat' ? 'weixin' : key}\\?test=\\w{32}$`),
  )
  const { data } = await read(address)
  expect(data).toMatchObject({ fault: null, outcome: 'offered', person: null, identity: { name: '李雷' } })
  expect(data.identity?.subject.toLowerCase()).toContain('lilei')
  expect(await print()).toEqual(before)
})

test('it says whom it would log in, link, create or reject, by the setting in the form', async () => {
  const { settings } = await simulate('qywx')
  const USE = { version: 0, enabled: false, position: 0, unbound: 'refuse', matchAccount: false }
  await root.call('/vendor/qywx/update/', { body: { ...USE, enabled: true, settings } })
  await addPerson(server, { account: 'linked', name: 'Linked One' })
  await bindAt(await enterPortal(server, 'linked'), 'qywx')
  await addPerson(server, { account: 'hanmeimei', name: 'Han Meimei' })
  // Disabled meanwhile: the form is what is tested.
  await root.call('/vendor/qywx/update/', { body: { ...USE, version: 1, settings } })
  const outcome = async (person: string, use: object) =>
    (await read(await tripOf('qywx', settings, { person, use }))).data
  expect(await outcome('HanMeimei', { unbound: 'refuse' })).toMatchObject({ outcome: 'refused', person: null })
  expect(await outcome('HanMeimei', { unbound: 'bind' })).toMatchObject({ outcome: 'offered', person: null })
  // A person whose account exists already must not get a second one.
  expect(await outcome('HanMeimei', { unbound: 'create' })).toMatchObject({ outcome: 'offered', person: null })
  expect(await outcome('HanMeimei', { matchAccount: true })).toMatchObject({
    outcome: 'matched',
    person: { account: 'hanmeimei', name: 'Han Meimei' },
  })
  await root.call('/vendor/qywx/update/', { body: { ...USE, enabled: true, version: 2, settings } })
  expect(await outcome('LiLei', {})).toMatchObject({ outcome: 'bound', person: { account: 'linked' } })
  await server.platform.sql`delete from third_party_accounts`
  expect(await outcome('LiLei', { unbound: 'create' })).toMatchObject({ outcome: 'created', person: null })
  expect(await server.platform.sql`select 1 from third_party_accounts`).toHaveLength(0)
})

test('an error is shown with its reason and code', async () => {
  const { settings, simulator } = await simulate('qywx')
  const fault = async (person: string) => (await read(await tripOf('qywx', settings, { person }))).data.fault
  expect(await fault('wanghong')).toMatchObject({ reason: 'not-visible', code: '60011' })
  expect(await fault('zhaoqian')).toMatchObject({ reason: 'not-member' })
  simulator.revokeTokens()
  simulator.trouble = { token: 'address' }
  expect(await fault('LiLei')).toMatchObject({ reason: 'misconfigured', code: '60020' })
})

test('it ends in the browser and for the administrator who began it, once, and logs nobody in', async () => {
  const { settings } = await simulate('qq')
  const begun = await begin('qq', settings)
  const back = (await atProvider(begun.data.redirectUrl, { person: 'LiLei' })).slice(server.url.length)
  const stranger = createBrowser(server)
  await stranger.get('/fwk_cas_service/login')
  expect((await stranger.get(back)).status).toBe(400)
  expect(isIn(stranger)).toBe(false)
  // Whoever stole it has consumed it.
  expect((await root.browser.get(back)).status).toBe(400)
  const address = await tripOf('qq', settings)
  const other = await openPortal(server, { isSuperUser: true })
  expect((await read(address, other)).envelope.code).toBe('third-party.flow-invalid')
  expect((await read(address)).status).toBe(200)
  const foreign = await begin('qq', settings)
  const elsewhere = await atProvider(foreign.data.redirectUrl, { person: 'LiLei' })
  const crossed = elsewhere.slice(server.url.length).replace('/qq/callback', '/weChat/callback')
  expect((await root.browser.get(crossed)).status).toBe(400)
})

test('a stored secret is tested at no other host than it was entered for, and pending results are sealed', async () => {
  const { settings } = await simulate('qywx')
  const USE = { version: 0, enabled: true, position: 0, unbound: 'bind', matchAccount: false }
  await root.call('/vendor/qywx/update/', { body: { ...USE, settings } })
  const stars = { ...settings, secret: '******' }
  expect((await begin('qywx', { ...stars, apiHost: 'https://evil.example' })).envelope.code).toBe(
    'settings.secret-needed',
  )
  expect((await begin('qywx', stars)).status).toBe(200)
  const [kept] = await server.platform.sql<{ text: string }[]>`
    select string_agg(value::text, '') as text from ephemeral_state where kind = 'third-party-test'`
  expect(kept?.text).not.toContain('nothing-secret-in-a-simulator')
})
