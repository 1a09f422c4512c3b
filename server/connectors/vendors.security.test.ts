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

const EVIL = 'https://evil.example'

test.each(VENDOR_KEYS)('%s: no parameter leads to another site', async (key) => {
  await addVendor(server, key)
  await bindNewPerson(server, key)
  const wishes = ['redirect_uri', 'redirectUri', 'returnUrl', 'service', 'next', 'url'].map((name) => `${name}=${EVIL}`)
  const browser = createBrowser(server)
  const start = await browser.get(`/auth_service/third_party/${key}/login/?${wishes.join('&')}`)
  expect(new URL(start.location).origin).not.toBe(EVIL)
  expect(start.location).not.toContain('evil.example')
  const own = await leaveVendor(createBrowser(server), key, { person: 'LiLei' })
  expect(new URL(own).origin).toBe(server.url)
  const fresh = createBrowser(server)
  const back = await leaveVendor(fresh, key, { person: 'LiLei' })
  const answer = await returnFromVendor(server, fresh, `${back}&${wishes.join('&')}`)
  expect(answer.location).not.toContain('evil.example')
  expect(isIn(fresh)).toBe(true)
})

test.each(VENDOR_KEYS)('%s: line breaks in what comes back do not split the answer', async (key) => {
  await addVendor(server, key)
  const split = '%0d%0aset-cookie:%20CASTGC=forged%0d%0a%0d%0a<script>'
  const { returnedCode } = VENDORS[key]
  for (const name of [returnedCode, 'state', 'error', 'error_description']) {
    const browser = createBrowser(server)
    const back = new URL(await leaveVendor(browser, key, { person: 'LiLei' }))
    back.searchParams.delete(name)
    const answer = await returnFromVendor(server, browser, `${back.href}&${name}=${split}`)
    expect(answer.text).not.toContain('<script>set')
    expect(answer.text).not.toContain('CASTGC=forged')
    expect(browser.cookie('CASTGC') ?? '').not.toContain('forged')
  }
})

test.each(VENDOR_KEYS)('%s: a repeated parameter is ignored', async (key) => {
  await addVendor(server, key)
  await bindNewPerson(server, key)
  const { returnedCode } = VENDORS[key]
  for (const name of [returnedCode, 'state']) {
    const browser = createBrowser(server)
    const back = await leaveVendor(browser, key, { person: 'LiLei' })
    await returnFromVendor(server, browser, `${back}&${name}=another`)
    expect(isIn(browser)).toBe(false)
  }
})

test.each(VENDOR_KEYS)('%s: redirects of a vendor’s calls are not followed', async (key) => {
  const simulator = await addVendor(server, key)
  for (const step of ['token', 'user'] as const) {
    simulator.trouble = { [step]: 'redirect' }
    const browser = createBrowser(server)
    expect((await logInAt(server, browser, key)).status).toBe(502)
    expect(isIn(browser)).toBe(false)
  }
  expect(simulator.calls.join()).not.toContain('/elsewhere')
})

const nobodies: [VendorKey, Record<string, unknown>][] = [
  ...['', '0', 'null', 'undefined'].flatMap((id): [VendorKey, Record<string, unknown>][] => [
    ['qywx', { userid: id }],
    ['qq', { openid: id, unionid: '' }],
    ['auth-edu', { userid: id }],
  ]),
  ...['0', 'null', 'undefined'].map((id): [VendorKey, Record<string, unknown>] => ['weChat', { unionid: id }]),
  // Another person than the token was issued for.
  ['weChat', { openid: 'openid-HanMeimei' }],
]
test.each(nobodies)('%s: %j identifies nobody', async (key, about) => {
  const simulator = await addVendor(server, key)
  simulator.about = about
  const browser = createBrowser(server)
  expect((await logInAt(server, browser, key)).status).toBeGreaterThanOrEqual(400)
  expect(isIn(browser)).toBe(false)
})

test.each(VENDOR_KEYS)('%s: neither log nor records contain secrets, codes or tokens of a login', async (key) => {
  lines = []
  const simulator = await addVendor(server, key)
  await bindNewPerson(server, key)
  const browser = createBrowser(server)
  const back = await leaveVendor(browser, key, { person: 'LiLei' })
  const code = new URL(back).searchParams.get(VENDORS[key].returnedCode) ?? ''
  await returnFromVendor(server, browser, back)
  simulator.trouble = { token: 'garbage' }
  await logInAt(server, createBrowser(server), key)
  const [kept] = await server.platform.sql<{ text: string }[]>`
    select concat((select string_agg(l::text, '') from login_records l), (select string_agg(a::text, '') from audit_records a)) as text`
  const all = lines.join('\n') + (kept?.text ?? '')
  expect(code).toMatch(/^[0-9a-f]{32}$/)
  for (const secret of [code, 'nothing-secret-in-a-simulator']) expect(all).not.toContain(secret)
})

test('a provider that an administrator points at link-local addresses is not called', async () => {
  await addVendor(server, 'qywx', { settings: { apiHost: 'http://169.254.169.254' } })
  const begun = performance.now()
  expect((await logInAt(server, createBrowser(server), 'qywx')).status).toBe(502)
  expect(performance.now() - begun).toBeLessThan(4000)
})
