import { beforeAll, expect, test } from 'vitest'
import type { ManagedPage, PortalGateway, PortalSurroundings } from '#shared/contract/appearance.ts'
import type { HomePageSettings, StoredHomePage } from '#shared/contract/home-page.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let admin: Portal
beforeAll(async () => {
  server = await startTestServer()
  admin = await openPortal(server, { isSuperUser: true })
  return () => server.close()
})

const stored = async () => (await admin.call<ManagedPage>('/login_config/manage_page_config/')).data.homePage
const save = async (changes: object, version?: number) =>
  admin.call<StoredHomePage>('/login_config/update_manage_page_config/', {
    body: { version: version ?? (await stored()).version, changes },
  })
const homeOf = (html: string) =>
  (JSON.parse(html.match(/id="surroundings">(.*?)<\/script>/s)?.[1] ?? 'null') as PortalSurroundings).gateway.home
const homePage = async (query: string) => homeOf(await (await fetch(`${server.url}/auth_web/my-apps?${query}`)).text())

const ARRANGED: Partial<HomePageSettings> = {
  welcome: { en: 'Term starts on Monday', zh_CN: '周一开学' },
  searchField: false,
  blocks: ['links', 'categories', 'recent', 'advice'],
  hidden: ['recent'],
  links: [{ texts: { zh_CN: '校历', en: 'Calendar' }, url: 'https://school.test/calendar' }],
}

test('saved settings are in the page itself, in its language; safe mode shows the shipped page', async () => {
  expect((await save(ARRANGED)).status).toBe(200)
  expect(await homePage('lang=en')).toEqual({
    welcome: 'Term starts on Monday',
    searchField: false,
    blocks: ['links', 'categories', 'advice', 'announcements', 'carousel', 'mailbox', 'favourites'],
    links: [{ text: 'Calendar', url: 'https://school.test/calendar' }],
  })
  expect((await homePage('lang=zh_CN')).welcome).toBe('周一开学')
  expect((await admin.call<PortalGateway>('/school_gateway/query/')).data.home.searchField).toBe(false)
  expect(await homePage('lang=en&safe=1')).toEqual({
    welcome: null,
    searchField: true,
    blocks: ['advice', 'announcements', 'carousel', 'mailbox', 'favourites', 'recent', 'categories', 'links'],
    links: [],
  })
})

test('a preview shows the draft, and everybody else the stored page', async () => {
  const { values } = await stored()
  const draft = { homePage: { ...values, welcome: { en: 'Not yet said' } } }
  const { data } = await admin.call<{ token: string }>('/login_config/preview/', { body: { token: null, draft } })
  const { text } = await admin.browser.get(`/auth_web/preview/${data.token}/my-apps?lang=en`)
  expect(homeOf(text).welcome).toBe('Not yet said')
  expect((await homePage('lang=en')).welcome).not.toBe('Not yet said')
})

test('the second of two editors gets the stored values', async () => {
  const { version } = await stored()
  expect((await save({ searchField: true }, version)).status).toBe(200)
  const late = await save({ searchField: false }, version)
  expect(late.status).toBe(409)
  expect((await stored()).values.searchField).toBe(true)
})

test.each([
  ['blocks', ['nothing']],
  ['blocks', ['links', 'links', 'recent', 'advice']],
  ['hidden', ['categories']],
  ['hidden', ['links', 'links']],
  ['welcome', { en: 'x'.repeat(121) }],
  ['links', [{ texts: { en: 'x' }, url: 'javascript:alert(1)' }]],
  ['links', Array.from({ length: 7 }, () => ({ texts: { en: 'x' }, url: 'https://school.test/' }))],
])('%s is refused by its name when it is %j', async (key, value) => {
  const answer = await save({ [key]: value })
  expect(answer.status).toBe(400)
  expect(JSON.stringify(answer)).toContain(`changes.${key}`)
})

test('only super users read or change it', async () => {
  const user = await openPortal(server)
  expect((await user.call('/login_config/manage_page_config/')).status).toBe(403)
  const body = { version: 0, changes: {} }
  expect((await user.call('/login_config/update_manage_page_config/', { body })).status).toBe(403)
})

test('unreadable stored values fall back to the shipped ones, key by key', async () => {
  const broken = { blocks: ['nothing'], welcome: { en: 'Hello' }, links: 7 }
  const { sql, cache } = server.platform
  await sql`update settings set value = ${JSON.stringify(broken)}::text::jsonb where name = 'homePage'`
  await cache.invalidate(sql, 'settings')
  expect(await homePage('lang=en')).toEqual({
    welcome: 'Hello',
    searchField: true,
    blocks: ['advice', 'announcements', 'carousel', 'mailbox', 'favourites', 'recent', 'categories', 'links'],
    links: [],
  })
})
