import { beforeAll, expect, test } from 'vitest'
import type { LightData } from '#shared/contract/light-page.ts'
import { mergeSettings } from '../../platform/settings.ts'
import { createBrowser } from '../../testing/browser.ts'
import { tagsOf } from '../../testing/html.ts'
import { addCasApplication, addPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { attemptWithCaptcha } from '../../testing/sign-in.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await addCasApplication(server, { appId: 'library', name: '图书馆' })
  return () => server.close()
})

const SERVICE = 'https://library.test/books?shelf=1&row=2'
const pageOf = (service = SERVICE, more: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  createBrowser(server).get(`/auth_web/login?${new URLSearchParams({ service, ...more })}`, headers)
const dataOf = (html: string): LightData => JSON.parse(html.match(/id="light-data">(.*?)<\/script>/s)?.[1] ?? 'null')
const settings = (name: string, changes: object) =>
  mergeSettings({ ...server.platform, db: server.platform.sql }, name, changes)

test('the HTML alone contains a login form: post, fields for password managers, the service', async () => {
  const { status, text } = await pageOf()
  expect(status).toBe(200)
  expect(tagsOf(text, 'form')).toEqual([
    { method: 'post', action: `/fwk_cas_service/login?service=${encodeURIComponent(SERVICE)}` },
  ])
  const fields = Object.fromEntries(tagsOf(text, 'input').map((input) => [input['name'], input]))
  expect(fields['username']).toMatchObject({ type: 'text', autocomplete: 'username', autofocus: '', required: '' })
  expect(fields['password']).toMatchObject({ type: 'password', autocomplete: 'current-password', required: '' })
  expect(fields['service']).toMatchObject({ type: 'hidden', value: SERVICE })
  expect(tagsOf(text, 'button')).toMatchObject([{ type: 'submit' }])
})

test('a captcha required from the first attempt on is shown at once, and the first attempt with it succeeds', async () => {
  await addPerson(server, { account: 'lilei' })
  expect(dataOf((await pageOf()).text).page).toMatchObject({ captcha: null })
  for (const captchaKind of ['proof-of-work', 'picture', 'slider'] as const) {
    await settings('login', { captchaAfterFailures: 0, captchaKind })
    const { text } = await pageOf()
    expect(dataOf(text).page).toMatchObject({ captcha: { kind: captchaKind }, error: null })
    // Without script it is the picture.
    expect(tagsOf(text, 'input').filter(({ name }) => name === 'captchaId' || name === 'captcha')).toHaveLength(2)
  }
  expect(await attemptWithCaptcha(server, 'lilei')).toMatchObject({ status: 200 })
  await settings('login', { captchaAfterFailures: 3 })
})

test('the page’s language is that of the link, else of the cookie, else of the browser', async () => {
  const words = { en: 'Log in', 'zh-CN': '登录', 'zh-TW': '登入' }
  const expected = async (lang: keyof typeof words, ...asked: Parameters<typeof pageOf>) => {
    const { text, headers } = await pageOf(...asked)
    expect(text).toContain(`<html lang="${lang}">`)
    expect(text).toContain(`<h1>${words[lang]}</h1>`)
    expect(headers.get('content-language')).toBe(lang)
  }
  await expected('zh-TW', SERVICE, {}, { 'accept-language': 'zh-TW,zh;q=0.9' })
  await expected('en', SERVICE, {}, { 'accept-language': 'zh-TW', cookie: 'gatehouse_language=en' })
  await expected('zh-CN', SERVICE, { lang: 'zh_CN' }, { 'accept-language': 'zh-TW', cookie: 'gatehouse_language=en' })
})

test('a language or theme chosen by link stays chosen, and the link keeps the service', async () => {
  const browser = createBrowser(server)
  const first = await browser.get(`/auth_web/login?${new URLSearchParams({ service: SERVICE })}`)
  const links = tagsOf(first.text, 'a').map((link) => link['href'] ?? '')
  const link = (end: string) => links.find((href) => href.endsWith(end)) ?? ''
  expect(new URL(link('lang=zh_TW'), server.url).searchParams.get('service')).toBe(SERVICE)
  await browser.get(link('lang=zh_TW'))
  await browser.get(link('theme=dark'))
  const later = await browser.get('/auth_web/login')
  expect(later.text).toContain('<html lang="zh-TW" data-theme="dark">')
})

test('a page that is kept for many is shown to nobody who asked for another one', async () => {
  const asked: Parameters<typeof pageOf>[] = [
    [SERVICE],
    ['https://library.test/journals'],
    [SERVICE, { renew: 'true' }],
    [SERVICE, { login_hint: 'lilei' }],
    [SERVICE, {}, { 'accept-language': 'zh-TW' }],
    [SERVICE, {}, { cookie: 'gatehouse_theme=dark' }],
    [SERVICE, {}, { cookie: 'gatehouse_reading=1.140.black.line.none.1.100.0' }],
    // More than are kept.
    ...Array.from({ length: 40 }, (_, at): [string] => [`https://library.test/books/${at}`]),
  ]
  const first = await Promise.all(asked.map((one) => pageOf(...one)))
  expect(new Set(first.map(({ text }) => text)).size).toBe(asked.length)
  for (const [at, [service]] of asked.entries()) {
    expect(tagsOf(first[at]?.text ?? '', 'input').find(({ name }) => name === 'service')?.['value']).toBe(service)
  }
  const again = await Promise.all(asked.toReversed().map((one) => pageOf(...one)))
  expect(again.map(({ text }) => text)).toEqual(first.map(({ text }) => text).toReversed())
})

test('nothing is inlined that could run, and the form may end up only here and at the registered application', async () => {
  const { text, headers } = await pageOf()
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("style-src 'self';")
  expect(policy).toContain("form-action 'self' https://library.test;")
  expect(policy).toContain("frame-ancestors 'none'")
  const [script, data, ...more] = tagsOf(text, 'script')
  expect(script?.['src']).toMatch(/^\/auth_web\/login-assets\/[\w.-]+\.js$/)
  expect(data?.['type']).toBe('application/json')
  expect(more).toEqual([])
  expect(text).not.toMatch(/<style| style=| on[a-z]+=|javascript:/i)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('x-frame-options')).toBe('DENY')
})

