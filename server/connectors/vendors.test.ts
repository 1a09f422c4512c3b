import { afterAll, beforeAll, expect, test } from 'vitest'
import { VENDORS } from '../../tools/simulators/index.ts'
import { createBrowser } from '../testing/browser.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import {
  addVendor,
  bindNewPerson,
  isIn,
  leaveVendor,
  logInAt,
  PEOPLE,
  returnFromVendor,
  VENDOR_KEYS,
  type VendorKey,
} from '../testing/vendors.ts'

let server: TestServer
let lines: string[] = []
beforeAll(async () => {
  server = await startTestServer({ onLog: (line) => lines.push(line) })
})
afterAll(() => server.close())

/** Log entries about vendor logins since then. */
const faults = () =>
  lines
    .map((line) => JSON.parse(line))
    .flatMap(({ msg, reason, detail }) => (msg === 'third-party login' ? [`${reason}: ${detail}`] : []))

async function attempt(key: VendorKey, person = 'LiLei') {
  lines = []
  const browser = createBrowser(server)
  const { status, text } = await logInAt(server, browser, key, person)
  return { status, text, isIn: isIn(browser), faults: faults() }
}

const lei = PEOPLE[0]
if (!lei) throw new Error('nobody there')

test.each(VENDOR_KEYS)('%s: a linked person is logged in, another one is not', async (key) => {
  await addVendor(server, key)
  await bindNewPerson(server, key)
  expect(await attempt(key)).toMatchObject({ isIn: true, faults: [] })
  expect(await attempt(key, 'HanMeimei')).toMatchObject({ isIn: false, status: 403, faults: [] })
})

test.each(VENDOR_KEYS)('%s: a person who declines returns to the login, and the vendor is not called', async (key) => {
  const simulator = await addVendor(server, key)
  const browser = createBrowser(server)
  const back = await leaveVendor(browser, key, { refuse: '1' })
  simulator.calls.length = 0
  expect(await browser.get(back.slice(server.url.length))).toMatchObject({
    status: 302,
    location: `${server.url}/auth_web/`,
  })
  expect(simulator.calls).toEqual([])
})

test.each(VENDOR_KEYS)('%s: a callback works once, in the browser that began it, for its own provider', async (key) => {
  await addVendor(server, key)
  await bindNewPerson(server, key)
  const browser = createBrowser(server)
  const stolen = await leaveVendor(browser, key, { person: 'LiLei' })
  const other = createBrowser(server)
  await other.get('/fwk_cas_service/login')
  expect(await returnFromVendor(server, other, stolen)).toMatchObject({ status: 400 })
  expect(isIn(other)).toBe(false)
  // Whoever stole it has consumed it.
  expect(await returnFromVendor(server, browser, stolen)).toMatchObject({ status: 400 })
  const own = await leaveVendor(browser, key, { person: 'LiLei' })
  expect(await returnFromVendor(server, browser, own.replace(`/${key}/callback`, '/other/callback'))).toMatchObject({
    status: 400,
  })
  expect(isIn(browser)).toBe(false)
})

const wrongCodes = VENDOR_KEYS.flatMap((key) =>
  (['used', 'expired', 'foreign', 'made-up'] as const).map((kind) => [key, kind] as const),
)
test.each(wrongCodes)('%s: a code that is %s is rejected', async (key, kind) => {
  const simulator = await addVendor(server, key)
  await bindNewPerson(server, key)
  const browser = createBrowser(server)
  const back = new URL(await leaveVendor(browser, key, { person: 'LiLei' }))
  const name = VENDORS[key].returnedCode
  const application = kind === 'foreign' ? 'another-application' : VENDORS[key].application
  const redirectUri = back.origin + back.pathname
  const code = kind === 'made-up' ? 'x' : simulator.issueCode(lei, application, redirectUri)
  if (kind === 'used') simulator.redeemCode(code, application)
  back.searchParams.set(name, code)
  if (kind === 'expired') server.advance(301)
  lines = []
  expect(await returnFromVendor(server, browser, back.href)).toMatchObject({ status: 400 })
  expect(isIn(browser)).toBe(false)
  expect(faults().join()).toMatch(/^refused: \w+( \d{3})? [\w.]+$/)
  expect(faults().join()).not.toContain(code)
})

