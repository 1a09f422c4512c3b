import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Envelope } from '#shared/contract/endpoint.ts'
import type { ThirdPartyFrame } from '#shared/contract/third-party-accounts.ts'
import { returnedAddress } from '#shared/rules/frame-return.ts'
import { type Browser, createBrowser } from '../../testing/browser.ts'
import { addCasApplication, addPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { enterPortal } from '../../testing/sign-in.ts'
import { signedFetch } from '../../testing/signed.ts'
import {
  addVendor,
  bindAt,
  FRAMED_KEYS,
  isIn,
  logInAt,
  returnFromVendor,
  type VendorKey,
} from '../../testing/vendors.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await addCasApplication(server, { appId: 'library' })
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.platform.sql`delete from third_party_providers`
  await server.platform.cache.invalidate(server.platform.sql, 'third-party-providers')
})

let people = 0
async function bound(key: VendorKey): Promise<void> {
  const account = `scanned${++people}`
  await server.platform.sql`delete from third_party_accounts`
  await addPerson(server, { account })
  await bindAt(await enterPortal(server, account), key)
}

async function openFrame(browser: Browser, key: string, body: object = {}) {
  const path = `/auth_service/third_party/${key}/frame/`
  const answer = await signedFetch(server, path, { body, cookie: browser.cookieHeader(path) })
  for (const line of answer.headers.getSetCookie()) browser.remember(line)
  return { status: answer.status, ...((await answer.json()) as Envelope<ThirdPartyFrame>) }
}

/** What the vendor's frame does once a person in it was chosen: the address that it posts or navigates to. */
async function scan(url: string, person = 'LiLei'): Promise<string> {
  const chosen = new URL(url)
  chosen.searchParams.set('person', person)
  const answer = await fetch(chosen, { redirect: 'manual' })
  const posted = /const back = (".*")/.exec(await answer.text())?.[1]
  return answer.headers.get('location') ?? String(posted && JSON.parse(posted))
}

const policyOf = async (path: string) =>
  (await createBrowser(server).get(path)).headers.get('content-security-policy') ?? ''
const frameSource = (policy: string) => /frame-src ([^;]*)/.exec(policy)?.[1]

test.each(FRAMED_KEYS)(
  '%s: scanning the code on the login page logs in, and continues to the application',
  async (key) => {
    const simulator = await addVendor(server, key)
    await bound(key)
    const browser = createBrowser(server)
    const { status, data } = await openFrame(browser, key, { service: 'https://library.test/' })
    expect(status).toBe(200)
    expect(data).toMatchObject({
      origin: simulator.url,
      callbackUrl: `${server.url}/auth_service/third_party/${key}/callback`,
    })
    expect(data.state).toMatch(/^\w{32}$/)
    const back = await scan(data.url)
    const listening = { ...data, frame: server, ownOrigin: server.url }
    expect(returnedAddress(listening, { origin: data.origin, source: server, data: back })).toBe(back)
    const end = await returnFromVendor(server, browser, back)
    expect(end.location).toMatch(/^https:\/\/library\.test\/\?ticket=ST-/)
    expect(isIn(browser)).toBe(true)
  },
)

test.each(FRAMED_KEYS)('%s: the code of a frame is invalid a second time, or in another browser', async (key) => {
  await addVendor(server, key)
  await bound(key)
  const stranger = createBrowser(server)
  await stranger.get('/fwk_cas_service/login')
  const browser = createBrowser(server)
  const stolen = await scan((await openFrame(browser, key)).data.url)
  expect(await returnFromVendor(server, stranger, stolen)).toMatchObject({ status: 400 })
  expect(await returnFromVendor(server, browser, stolen)).toMatchObject({ status: 400 })
  expect([isIn(stranger), isIn(browser)]).toEqual([false, false])
})

test('a code is renewed while the previous one is still valid, and an expired one is rejected', async () => {
  await addVendor(server, 'qywx')
  await bound('qywx')
  const browser = createBrowser(server)
  const first = await openFrame(browser, 'qywx')
  server.advance(first.data.renewAfterSeconds)
  const second = await openFrame(browser, 'qywx')
  expect(second.data.state).not.toBe(first.data.state)
  await returnFromVendor(server, browser, await scan(first.data.url))
  expect(isIn(browser)).toBe(true)
  const late = createBrowser(server)
  const { data } = await openFrame(late, 'qywx')
  server.advance(601)
  expect(await returnFromVendor(server, late, await scan(data.url))).toMatchObject({ status: 400 })
})

