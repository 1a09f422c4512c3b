import { beforeAll, expect, test } from 'vitest'
import { NOTICES } from '#shared/contract/light-page.ts'
import { DEFAULT_DESIGN } from '#shared/rules/theme-design.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let admin: Portal
beforeAll(async () => {
  server = await startTestServer()
  admin = await openPortal(server, { isSuperUser: true })
  return () => server.close()
})

const keep = (draft: object, token: string | null = null, page: Portal = admin) =>
  page.call<{ token: string }>('/login_config/preview/', { body: { token, draft } })
const frame = (token: string, name: string, page: Portal = admin) =>
  page.browser.get(`/auth_web/preview/${token}/${name}`)

const LIGHT = ['login', 'second-factor', 'session-limit', 'consent', 'confirm', 'device', ...Object.keys(NOTICES)]
const PORTAL = ['my-apps', 'account-security', 'forgot-password', 'activation']

test('every page is shown with the unsaved draft, framed only by our own pages, and nothing in it can be used', async () => {
  const light = { ...DEFAULT_DESIGN.light, primary: '#123456' }
  const { data } = await keep({ theme: { ...DEFAULT_DESIGN, light } })
  for (const name of [...LIGHT, ...PORTAL]) {
    const { status, text, headers } = await frame(data.token, name)
    expect(status, name).toBe(200)
    expect(text, name).toContain('--primary:#123456')
    expect(text, name).toContain('<body inert>')
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("frame-ancestors 'self'")
    expect(policy).toContain("form-action 'none'")
  }
  expect((await frame(data.token, 'no-page')).status).toBe(404)
})

test('a page shows the texts of the draft in their language, and with the same token the next draft', async () => {
  const { data } = await keep({ texts: { en: { 'login.title': 'Knock, and enter' } } })
  expect((await frame(data.token, 'login?lang=en')).text).toContain('Knock, and enter')
  expect((await frame(data.token, 'login?lang=zh_CN')).text).not.toContain('Knock, and enter')
  const next = await keep({ texts: { en: { 'login.title': 'Come in <b>now</b>' } } }, data.token)
  expect(next.data.token).toBe(data.token)
  expect((await frame(data.token, 'login?lang=en')).text).toContain('Come in &lt;b&gt;now&lt;/b&gt;')
})

test('a call of a preview is answered in the preview’s language, whatever its editor chose', async () => {
  admin.browser.setCookie('gatehouse_language', 'en')
  const named = async (headers: Record<string, string>) => {
    const { data } = await admin.call<{ id: string; name: string }[]>('/login_config/list_themes/', { headers })
    return data.find(({ id }) => id === 'lake')?.name
  }
  expect([await named({}), await named({ 'x-language': 'zh_CN' }), await named({ 'x-language': '?' })]).toEqual([
    'Lake',
    '湖',
    'Lake',
  ])
})

test('a draft is visible only in the browser session that sent it, and only super users can send one', async () => {
  const { data } = await keep({})
  const other = await openPortal(server, { isSuperUser: true })
  expect((await frame(data.token, 'login', other)).status).toBe(404)
  expect((await fetch(`${server.url}/auth_web/preview/${data.token}/login`)).status).toBe(404)
  const user = await openPortal(server)
  expect((await keep({}, null, user)).status).toBe(403)
})

test('no page but a preview can be framed', async () => {
  for (const path of ['/auth_web/login', '/auth_web/my-apps']) {
    const { headers } = await fetch(server.url + path)
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  }
})
