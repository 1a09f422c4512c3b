import { beforeAll, expect, test } from 'vitest'
import type { LightData, LoginPage } from '#shared/contract/light-page.ts'
import {
  LOGIN_BLOCKS,
  LOGIN_LAYOUTS,
  type LoginBlock,
  LoginPageSettings,
  type StoredLoginPage,
} from '#shared/contract/login-page.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { addVendor } from '../../testing/vendors.ts'

/** Codes can be sent, so that there are two typed login methods. */
let server: TestServer
let admin: Portal
beforeAll(async () => {
  server = await startTestServer({ env: { DEMO: '1' } })
  admin = await openPortal(server, { isSuperUser: true })
  return () => server.close()
})

const pageOf = (html: string) =>
  (JSON.parse(html.match(/id="light-data">(.*?)<\/script>/s)?.[1] ?? 'null') as LightData).page as LoginPage
const loginPage = async (query = '', cookie = '') =>
  pageOf(await (await fetch(`${server.url}/auth_web/login?service=${query}`, { headers: { cookie } })).text())
const save = async (changes: Partial<LoginPageSettings>) => {
  const path = '/login_config/login_page_config/'
  const { version } = (await admin.call<StoredLoginPage>(path, { body: {} })).data
  const body = { version, changes }
  expect((await admin.call('/login_config/update_login_page_config/', { body })).status).toBe(200)
}

test('the chosen login method comes first, except for people who used another one; safe mode shows the shipped order', async () => {
  expect(await loginPage()).toMatchObject({ types: ['user', 'captcha'], type: 'user' })
  await save({ defaultMethod: 'captcha' })
  expect(await loginPage()).toMatchObject({ types: ['captcha', 'user'], type: 'captcha' })
  const before = 'gatehouse_login_type=user'
  expect(await loginPage('', before)).toMatchObject({ types: ['captcha', 'user'], type: 'user' })
  await save({ hidden: ['methods'] })
  expect(await loginPage('', before)).toMatchObject({ type: 'captcha' })
  expect(await loginPage('&safe=1', before)).toMatchObject({ types: ['user', 'captcha'], type: 'user' })
  await save({ defaultMethod: 'user', hidden: [] })
})

test('the preview shows the login method that the draft puts first, whatever its editor used', async () => {
  const draft = { loginPage: LoginPageSettings.parse({ defaultMethod: 'captcha' }) }
  const { data } = await admin.call<{ token: string }>('/login_config/preview/', { body: { token: null, draft } })
  admin.browser.setCookie('gatehouse_login_type', 'user')
  const { text } = await admin.browser.get(`/auth_web/preview/${data.token}/login`)
  expect(pageOf(text)).toMatchObject({ types: ['captcha', 'user'], type: 'captcha' })
})

/** Every combination of parts that may be hidden. */
const hiddenSets = (): LoginBlock[][] =>
  Array.from({ length: 2 ** LOGIN_BLOCKS.length }, (_, bits) =>
    LOGIN_BLOCKS.filter((_block, at) => bits & (1 << at)),
  ).filter((hidden) => !(hidden.includes('form') && hidden.includes('otherMethods')))

async function keep(token: string | null, loginPage: LoginPageSettings): Promise<string> {
  const body = { token, draft: { loginPage } }
  return (await admin.call<{ token: string }>('/login_config/preview/', { body })).data.token
}

const canLogIn = (html: string) => html.includes('name="password"') || html.includes('/third_party/qywx/login?')

test('with every part hidden or shown, codes first or not, in each layout, the page offers a login', async () => {
  await addVendor(server, 'qywx')
  const sets = hiddenSets()
  expect(sets).toHaveLength(192)
  let token: string | null = null
  for (const [at, hidden] of sets.entries()) {
    for (const qrFirst of [false, true]) {
      const loginPage = LoginPageSettings.parse({ hidden, qrFirst, layout: LOGIN_LAYOUTS[at % 3] })
      token = await keep(token, loginPage)
      const { text } = await admin.browser.get(`/auth_web/preview/${token}/login`)
      expect(canLogIn(text), `hidden: ${hidden.join(', ')}; codes first: ${qrFirst}`).toBe(true)
    }
  }
})
