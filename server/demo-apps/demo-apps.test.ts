import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DemoAccount, demoAccounts, loadDemoSchool } from '../features/demo/index.ts'
import { type Browser, createBrowser } from '../testing/browser.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { enterPortal } from '../testing/sign-in.ts'
import { atProvider, isIn } from '../testing/third-party.ts'
import { VENDOR_KEYS } from '../testing/vendors.ts'
import { type DemoApplications, startDemoApplications } from './index.ts'

let dataDir: string
let server: TestServer
let demo: DemoApplications
let accounts: DemoAccount[]

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-demo-apps-'))
  server = await startTestServer({ env: { DATA_DIR: dataDir } })
  await loadDemoSchool(server.platform)
  demo = await startDemoApplications(server.platform)
  accounts = await demoAccounts(server.platform)
})

afterAll(async () => {
  await demo.stop()
  await server.close()
  await rm(dataDir, { recursive: true, force: true })
})

const home = (appId: string) => `${appId === 'learning' ? demo.bases?.learning : demo.bases?.library}/${appId}/`

/** Logs in at the portal because an application redirected the browser there. @returns the page that it ends at */
async function enter(browser: Browser, appId: string, who: DemoAccount) {
  const sent = await browser.get(home(appId))
  expect(sent.status).toBe(302)
  expect(sent.location).toBe(`${server.url}/fwk_cas_service/login?${new URLSearchParams({ service: home(appId) })}`)
  const answered = await browser.post(sent.location, { username: who.account, password: who.password })
  return follow(browser, answered.location)
}

async function follow(browser: Browser, location: string) {
  let answer = await browser.get(location)
  for (let hops = 0; answer.location !== '' && hops < 8; hops += 1) answer = await browser.get(answer.location)
  return answer
}

const account = (role: DemoAccount['role']): DemoAccount => {
  const found = accounts.find((one) => one.role === role)
  if (!found) throw new Error(`no demo account for ${role}`)
  return found
}

test('a student logs in once, sees what Library was told, and continues into Learning', async () => {
  const browser = createBrowser(server)
  const library = await enter(browser, 'library', account('student'))
  expect(library.status).toBe(200)
  expect(library.text).toContain('Hello, 李雷')
  for (const told of ['lilei@example.edu', '计算机科学系', '本科生', 'monitor']) expect(library.text).toContain(told)
  expect(library.text).toContain('You just logged in')

  const learning = await follow(browser, home('learning'))
  expect(learning.text).toContain('OpenID Connect')
  expect(learning.text).toContain('Hello, 李雷')
  for (const told of ['lilei@example.edu', '计算机科学系', 'monitor']) expect(learning.text).toContain(told)
})

test('people at the simulated WeCom or DingTalk log in at once, and WeChat and QQ offer to link', async () => {
  for (const key of VENDOR_KEYS) {
    const browser = createBrowser(server)
    const start = await browser.get(`/auth_service/third_party/${key}/login/`)
    expect(start.location).toContain(demo.bases?.vendors[key] ?? 'nowhere')
    const back = await follow(browser, await atProvider(start.location, { person: 'LiLei' }))
    const isKnown = key === 'qywx' || key === 'dingding'
    expect([key, isIn(browser)]).toEqual([key, isKnown])
    if (!isKnown) expect(back.text.includes('Log in and link')).toBe(true)
  }
})

test.each([
  ['qywx', 'MicroMessenger/7.0.1 wxwork/4.1.6'],
  ['dingding', 'AliApp(DingTalk/7.5.0) DingTalk/7.5.0'],
  ['weChat', 'MicroMessenger/8.0.50'],
])('inside the browser of %s the demo school redirects there without a click', async (key, product) => {
  const inside = { 'user-agent': `Mozilla/5.0 (iPhone) ${product}` }
  const page = await createBrowser(server).get(
    `/fwk_cas_service/login?${new URLSearchParams({ service: home('library') })}`,
    inside,
  )
  expect(page.location).toContain(`/auth_service/third_party/${key}/login/?`)
})