const outsiders: [VendorKey, string, string][] = [
  ['qywx', 'wanghong', 'not-visible: member 60011'],
  ['qywx', 'zhaoqian', 'not-member: user: no member'],
  ['qywx', 'sunli', 'not-member: member: has left'],
  ['qywx', 'guest', 'not-member: user: no member'],
  ['dingding', 'wanghong', 'not-visible: member 50002'],
  ['dingding', 'zhaoqian', 'not-member: member: external'],
  ['dingding', 'sunli', 'not-member: member 60121'],
  ['dingding', 'guest', 'not-member: user: visitor'],
  ['weChat', 'guest', 'snapshot: token: snapshot user'],
]
test.each(outsiders)('%s: %s is told why they are not let in', async (key, person, fault) => {
  await addVendor(server, key)
  const told = await attempt(key, person)
  expect(told).toMatchObject({ status: 403, isIn: false, faults: [fault] })
  expect(told.text).toContain(
    fault.startsWith('not-visible') ? 'visible range' : fault.startsWith('snapshot') ? 'snapshot' : 'member',
  )
})

const troubles = VENDOR_KEYS.flatMap((key) =>
  (
    [
      ['error', 502, 'unavailable: token 500'],
      ['busy', 502, 'unavailable: token'],
      ['garbage', 502, 'unusable: token 200 without JSON'],
      ['html', 502, 'unusable: token 200 without JSON'],
      ['huge', 502, 'unusable: token UND_ERR_RES_EXCEEDED_MAX_SIZE'],
      // The corresponding code of an education platform is unknown.
      [
        'address',
        key === 'auth-edu' ? 400 : 502,
        key === 'auth-edu' ? 'refused: token 200 60020' : 'misconfigured: token',
      ],
    ] as const
  ).map(([trouble, status, fault]) => [key, trouble, status, fault] as const),
)
test.each(troubles)('%s: %s at the vendor logs nobody in, and says so', async (key, trouble, status, fault) => {
  const simulator = await addVendor(server, key)
  simulator.trouble = { token: trouble }
  const told = await attempt(key)
  expect(told).toMatchObject({ status, isIn: false })
  expect(told.faults.join()).toContain(fault)
  expect(told.text.includes('answered with more than')).toBe(trouble === 'huge')
  simulator.trouble = {}
  await bindNewPerson(server, key)
  expect(await attempt(key)).toMatchObject({ isIn: true })
})

test.each(['qywx', 'dingding'] as const)('%s: a revoked token is renewed, once for many logins', async (key) => {
  const simulator = await addVendor(server, key)
  await bindNewPerson(server, key)
  const path = key === 'qywx' ? 'GET /cgi-bin/gettoken' : 'GET /gettoken'
  const fetched = () => simulator.calls.filter((call) => call === path).length
  await Promise.all([attempt(key), attempt(key), attempt(key)])
  expect(fetched()).toBe(1)
  simulator.revokeTokens()
  expect(await attempt(key)).toMatchObject({ isIn: true, faults: [] })
  expect(fetched()).toBe(2)
})

test.each(['weChat', 'qq'] as const)('%s: people linked before the UnionID was returned stay linked', async (key) => {
  const setUp = (isTold: boolean) => (key === 'qq' ? { settings: { unionId: isTold } } : {})
  const before = await addVendor(server, key, setUp(false))
  before.about = { withoutUnionId: true }
  await bindNewPerson(server, key)
  const after = await addVendor(server, key, setUp(true))
  after.about = {}
  expect(await attempt(key)).toMatchObject({ isIn: true })
  const [row] = await server.platform.sql`select realm, subject from third_party_accounts`
  expect(row).toEqual({ realm: 'unionid', subject: 'union-LiLei' })
})

test('qq: a token of another application identifies nobody', async () => {
  const simulator = await addVendor(server, 'qq')
  simulator.about = { client_id: '199999999' }
  expect(await attempt('qq')).toMatchObject({ status: 502, isIn: false, faults: ['unusable: user: other application'] })
})

test('dingding: choosing another organisation is rejected', async () => {
  const simulator = await addVendor(server, 'dingding')
  simulator.about = { corpId: 'dingother' }
  expect(await attempt('dingding')).toMatchObject({ status: 403, faults: ['not-member: token: other organisation'] })
})

test('a browser inside WeCom is redirected to where it is already logged in', async () => {
  const simulator = await addVendor(server, 'qywx')
  const start = (userAgent: string) =>
    createBrowser(server).get('/auth_service/third_party/qywx/login/', { 'user-agent': userAgent })
  const inside = await start('Mozilla/5.0 (iPhone) MicroMessenger/7.0.1 wxwork/4.1.6 MailPlugin')
  expect(inside.location).toMatch(`${simulator.url}/connect/oauth2/authorize?`)
  expect(inside.location).toMatch(/scope=snsapi_base.*#wechat_redirect$/)
  expect((await start('Mozilla/5.0 Chrome/140')).location).toMatch(
    `${simulator.url}/wwlogin/sso/login?login_type=CorpApp`,
  )
})