test('names and addresses are escaped, whatever they contain', async () => {
  const canary = `</script><script>alert(1)</script><img src=x onerror=alert(1)>'"{{7*7}}`
  await settings('gateway', { names: { en: canary.slice(0, 60) }, contacts: { en: canary } })
  await addCasApplication(server, { appId: 'evil', name: canary })
  const { text } = await pageOf(`https://evil.test/?q=${canary.replaceAll(' ', '%20')}`)
  expect(text).not.toMatch(/<script>alert|<img src=x|<\/script><script>a/)
  expect(dataOf(text).page).toMatchObject({ application: { name: canary } })
  expect(text).toContain('&lt;/script&gt;&lt;script&gt;alert(1)')
  expect(text.match(/<title>.*<\/title>/)?.[0]).toContain('&lt;/script&gt;')
  await settings('gateway', { names: {}, contacts: {} })
})

const OFF_SITE = [
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example',
  '\\\\evil.example',
  '\\/evil.example',
  '///evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  ' //evil.example',
  '\u0001https://evil.example',
  'ht\ntps://evil.example',
  'http:evil.example',
  'https://evil.example\\@library.test/',
  'https://library.test@evil.example/',
  'https://a@b@evil.example/',
  'https://library.test%2eevil.example/',
  'https://library.test。evil.example/',
  'https://ｅvil.example/',
  '//evil%E3%80%82example',
  'https://library.test./',
  'https://library.test:8443/',
  'http://library.test/',
  'javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
]

