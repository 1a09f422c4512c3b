import { beforeAll, expect, test } from 'vitest'
import { Gateway } from '#shared/contract/appearance.ts'
import { mergeSettings } from '../../platform/settings.ts'
import { openPortal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { signedFetch } from '../../testing/signed.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  return () => server.close()
})

async function read<T = Record<string, unknown>>(path: string, language = 'en'): Promise<{ state: number; data: T }> {
  const answer = await signedFetch(server, path, { headers: { 'accept-language': language } })
  return (await answer.json()) as { state: number; data: T }
}
const settings = (name: string, changes: object) =>
  mergeSettings({ ...server.platform, db: server.platform.sql }, name, changes)

test('without configuration the institution has the product’s name and the shipped favicon, which is really there', async () => {
  const { data } = await read('/school_gateway/query/')
  expect(data).toEqual({
    schoolName: 'Gatehouse',
    pageLabelLogo: '/auth_web/favicon.svg',
    logo: null,
    contact: null,
    privacyUrl: null,
    helpUrl: null,
    banner: null,
    home: {
      blocks: ['advice', 'announcements', 'carousel', 'mailbox', 'favourites', 'recent', 'categories', 'links'],
      links: [],
      searchField: true,
      welcome: null,
    },
  })
  const favicon = await fetch(server.url + data['pageLabelLogo'])
  expect(favicon.headers.get('content-type')).toBe('image/svg+xml')
})

test('the institution answers in the caller’s language, and falls back to the language it has', async () => {
  await settings('gateway', { names: { zh_CN: '示范大学', en: 'Demo University' }, contacts: { zh_CN: '信息办' } })
  expect((await read('/school_gateway/query/', 'zh-CN')).data).toMatchObject({
    schoolName: '示范大学',
    contact: '信息办',
  })
  expect((await read('/school_gateway/query/', 'en')).data).toMatchObject({
    schoolName: 'Demo University',
    contact: '信息办',
  })
  expect((await read('/school_gateway/query/', 'zh-TW')).data).toMatchObject({ schoolName: '示范大学' })
})

test('a changed setting takes effect on every node without a restart', async () => {
  const node = await server.secondNode()
  const titleAt = async (url: string) =>
    (await (await fetch(`${url}/auth_web/login?service=x&lang=en`)).text()).match(/<title>.*? · (.*?)</)?.[1]
  expect(await titleAt(node.url)).toBe('Demo University')
  await settings('gateway', { names: { en: 'Renamed College' } })
  await expect.poll(() => titleAt(node.url), { timeout: 30_000 }).toBe('Renamed College')
  expect(await titleAt(server.url)).toBe('Renamed College')
})

test('the settings needed by a browser are public, the rest of the policy is not among them', async () => {
  await settings('login', { rememberMeLongSecond: 3600, expirationMinutes: 10, lockAfterFailures: 7 })
  const { data } = await read('/login_config/login_property_page_config/')
  expect(data).toMatchObject({ switchOfExpirationLogout: '1', expirationMinutes: 10, rememberMeLongSecond: 3600 })
  expect(JSON.stringify(data)).not.toMatch(/lock|failure|captcha/i)
  const login = await read('/login_config/query_login_page_config/')
  expect(login.data).toMatchObject({ loginTypes: ['user'], rememberMeLongSecond: 3600, activation: true })
  expect((await read<object[]>('/login_config/list_themes/')).data).toHaveLength(6)
})

test('the stored institution, in all languages, is for super users only', async () => {
  expect((await read('/login_config/manage_page_config/')).state).toBe(401)
  const user = await openPortal(server)
  expect((await user.call('/login_config/manage_page_config/')).status).toBe(403)
  const admin = await openPortal(server, { isSuperUser: true })
  const answer = await admin.call<Gateway>('/login_config/manage_page_config/')
  expect(answer.status).toBe(200)
  expect(answer.data.names).toMatchObject({ en: 'Renamed College' })
})

const NOT_OURS = [
  '//evil.example/x',
  '/\\evil.example',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,x',
  'https://user@evil.example/',
  '/\t/evil.example',
]

test.each(NOT_OURS)('%j can be neither a picture nor a link of the institution', (address) => {
  for (const field of ['logo', 'pageLabelLogo', 'privacyUrl', 'helpUrl']) {
    expect(Gateway.safeParse({ [field]: address }).success, field).toBe(false)
  }
  expect(Gateway.safeParse({ logo: 'https://cdn.example/logo.png' }).success, 'pictures are our own').toBe(false)
  expect(Gateway.safeParse({ helpUrl: 'https://help.example/a?b#c', logo: '/auth_service/auth_files/1' }).success).toBe(
    true,
  )
})