test('Learning renews its access token without the person, and its logout button ends Library too', async () => {
  const browser = createBrowser(server)
  await enter(browser, 'library', account('student'))
  await follow(browser, home('learning'))
  const tokens = () => server.platform.sql`select from oidc_refresh_tokens`.then((rows) => rows.length)
  const before = await tokens()
  server.advance(3601)
  expect((await browser.get(home('learning'))).status).toBe(200)
  expect(await tokens()).toBe(before + 1)
  const left = await browser.post(`${home('learning')}log-out`, {})
  expect(left.location).toContain(`${server.url}/fwk_cas_service/oidc/logout?id_token_hint=`)
  expect((await follow(browser, left.location)).text).toContain('You are logged out')
  await expect
    .poll(async () => (await browser.get(home('library'))).location, { timeout: 30_000 })
    .toContain('/fwk_cas_service/login')
  expect((await browser.post(`${home('learning')}backchannel`, { logout_token: 'made.up.token' })).status).toBe(400)
})

test('the logout button of one application ends the login in the portal and in the other application', async () => {
  const browser = createBrowser(server)
  await enter(browser, 'library', account('student'))
  expect((await follow(browser, home('learning'))).status).toBe(200)
  const left = await browser.post(`${home('library')}log-out`, {})
  expect(left.location).toContain(`${server.url}/fwk_cas_service/logout?service=`)
  const goodbye = await follow(browser, left.location)
  expect(goodbye.text).toContain('You are logged out')
  expect((await browser.get(home('library'))).location).toContain('/fwk_cas_service/login')
  await expect
    .poll(async () => (await browser.get(home('learning'))).location, { timeout: 30_000 })
    .toContain('/fwk_cas_service/oidc/authorize')
  const asked = await browser.get(`/fwk_cas_service/login?${new URLSearchParams({ service: home('library') })}`)
  expect(asked.location).not.toContain('ticket=')
})

test('every application of the demo school leads to a page of its own', async () => {
  const browser = createBrowser(server)
  await enter(browser, 'library', account('superUser'))
  const urls = await server.platform.sql<{ name: string; url: string; picture: string }[]>`
    select names->>'en' as name, url, picture from applications where not built_in order by position`
  expect(urls).toHaveLength(14)
  for (const { name, url, picture } of urls) {
    const page = await follow(browser, url)
    expect([url, page.status]).toEqual([url, 200])
    expect(page.text).toContain(`<strong>${name}</strong>`)
    for (const address of [`${url}icon.svg`, picture]) {
      expect((await browser.get(address)).headers.get('content-type')).toBe('image/svg+xml')
    }
  }
})

test('someone who has not been granted an application gets no page of it', async () => {
  const browser = createBrowser(server)
  await enter(browser, 'library', account('student'))
  const refused = await follow(browser, home('finance'))
  expect(refused.text).not.toContain('<strong>Expenses</strong>')
  expect(refused.status).toBeGreaterThanOrEqual(400)
})

test('a used, made-up or foreign ticket opens nothing', async () => {
  const browser = createBrowser(server)
  const sent = await browser.get(home('library'))
  const student = account('student')
  const answered = await browser.post(sent.location, { username: student.account, password: student.password })
  const ticket = new URL(answered.location).searchParams.get('ticket') ?? ''
  for (const address of [
    `${home('card')}?ticket=${ticket}`,
    answered.location,
    `${home('library')}?ticket=ST-made-up`,
  ]) {
    const refused = await createBrowser(server).get(address)
    expect(refused.status).toBe(403)
    expect(refused.text).toContain('confirm that login')
    expect(refused.headers.get('set-cookie')).toBeNull()
  }
})

test('a logout message ends only the session of the ticket that it names', async () => {
  const [one, other] = [createBrowser(server), createBrowser(server)]
  await enter(one, 'library', account('student'))
  await enter(other, 'library', account('teacher'))
  const tickets = await server.platform.sql<{ ticket: string }[]>`
    select ticket from session_services s join sso_sessions o on o.id = sso_session_id join users u on u.id = o.user_id
    where u.account = ${account('student').account} and s.service_url = ${home('library')} order by issued_at desc limit 1`
  const message = (index: string) =>
    `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="1" Version="2.0"><samlp:SessionIndex>${index}</samlp:SessionIndex></samlp:LogoutRequest>`
  const stranger = createBrowser(server)
  for (const wrong of ['', '<a', '<!DOCTYPE x [<!ENTITY e "x">]><LogoutRequest>&e;</LogoutRequest>']) {
    expect((await stranger.post(home('library'), { logoutRequest: wrong })).status).toBe(400)
  }
  expect((await stranger.post(home('library'), { logoutRequest: message('ST-unknown') })).status).toBe(200)
  expect((await one.get(home('library'))).status).toBe(200)
  await stranger.post(home('library'), { logoutRequest: message(tickets[0]?.ticket ?? '') })
  expect((await one.get(home('library'))).status).toBe(302)
  expect((await other.get(home('library'))).status).toBe(200)
})

