import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { VendorCheck } from '#shared/contract/vendors.ts'
import {
  EDUCATION_PLATFORMS,
  type EducationPlatform,
  type Simulator,
  startSimulator,
} from '../../../tools/simulators/index.ts'
import { createBrowser } from '../../testing/browser.ts'
import { addPerson } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { enterPortal } from '../../testing/sign-in.ts'
import { bindAt, isIn, leaveVendor, logInAt, returnFromVendor } from '../../testing/vendors.ts'

let server: TestServer
let root: Portal
let lines: string[] = []
beforeAll(async () => {
  server = await startTestServer({ onLog: (line) => lines.push(line) })
  root = await openPortal(server, { isSuperUser: true })
})
afterAll(() => server.close())

const NAMES = Object.keys(EDUCATION_PLATFORMS) as EducationPlatform[]
const KEY = 'auth-edu'
const USE = { version: 0, enabled: true, position: 0, unbound: 'refuse', matchAccount: false }

type SetUp = { simulator: Simulator; settings: Record<string, unknown> }

/** A platform of this kind, set up on its page. */
async function setUp(name: EducationPlatform, more: object = {}): Promise<SetUp> {
  await server.platform.sql`delete from third_party_providers`
  await server.platform.sql`delete from ephemeral_state where kind = 'vendor-check'`
  const vendor = EDUCATION_PLATFORMS[name]
  const simulator = await startSimulator(vendor, { trustedOrigin: server.url, now: server.platform.now })
  onTestFinished(() => simulator.close())
  const settings = { ...vendor.settings(simulator.url), ...more }
  const saved = await root.call(`/vendor/${KEY}/update/`, { body: { ...USE, settings } })
  if (saved.status !== 200) throw new Error(JSON.stringify(saved.envelope))
  return { simulator, settings }
}

let people = 0
async function bound(): Promise<void> {
  const account = `pupil${++people}`
  await server.platform.sql`delete from third_party_accounts`
  await addPerson(server, { account })
  await bindAt(await enterPortal(server, account), KEY)
}

async function attempt(person = 'LiLei') {
  lines = []
  const browser = createBrowser(server)
  const { status } = await logInAt(server, browser, KEY, person)
  const told = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'third-party login')
  return { status, isIn: isIn(browser), detail: told ? `${told.reason}: ${told.detail}` : '' }
}

test.each(NAMES)('%s: people of a platform set up from its preset log in, and nobody else', async (name) => {
  await setUp(name)
  await bound()
  expect(await attempt()).toEqual({ status: 200, isIn: true, detail: '' })
  expect(await attempt('HanMeimei')).toMatchObject({ status: 403, isIn: false })
  const [row] = await server.platform.sql`select realm, subject, display_name as name from third_party_accounts`
  expect(row).toEqual({ realm: 'gatehouse', subject: name === 'wecard' ? 'oLiLei' : 'LiLei', name: '李雷' })
})

const refusedCodes = NAMES.flatMap((name) =>
  (['used', 'expired', 'made-up'] as const).map((kind) => [name, kind] as const),
)
test.each(refusedCodes)('%s: a code that is %s logs nobody in', async (name, kind) => {
  const { simulator } = await setUp(name)
  await bound()
  const browser = createBrowser(server)
  const back = new URL(await leaveVendor(browser, KEY, { person: 'LiLei' }))
  const { returnedCode, application } = EDUCATION_PLATFORMS[name]
  const code = back.searchParams.get(returnedCode) ?? ''
  if (kind === 'used') simulator.redeemCode(code, application)
  if (kind === 'expired') server.advance(301)
  if (kind === 'made-up') back.searchParams.set(returnedCode, 'made-up')
  expect(await returnFromVendor(server, browser, back.href)).toMatchObject({ status: 400 })
  expect(isIn(browser)).toBe(false)
})

const away = NAMES.flatMap((name) =>
  (['token', 'user'] as const).flatMap((step) =>
    (['error', 'garbage', 'huge', 'busy'] as const).map((trouble) => [name, step, trouble] as const),
  ),
)
test.each(away)('%s: a %s call that answers with %s logs nobody in', async (name, step, trouble) => {
  const { simulator } = await setUp(name)
  simulator.trouble = { [step]: trouble }
  expect(await attempt()).toMatchObject({ status: 502, isIn: false })
})

