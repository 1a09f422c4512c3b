import { beforeAll, expect, test } from 'vitest'
import type { LightData } from '#shared/contract/light-page.ts'
import { LOGIN_BLOCKS, type LoginPageSettings, type StoredLoginPage } from '#shared/contract/login-page.ts'
import { addCasApplication } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let admin: Portal
beforeAll(async () => {
  server = await startTestServer()
  admin = await openPortal(server, { isSuperUser: true })
  return () => server.close()
})

const stored = async () => (await admin.call<StoredLoginPage>('/login_config/login_page_config/', { body: {} })).data
const save = async (changes: Partial<LoginPageSettings>, version?: number) =>
  admin.call<StoredLoginPage>('/login_config/update_login_page_config/', {
    body: { version: version ?? (await stored()).version, changes },
  })
const loginPage = async (query = 'lang=en') =>
  (await fetch(`${server.url}/fwk_cas_service/logout?${query}`, { headers: { 'accept-language': 'en' } })).text()
const dataOf = (html: string): LightData => JSON.parse(html.match(/id="light-data">(.*?)<\/script>/s)?.[1] ?? 'null')

test('layout, slogan, languages, links and filing numbers are in the HTML itself, in the page’s language', async () => {
  expect(await loginPage()).toContain('class="page page-right"')
  const answer = await save({
    layout: 'centre',
    slogan: false,
    languages: ['en', 'zh_CN'],
    links: [{ texts: { en: 'Campus map', zh_CN: '校园地图' }, url: 'https://map.school.test/' }],
    icp: '京ICP备12345678号-1',
    publicSecurity: '京公网安备11010802020000号',
  })
  expect(answer.status).toBe(200)
  const html = await loginPage()
  expect(html).toContain('class="page page-centre"')
  expect(html).not.toContain('class="slogan"')
  expect(html).toContain('<a href="https://map.school.test/">Campus map</a>')
  expect(await loginPage('lang=zh_CN')).toContain('校园地图')
  expect(html).toContain('href="https://beian.miit.gov.cn/"')
  expect(html).toContain('webSearch?code=11010802020000')
  expect(html.indexOf('lang=en')).toBeLessThan(html.indexOf('lang=zh_CN'))
  expect(html).not.toContain('lang=zh_TW')
  const safe = await loginPage('lang=en&safe=1')
  expect(safe).toContain('class="page page-right"')
  expect(safe).toContain('lang=zh_TW')
})

const SERVICE = 'https://library.test/books'
const shownForm = async () =>
  (await fetch(`${server.url}/auth_web/login?service=${encodeURIComponent(SERVICE)}&lang=en`)).text()

test('the parts of the page follow the chosen order, hidden ones are absent, and a login is always possible', async () => {
  await addCasApplication(server, { appId: 'library', name: 'Library' })
  const order = [...LOGIN_BLOCKS].reverse()
  expect((await save({ blocks: order, hidden: ['brand', 'foot'], icp: '京ICP备1号' })).status).toBe(200)
  const html = await shownForm()
  expect(html).not.toContain('class="brand"')
  expect(html).not.toContain('href="https://beian.miit.gov.cn/"')
  expect(html.indexOf('/auth_web/activation')).toBeLessThan(html.indexOf('<form'))
  expect(dataOf(html).surroundings.setup.blocks).toEqual(order.filter((block) => block !== 'brand' && block !== 'foot'))
  // No third-party login is configured here.
  await save({ hidden: ['form'] })
  expect(await shownForm()).toContain('<form')
  for (const hidden of LOGIN_BLOCKS) {
    await save({ hidden: [hidden] })
    expect(await shownForm(), hidden).toContain('name="password"')
  }
  expect((await save({ hidden: ['form', 'otherMethods'] })).status).toBe(400)
  expect((await save({ hidden: ['qr', 'qr'] })).status).toBe(400)
  expect((await save({ blocks: LOGIN_BLOCKS.slice(1) })).status).toBe(400)
  await save({ blocks: [...LOGIN_BLOCKS], hidden: [], icp: '' })
})

test('fields absent from a change stay, and the second of two editors gets the stored values', async () => {
  const { version } = await stored()
  await save({ icp: '沪ICP备1号' })
  expect((await stored()).values).toMatchObject({ icp: '沪ICP备1号', layout: 'centre' })
  const late = await save({ layout: 'left' }, version)
  expect([late.status, late.envelope.code]).toEqual([409, 'version.conflict'])
  expect(late.data).toMatchObject({ current: { values: { icp: '沪ICP备1号' } } })
})

test('a link must be a web address; languages can’t repeat, and there is always one', async () => {
  for (const url of ['javascript:alert(1)', 'data:text/html,x', '//evil.test', 'https://user@evil.test/']) {
    expect((await save({ links: [{ texts: { en: 'x' }, url }] })).status, url).toBe(400)
  }
  expect((await save({ languages: [] })).status).toBe(400)
  expect((await save({ languages: ['en', 'en'] })).status).toBe(400)
  const user = await openPortal(server)
  expect((await user.call('/login_config/login_page_config/', { body: {} })).status).toBe(403)
})

test('an unreadable stored layout falls back to the shipped one, key by key', async () => {
  const broken = { layout: 'sideways', links: 7, icp: '粤ICP备2号', unknown: true }
  const { sql, cache } = server.platform
  await sql`update settings set value = ${JSON.stringify(broken)}::text::jsonb where name = 'loginPage'`
  await cache.invalidate(sql, 'settings')
  const { setup } = dataOf(await loginPage()).surroundings
  expect(setup).toMatchObject({ layout: 'right', links: [], languages: ['zh_CN', 'zh_TW', 'en'] })
  expect(setup.filings.map(({ text }) => text)).toEqual(['粤ICP备2号'])
  expect((await stored()).values.layout).toBe('right')
})

test('the login page works with unreadable stored names, and shows those that can be read', async () => {
  const broken = { names: 'Yuhai', logo: 7, contacts: { en: 'Help desk, 1234' }, unknown: true }
  const { sql, cache } = server.platform
  await sql`
    insert into settings (name, value, updated_at) values ('gateway', ${JSON.stringify(broken)}::text::jsonb, ${server.platform.now()})
    on conflict (name) do update set value = excluded.value`
  await cache.invalidate(sql, 'settings')
  const { school } = dataOf(await loginPage()).surroundings
  expect(school).toMatchObject({ logo: null, contact: 'Help desk, 1234' })
})