test.each(OFF_SITE)(
  'the unregistered service %j gets a notice without a form, and no link leads there',
  async (service) => {
    const { status, text, headers } = await pageOf(service)
    expect(status).toBe(403)
    expect(text).toContain('This application is not registered')
    expect(text).not.toContain('<form')
    expect(headers.get('content-security-policy')).toContain("form-action 'self';")
    const addresses = ['a', 'link', 'script', 'img', 'form'].flatMap((name) =>
      tagsOf(text, name).flatMap(({ href, src, action }) => [href, src, action].filter((at) => at !== undefined)),
    )
    for (const address of addresses) {
      expect(new URL(address, server.url).origin).toBe(server.url)
    }
  },
)

test('other parameters that name an address lead nowhere', async () => {
  const action = `/fwk_cas_service/login?service=${encodeURIComponent(SERVICE)}`
  for (const name of ['redirectUrl', 'redirect', 'url', 'next']) {
    for (const target of OFF_SITE) {
      const { text } = await pageOf(SERVICE, { [name]: target })
      expect(dataOf(text).page).toMatchObject({ action })
      expect(text).not.toContain('evil')
    }
  }
})

test('a service given twice matches nothing, and a disabled application says so', async () => {
  const twice = await createBrowser(server).get(`/auth_web/login?service=${SERVICE}&service=${SERVICE}`)
  expect(twice.status).toBe(403)
  await addCasApplication(server, { appId: 'closed', name: 'Closed' })
  await server.platform.sql`update applications set enabled = false where app_id = 'closed'`
  await server.platform.cache.invalidate(server.platform.sql, 'applications')
  const closed = await pageOf('https://closed.test/')
  expect(closed.status).toBe(403)
  expect(closed.text).toContain('This application is disabled')
})

test('a bookmarked login page leads to the portal', async () => {
  const { page } = dataOf((await createBrowser(server).get('/auth_web/login')).text)
  expect(page).toMatchObject({ kind: 'login', application: null })
  const service = page.kind === 'login' ? (page.service ?? '') : ''
  expect(service).toContain(`${server.url}/auth_service/cas/login/?casParameter=`)
})

test('a login page reopened in a browser with a portal session continues at once, and never loops', async () => {
  const browser = createBrowser(server)
  browser.setCookie('gatehouse_portal', 'perhaps-ended')
  const address = `/auth_web/login?${new URLSearchParams({ service: SERVICE })}`
  const first = await browser.get(address)
  expect(first.status).toBe(302)
  const next = new URL(first.location)
  expect(next.pathname).toBe('/fwk_cas_service/login')
  expect(next.searchParams.get('service')).toBe(SERVICE)
  expect((await browser.get(address)).status).toBe(200)
})

test('staying logged in is offered only as long as the policy allows, and not at all at 0', async () => {
  expect((await pageOf()).text).not.toContain('name="rememberMe"')
  await settings('login', { rememberMeLongSecond: 2_592_000 })
  expect((await pageOf()).text).toMatch(/name="rememberMe"[^>]*>Stay logged in for 30 days/)
  await settings('login', { rememberMeLongSecond: 7200 })
  expect((await pageOf()).text).toContain('Stay logged in for 2 hours')
  await settings('login', { rememberMeLongSecond: 0 })
})

test('renew and method reach the protocol, anything else does not', async () => {
  const { page } = dataOf((await pageOf(SERVICE, { renew: 'true', method: 'POST', gateway: 'true', x: '1' })).text)
  const action = new URL(page.kind === 'login' ? page.action : '', server.url)
  expect(Object.fromEntries(action.searchParams)).toEqual({ renew: 'true', method: 'POST', service: SERVICE })
})

test('a browser that used another host name is redirected to the public address, but never in a loop', async () => {
  const other = server.url.replace('127.0.0.1', 'localhost')
  const first = await fetch(`${other}/auth_web/login?service=x`, { redirect: 'manual' })
  expect(first.headers.get('location')).toBe(`${server.url}/auth_web/login?service=x`)
  const cookie = first.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const again = await fetch(`${other}/auth_web/login`, { redirect: 'manual', headers: { cookie } })
  expect(again.status).toBe(200)
})