test.each(NAMES)('%s: optional claims may be missing, the subject may not', async (name) => {
  const { simulator } = await setUp(name)
  await bound()
  const optional = [
    'name',
    'userName',
    'user_name',
    'phone',
    'mobile',
    'role_id',
    'corp_name',
    'identity_type',
    'college',
  ]
  simulator.about = Object.fromEntries(optional.map((field) => [field, undefined]))
  expect(await attempt()).toMatchObject({ isIn: true })
  const ids = ['userId', 'userid', 'sub', 'ocode', 'result']
  simulator.about = Object.fromEntries(ids.map((field) => [field, null]))
  expect(await attempt()).toMatchObject({ isIn: false, status: 502, detail: 'unusable: subject' })
})

test("changsha: a token invalidated by somebody else's renewal is renewed once", async () => {
  const { simulator } = await setUp('changsha')
  await bound()
  await attempt()
  simulator.revokeTokens()
  simulator.calls.length = 0
  expect(await attempt()).toMatchObject({ isIn: true })
  expect(simulator.calls.filter((call) => call.endsWith('/accessToken'))).toHaveLength(1)
})

test('a platform’s values are mapped to the institution’s, as its preset says', async () => {
  const { settings } = await setUp('epaas')
  const { data } = await root.call<{ settings: Record<string, unknown> }>(`/vendor/${KEY}/details/`)
  expect(data.settings).toMatchObject({ clientSecret: '******', values: settings['values'] })
})

const check = async (settings: object) =>
  (await root.call<VendorCheck>(`/vendor/${KEY}/check/`, { body: { settings } })).data.steps

test.each(NAMES)('%s: a check verifies what can be verified without a person', async (name) => {
  const { settings } = await setUp(name)
  const isStandard = name !== 'epaas' && name !== 'wecard'
  const steps = await check(settings)
  expect(steps.map(({ step, outcome }) => [step, outcome])).toEqual([
    ['host', 'well'],
    ['clock', 'well'],
    ['secret', isStandard ? 'well' : 'skipped'],
    ['callback', 'well'],
  ])
  const wrong = await check({ ...settings, clientSecret: 'wrong' })
  expect(wrong[2]).toMatchObject(isStandard ? { outcome: 'failed', reason: 'misconfigured' } : { reason: 'unclear' })
})

test('a check says when the page does not accept our callback, and when discovery leads nowhere', async () => {
  const { settings, simulator } = await setUp('y9')
  simulator.trustedOrigin = 'https://elsewhere.example'
  const steps = await check(settings)
  expect(steps.at(-1)).toEqual({ step: 'callback', outcome: 'failed', reason: 'misconfigured', code: 'authorize-400' })
  const discoveryUrl = `${simulator.url}/.well-known/openid-configuration`
  const [, , addresses, secret] = await check({ clientId: 'x', clientSecret: 'y', discoveryUrl })
  expect(addresses).toMatchObject({ step: 'addresses', outcome: 'failed' })
  expect(secret).toMatchObject({ outcome: 'skipped' })
})

test('the secret is sent to no other address than it was entered for; a dialect option may change', async () => {
  const { settings } = await setUp('smartedu')
  const stars = { ...settings, clientSecret: '******' }
  for (const other of [{ tokenUrl: 'https://evil.example/token' }, { origins: ['https://evil.example'] }]) {
    const refused = await root.call(`/vendor/${KEY}/update/`, {
      body: { ...USE, version: 1, settings: { ...stars, ...other } },
    })
    expect(refused.envelope.code).toBe('settings.secret-needed')
  }
  const saved = await root.call(`/vendor/${KEY}/update/`, {
    body: { ...USE, version: 1, settings: { ...stars, scope: 'x' } },
  })
  expect(saved.status).toBe(200)
})

test('the settings are rolled back from the history, group by group', async () => {
  const { settings } = await setUp('wecard')
  const changed = { ...settings, clientSecret: '******', claims: { subject: '/other' } }
  await root.call(`/vendor/${KEY}/update/`, { body: { ...USE, version: 1, settings: changed } })
  const [line] = await server.platform.sql<{ id: string; at: Date; before: object }[]>`
    select id, at, before from audit_records where target_kind = 'vendor' order by at desc, id desc limit 1`
  expect(line?.before).toMatchObject({ 'claims.subject': '/ocode', clientSecret: '******' })
  const back = await root.call(`/change_history/${line?.id}/roll_back/`, {
    body: { at: line?.at.toISOString(), side: 'before', version: 2, reason: 'Test' },
  })
  expect(back.status).toBe(200)
  await bound()
  expect(await attempt()).toMatchObject({ isIn: true })
})
