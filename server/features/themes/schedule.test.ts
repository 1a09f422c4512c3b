import { beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import type { SchoolGateway } from '#shared/contract/appearance.ts'
import type { LightData } from '#shared/contract/light-page.ts'
import type { queryThemes } from '#shared/contract/themes.ts'
import type { ThemeWindow } from '#shared/rules/theme-schedule.ts'
import { addCasApplication } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let node: TestServer
let admin: Portal
beforeAll(async () => {
  server = await startTestServer()
  node = await server.secondNode()
  await addCasApplication(server, { appId: 'library', name: 'Library' })
  return () => server.close()
})

const DAY_SECONDS = 86_400
const login = async () => {
  admin = await openPortal(server, { isSuperUser: true })
}
const stored = async () => (await admin.call<z.output<typeof queryThemes.output>>('/login_config/themes/')).data
const save = async (changes: object, version?: number) =>
  admin.call('/login_config/schedule/', { body: { version: version ?? (await stored()).version, changes } })
const page = async ({ url }: TestServer, query = '') =>
  (await fetch(`${url}/auth_web/login?service=${encodeURIComponent('https://library.test/books')}&${query}`)).text()
const sheetOf = async (on: TestServer) => {
  const href = (await page(on)).match(/<link id="theme" rel="stylesheet" href="([^"]+)"/)?.[1]
  return href ? (await fetch(on.url + href)).text() : ''
}
const dataOf = (html: string): LightData => JSON.parse(html.match(/id="light-data">(.*?)<\/script>/s)?.[1] ?? 'null')

/** The date in Shanghai, a number of days from now. */
const dayAfter = (days: number) =>
  new Date(server.platform.now().getTime() + 8 * 3600_000 + days * DAY_SECONDS * 1000).toISOString().slice(0, 10)
const untilMidnight = () => DAY_SECONDS - ((server.platform.now().getTime() / 1000 + 8 * 3600) % DAY_SECONDS)
const window = (change: Partial<ThemeWindow>): ThemeWindow => ({
  name: 'Days',
  theme: 'lake',
  grey: false,
  from: dayAfter(1),
  until: dayAfter(1),
  yearly: false,
  priority: 0,
  ...change,
})

test('a scheduled theme starts at midnight of its first day and ends at midnight after its last, on every node', async () => {
  await login()
  expect((await save({ schedule: [window({})] })).status).toBe(200)
  expect(await sheetOf(node)).toBe('')
  server.advance(untilMidnight() - 2)
  expect([await sheetOf(server), await sheetOf(node)]).toEqual(['', ''])
  server.advance(3)
  for (const one of [server, node]) expect(await sheetOf(one)).toContain('--primary:#0b6475')
  const { data } = await admin.call<{ themeId: string }>('/login_config/query_login_page_config/')
  expect(data.themeId).toBe('lake')
  server.advance(DAY_SECONDS)
  for (const one of [server, node]) expect(await sheetOf(one)).toBe('')
})

test('days of mourning remove the colour of any theme, except for accessible reading', async () => {
  await login()
  const mourning = window({ theme: null, grey: true, from: dayAfter(0), until: dayAfter(0), priority: 9 })
  const festive = window({ theme: 'seal', from: dayAfter(0), until: dayAfter(0) })
  await save({ schedule: [mourning, festive] })
  const sheet = await sheetOf(server)
  expect(sheet).toContain('--primary:#8c1d2f')
  expect(sheet).toContain(':root:not([data-reading-contrast]){filter:grayscale(1)}')
  expect(await page(server, 'safe=1')).not.toContain('id="theme"')
  server.advance(DAY_SECONDS)
  expect(await sheetOf(server)).toBe('')
})