test('pages have a strict policy, and no name can become markup', async () => {
  const browser = createBrowser(server)
  const name = `<img src=x onerror=alert(1)>"'&`
  await server.platform.sql`update users set name = ${name} where account = 'hanmeimei'`
  const page = await enter(browser, 'library', account('teacher'))
  expect(page.text).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;')
  expect(page.text).not.toContain('<img src=x')
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toContain('script-src')
  expect(policy).not.toContain('unsafe-inline')
  const german = await browser.get(`${home('library')}?lang=%22%3E%3Cscript%3E`)
  expect(german.text).not.toContain('<script')
})

test('the page speaks the language of the browser', async () => {
  const browser = createBrowser(server)
  await enter(browser, 'library', account('student'))
  const chinese = await browser.get(home('library'), { 'accept-language': 'zh-CN' })
  expect(chinese.text).toContain('您好，李雷')
  expect(chinese.text).toContain('<html lang="zh-CN">')
  const taiwan = await browser.get(`${home('library')}?lang=zh_TW`)
  expect(taiwan.text).toContain('圖書館')
})

test('hostile requests get an answer and leave the server standing', async () => {
  const browser = createBrowser(server)
  const base = demo.bases?.library
  for (const path of [
    '/',
    '/nothing/',
    '/library/../../etc/passwd',
    '/library/%2e%2e/x',
    '/library/x',
    '//evil.example/',
  ]) {
    expect((await browser.get(base + path)).status).toBeGreaterThanOrEqual(302)
  }
  expect((await browser.get(`${base}//evil.example/`)).location).not.toContain('//evil.example')
  const flood = await fetch(home('library'), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `logoutRequest=${'a'.repeat(200_000)}`,
  }).then(
    ({ status }) => status,
    () => 400,
  )
  expect(flood).toBe(400)
  expect(
    (await fetch(`${home('library')}log-out`, { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } })).status,
  ).toBe(403)
  expect((await browser.get(home('library'))).status).toBe(302)
})

test('a student links an account of the invented town, which is enough from then on', async () => {
  const start = `${server.url}/auth_service/third_party/town-id/login/`
  const inTown = async (browser: Browser) => {
    const page = await browser.get((await browser.get(start)).location)
    expect(page.text).toContain('Continue as 李雷')
    expect(page.text).toMatch(/href="\?[^"]*client_id=demo-university[^"]*lang=zh_CN"/)
    const href = (/href="(\?[^"]*person=T-1001)"/.exec(page.text)?.[1] ?? '').replaceAll('&amp;', '&')
    return follow(browser, `${demo.bases?.learning}/town-id/authorize${href}`)
  }
  const browser = createBrowser(server)
  const offer = await inTown(browser)
  expect(offer.text).toContain('Town Education ID told us who you are')
  const { account: name, password } = account('student')
  const page = await enterPortal(server, name, password, browser)
  const code = /third-party-account\?bind=(\w{32})/.exec(offer.text)?.[1] ?? ''
  expect((await page.call('/third_party_account/complete/', { body: { code } })).status).toBe(200)
  const again = createBrowser(server)
  await inTown(again)
  expect((await follow(again, home('library'))).text).toContain('Hello, 李雷')
})

test('when the ports after the portal are taken, the applications move and their registration follows', async () => {
  const second = await startDemoApplications(server.platform)
  expect(second.bases?.library).not.toBe(demo.bases?.library)
  const [card] = await server.platform.sql`select url, service_urls from applications where app_id = 'card'`
  expect(card).toEqual({ url: `${second.bases?.library}/card/`, serviceUrls: [`${second.bases?.library}/card/**`] })
  const [town] = await server.platform.sql<{ url: string }[]>`
    select settings->>'tokenUrl' as url from third_party_providers where key = 'town-id'`
  expect(town?.url).toBe(`${second.bases?.learning}/town-id/token`)
  await second.stop()
})
