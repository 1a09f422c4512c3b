import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import type { ManagedPage } from '#shared/contract/appearance.ts'
import type { StoredLoginPage } from '#shared/contract/login-page.ts'
import type { Theme } from '#shared/contract/themes.ts'
import { SHIPPED_CODES } from '#shared/rules/shipped-themes.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

/** Other programs rely on these names. */
let server: TestServer
let admin: Portal
beforeAll(async () => {
  server = await startTestServer()
  admin = await openPortal(server, { isSuperUser: true })
  return () => server.close()
})

type Listed = { id: string; name: string; light: Record<string, string>; dark: Record<string, string> }
const listThemes = async () => (await admin.call<Listed[]>('/login_config/list_themes/')).data

test('list_themes returns the shipped and published themes in the caller’s language, and no draft', async () => {
  expect((await listThemes()).map(({ id }) => id)).toEqual(SHIPPED_CODES)
  const { status, data } = await admin.call<Theme>('/login_config/create/', {
    body: { name: 'Our campus', names: { zh_CN: '我们的校园' }, base: 'wisteria' },
  })
  expect(status).toBe(200)
  expect(await listThemes()).toHaveLength(SHIPPED_CODES.length)
  const published = await admin.call(`/login_config/themes/${data.id}/publish/`, { body: { version: data.version } })
  expect(published.status).toBe(200)
  const own = (await listThemes()).find(({ id }) => id === data.id)
  expect(own).toMatchObject({ name: 'Our campus', light: { primary: expect.stringMatching(/^#/) } })
  const chinese = await admin.call<Listed[]>('/login_config/list_themes/', { headers: { 'accept-language': 'zh-CN' } })
  expect(chinese.data.at(-1)?.name).toBe('我们的校园')
})

test('login_page_config returns what update_login_page_config wrote, and query_login_page_config what the page offers', async () => {
  const before = await admin.call<StoredLoginPage>('/login_config/login_page_config/', { body: {} })
  const { version } = before.data
  const changed = await admin.call('/login_config/update_login_page_config/', {
    body: { version, changes: { layout: 'left' } },
  })
  expect(changed.status).toBe(200)
  const after = await admin.call<StoredLoginPage>('/login_config/login_page_config/', { body: {} })
  expect([before.data.values.layout, after.data.values.layout]).toEqual(['right', 'left'])
  const offered = await admin.call<object>('/login_config/query_login_page_config/')
  expect(offered.data).toMatchObject({ loginTypes: ['user'], themeId: 'gatehouse' })
  const forBrowsers = await admin.call<object>('/login_config/login_property_page_config/')
  expect(forBrowsers.data).toMatchObject({ switchOfExpirationLogout: '1', rememberMeLongSecond: expect.any(Number) })
})

test('manage_page_config returns what update_manage_page_config wrote', async () => {
  const read = async () => (await admin.call<ManagedPage>('/login_config/manage_page_config/')).data
  const { version } = (await read()).homePage
  const body = { version, changes: { searchField: false } }
  expect((await admin.call('/login_config/update_manage_page_config/', { body })).status).toBe(200)
  expect(await read()).toMatchObject({ names: {}, homePage: { values: { searchField: false } } })
})

test('auth_files/upload stores a picture and returns its address', async () => {
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#1f4b99' } })
    .png()
    .toBuffer()
  const form = new FormData()
  form.set('file', new File([new Uint8Array(png)], 'campus.png', { type: 'image/png' }))
  const { status, data } = await admin.call<{ url: string }>('/auth_files/upload/?purpose=theme', { body: form })
  expect(status).toBe(200)
  const picture = await fetch(server.url + data.url)
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
})