test('invalid periods are refused by field: an end before the start, nothing to show, an unpublished theme', async () => {
  await login()
  const refused = async (change: Partial<ThemeWindow>) => (await save({ schedule: [window(change)] })).envelope
  const paths = ({ data }: { data: unknown }) =>
    (data as { fields: { field: string }[] }).fields.map(({ field }) => field)
  expect(paths(await refused({ until: dayAfter(0) }))).toEqual(['changes.schedule.0.until'])
  expect(paths(await refused({ theme: null }))).toEqual(['changes.schedule.0.theme'])
  expect(paths(await refused({ from: '2026-02-30' }))).toEqual(['changes.schedule.0.from'])
  expect((await refused({ theme: 'nobody' })).code).toBe('theme.not-found')
  const { data } = await admin.call<{ id: string }>('/login_config/create/', { body: { name: 'Only a draft' } })
  expect((await refused({ theme: data.id })).code).toBe('theme.not-published')
  expect((await save({ schedule: Array.from({ length: 31 }, () => window({})) })).status).toBe(400)
  const { version } = await stored()
  await save({ schedule: [window({ from: '2020-12-30', until: '2021-01-02', yearly: true })] })
  const late = await save({ schedule: [] }, version)
  expect([late.status, late.envelope.code]).toEqual([409, 'version.conflict'])
  expect(late.data).toMatchObject({ current: { schedule: [{ yearly: true }] } })
  const user = await openPortal(server)
  expect((await user.call('/login_config/schedule/', { body: { version: 0, changes: {} } })).status).toBe(403)
})

test('a theme scheduled for the future can’t be deleted; if it is missing anyway, the chosen theme is shown', async () => {
  await login()
  const { data: theme } = await admin.call<{ id: string }>('/login_config/create/', { body: { name: 'Festive' } })
  const path = (verb: string) => `/login_config/themes/${theme.id}/${verb}/`
  await admin.call(path('publish'), { body: { version: 1 } })
  await save({ schedule: [window({ theme: theme.id, from: dayAfter(0), until: dayAfter(9) })] })
  const refused = await admin.call(path('delete'), { body: { version: 2 } })
  expect([refused.status, refused.envelope.code]).toEqual([409, 'theme.in-use'])
  const { sql, cache } = server.platform
  await sql`delete from themes where id = ${theme.id}`
  await cache.invalidate(sql, 'settings')
  expect(dataOf(await page(server)).page.kind).toBe('login')
  await save({ schedule: [] })
})

test('a banner is shown on the login page and in the portal during its period, as plain text in the page’s language', async () => {
  await login()
  const at = (seconds: number) => new Date(server.platform.now().getTime() + seconds * 1000).toISOString()
  const texts = { en: 'Exams <b>begin</b> on Monday', zh_CN: '周一开始考试' }
  const banner = { texts, tone: 'caution', from: at(60), until: at(120) }
  expect((await save({ banner })).status).toBe(200)
  expect(await page(node)).not.toContain('Exams')
  server.advance(61)
  for (const one of [server, node]) {
    expect(await page(one, 'lang=en')).toContain('Exams &lt;b&gt;begin&lt;/b&gt; on Monday')
    expect(await page(one, 'lang=zh_TW')).toContain('周一开始考试')
  }
  const { data } = await admin.call<SchoolGateway>('/school_gateway/query/')
  expect(data.banner).toMatchObject({ tone: 'caution' })
  expect(await page(server, 'safe=1')).not.toContain('Exams')
  server.advance(60)
  expect(await page(server, 'lang=en')).not.toContain('Exams')
  expect((await save({ banner: { ...banner, until: banner.from } })).status).toBe(400)
  expect((await save({ banner: { ...banner, texts: {} } })).status).toBe(400)
  expect((await save({ banner: null })).status).toBe(200)
})

test('an unreadable schedule shows the chosen theme', async () => {
  await login()
  const { sql, cache } = server.platform
  const broken = { theme: 'pine', schedule: [{ theme: 7 }], banner: 'x' }
  await sql`update settings set value = ${JSON.stringify(broken)}::text::jsonb where name = 'appearance'`
  await cache.invalidate(sql, 'settings')
  expect(await sheetOf(server)).toContain('--primary:#1f5f46')
  expect(await stored()).toMatchObject({ theme: 'pine', schedule: [], banner: null })
})