test('the login page may frame the offered vendors, each by its one origin, and other pages may not', async () => {
  expect(frameSource(await policyOf('/auth_web/login'))).toBeUndefined()
  const wecom = await addVendor(server, 'qywx')
  const weChat = await addVendor(server, 'weChat')
  expect(
    frameSource(await policyOf('/auth_web/login'))
      ?.split(' ')
      .toSorted(),
  ).toEqual([`${server.url}/auth_service/third_party/`, wecom.url, weChat.url].toSorted())
  expect(frameSource(await policyOf('/auth_web/login?renew=true'))).toBeUndefined()
  expect(await policyOf('/auth_web/my-apps')).not.toContain(wecom.url)
  expect(frameSource(await policyOf('/fwk_cas_service/logout'))).toBeUndefined()
  const policy = await policyOf('/auth_web/login')
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("frame-ancestors 'none'")
})

test('a disabled vendor and one without a page for a frame are answered alike', async () => {
  await addVendor(server, 'qywx')
  await server.platform.sql`update third_party_providers set enabled = false where key = 'qywx'`
  await server.platform.cache.invalidate(server.platform.sql, 'third-party-providers')
  const answers = await Promise.all(['qywx', 'nothing'].map((key) => openFrame(createBrowser(server), key)))
  for (const answer of answers) expect(answer).toMatchObject({ status: 404, code: 'third-party.unknown' })
})

test('a vendor that returns inside its frame consumes nothing there, and only the parent page learns of it', async () => {
  await addVendor(server, 'weChat')
  await bound('weChat')
  const browser = createBrowser(server)
  const back = await scan((await openFrame(browser, 'weChat')).data.url)
  const within = await browser.get(back.slice(server.url.length), { 'sec-fetch-dest': 'iframe' })
  expect(within.status).toBe(200)
  expect(within.text).toContain('parent.postMessage(location.href, location.origin)')
  expect(within.text).not.toContain(new URL(back).searchParams.get('state'))
  expect(within.headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
  expect(within.headers.get('x-frame-options')).toBe('SAMEORIGIN')
  await returnFromVendor(server, browser, back)
  expect(isIn(browser)).toBe(true)
})

const ILLEGAL = '100013'
test(`qq: error ${ILLEGAL} begins the login anew, once`, async () => {
  const simulator = await addVendor(server, 'qq')
  await bound('qq')
  simulator.trouble = { user: 'stale' }
  const browser = createBrowser(server)
  const again = await logInAt(server, browser, 'qq')
  expect(again.status).toBe(302)
  expect(again.location).toMatch(`${simulator.url}/oauth2.0/authorize?`)
  const second = await scan(again.location)
  expect(await returnFromVendor(server, browser, second)).toMatchObject({ status: 400 })
  const third = await logInAt(server, browser, 'qq')
  simulator.trouble = {}
  await returnFromVendor(server, browser, await scan(third.location))
  expect(isIn(browser)).toBe(true)
})

const WECOM = 'Mozilla/5.0 (iPhone) MicroMessenger/7.0.1 wxwork/4.1.6'
const WECHAT = 'Mozilla/5.0 (iPhone) MicroMessenger/8.0.50'
const enter = (browser: Browser, userAgent: string, query = 'service=https%3A%2F%2Flibrary.test%2F') =>
  browser.get(`/fwk_cas_service/login?${query}`, { 'user-agent': userAgent })

test('inside WeCom a person is logged in without a click, and a rejected one gets the login page', async () => {
  const simulator = await addVendor(server, 'qywx')
  await bound('qywx')
  const browser = createBrowser(server)
  const away = await enter(browser, WECOM)
  expect(away.location).toMatch(`${server.url}/auth_service/third_party/qywx/login/?`)
  const vendor = await browser.get(away.location.slice(server.url.length), { 'user-agent': WECOM })
  expect(vendor.location).toMatch(`${simulator.url}/connect/oauth2/authorize?`)
  const end = await returnFromVendor(server, browser, await scan(vendor.location))
  expect(end.location).toMatch(/^https:\/\/library\.test\/\?ticket=ST-/)
  const refused = createBrowser(server)
  await enter(refused, WECOM)
  expect((await enter(refused, WECOM)).location).toMatch(`${server.url}/auth_web/login?`)
})

test('nobody is redirected silently if a new login is required, elsewhere, or if the vendor would ask', async () => {
  await addVendor(server, 'qywx')
  await addVendor(server, 'weChat')
  const loginPage = `${server.url}/auth_web/login`
  const service = 'service=https%3A%2F%2Flibrary.test%2F'
  expect((await enter(createBrowser(server), WECOM, `${service}&renew=true`)).location).toMatch(loginPage)
  expect((await enter(createBrowser(server), 'Mozilla/5.0 Chrome/140')).location).toMatch(loginPage)
  expect((await enter(createBrowser(server), WECHAT)).location).toMatch(loginPage)
  const account = { accountAppId: 'wx99', accountSecret: 'nothing-secret-here' }
  await addVendor(server, 'weChat', { settings: account })
  expect((await enter(createBrowser(server), WECHAT)).location).toMatch('/third_party/weChat/login/')
})
