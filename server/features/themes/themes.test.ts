import { beforeAll, expect, test } from 'vitest'
import type { Change } from '#shared/contract/change-history.ts'
import type { Theme, WeakPair } from '#shared/contract/themes.ts'
import { DEFAULT_DESIGN } from '#shared/rules/theme-design.ts'
import { mergeSettings } from '../../platform/settings.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { resetAppearance } from './index.ts'

let server: TestServer
let admin: Portal
beforeAll(async () => {
  server = await startTestServer()
  admin = await openPortal(server, { isSuperUser: true })
  return () => server.close()
})

type Themes = { themes: Theme[]; theme: string; version: number }
const themes = async () => (await admin.call<Themes>('/login_config/themes/')).data
const post = <T = Theme>(path: string, body: object) => admin.call<T>(`/login_config/${path}`, { body })
const choose = async (theme: string) => post('choose_theme/', { theme, version: (await themes()).version })
const loginPage = async (query = '') => (await fetch(`${server.url}/auth_web/login?service=${query}`)).text()
const sheetOf = (html: string) => html.match(/<link id="theme" rel="stylesheet" href="([^"]+)"/)?.[1] ?? null
const styles = async (href: string | null) => (await fetch(server.url + href)).text()

let count = 0
async function published(change: object = {}): Promise<Theme> {
  count += 1
  const { data } = await post('create/', { name: `Theme ${count}`, base: 'lake' })
  const draft = { ...DEFAULT_DESIGN, ...change }
  await post(`themes/${data.id}/update/`, { version: 1, name: data.name, draft })
  return (await post(`themes/${data.id}/publish/`, { version: 2, reason: 'a test' })).data
}

test('the shipped look loads no further style sheet; another theme loads one that never changes under its address', async () => {
  await choose('gatehouse')
  expect(sheetOf(await loginPage())).toBeNull()
  expect((await choose('lake')).status).toBe(200)
  const html = await loginPage()
  const href = sheetOf(html)
  expect(html.indexOf(href ?? '')).toBeGreaterThan(html.indexOf('login-assets/'))
  const answer = await fetch(server.url + href)
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(answer.headers.get('content-type')).toContain('text/css')
  expect(await answer.text()).toContain('--primary:#0b6475')
  expect(sheetOf(await (await fetch(`${server.url}/auth_web/my-apps`)).text())).toBe(href)
})

test('a chosen theme is shown on every node, and the address of an earlier one returns the current one, uncached', async () => {
  const node = await server.secondNode()
  await choose('pine')
  await expect
    .poll(async () => sheetOf(await (await fetch(`${node.url}/auth_web/login?service=`)).text()))
    .not.toBeNull()
  const old = sheetOf(await loginPage())
  await choose('seal')
  const answer = await fetch(server.url + old)
  expect(answer.headers.get('cache-control')).toBe('no-cache')
  expect(await answer.text()).toContain('--primary:#8c1d2f')
})

test('?safe=1 shows every page as shipped', async () => {
  await choose('ink')
  expect(sheetOf(await loginPage('&safe=1'))).toBeNull()
  expect(sheetOf(await (await fetch(`${server.url}/auth_web/manage/login-topic?safe=1`)).text())).toBeNull()
})

test('nobody sees a draft until it is published; two editors get a conflict with the stored values', async () => {
  const theme = await published()
  await choose(theme.id)
  const draft = { ...DEFAULT_DESIGN, radius: 3 }
  const saved = await post(`themes/${theme.id}/update/`, { version: theme.version, name: theme.name, draft })
  expect(await styles(sheetOf(await loginPage()))).toContain('--round:8')
  const other = await post<unknown>(`themes/${theme.id}/update/`, { version: theme.version, name: 'Mine', draft })
  expect([other.status, other.envelope.code]).toEqual([409, 'version.conflict'])
  expect(other.data).toMatchObject({ current: { draft: { radius: 3 } } })
  await post(`themes/${theme.id}/publish/`, { version: saved.data.version })
  expect(await styles(sheetOf(await loginPage()))).toContain('--round:3')
  expect((await post(`themes/${theme.id}/publish/`, { version: saved.data.version + 1 })).envelope.code).toBe(
    'theme.nothing-to-publish',
  )
})

test('low contrast is published only with a reason, which the audit record keeps; history rolls it back', async () => {
  const theme = await published()
  const draft = { ...DEFAULT_DESIGN, light: { ...DEFAULT_DESIGN.light, muted: '#c0c4cc' } }
  await post(`themes/${theme.id}/update/`, { version: theme.version, name: theme.name, draft })
  const refused = await post<{ pairs: WeakPair[] }>(`themes/${theme.id}/publish/`, { version: theme.version + 1 })
  expect([refused.status, refused.envelope.code]).toEqual([422, 'theme.low-contrast'])
  expect(refused.data.pairs.map(({ scheme, text, on }) => `${scheme} ${text} ${on}`)).toEqual([
    'light muted card',
    'light muted ground',
    'light muted tint',
    'light muted cautionTint',
  ])
  const why = 'Colours of the corporate design'
  await post(`themes/${theme.id}/publish/`, { version: theme.version + 1, reason: why })
  const history = await admin.call<{ records: Change[] }>(
    `/change_history/query/?targetKind=theme&targetId=${theme.id}`,
  )
  const [line] = history.data.records
  expect(line).toMatchObject({ action: 'theme.publish', reason: why, restorable: { before: true } })
  const at = `/change_history/${line?.id}/roll_back/`
  const body = { at: line?.at, side: 'before', version: theme.version + 2, reason: 'Went wrong' }
  const back = await admin.call(at, { body })
  expect([back.status, back.envelope.code]).toEqual([200, undefined])
  const now = (await themes()).themes.find(({ id }) => id === theme.id)
  expect(now?.design?.light.muted).toBe(DEFAULT_DESIGN.light.muted)
})

test('the history names themes in the reader’s language', async () => {
  const { id, version, draft, design } = await published()
  const names = { zh_TW: '夏日校園' }
  await post(`themes/${id}/update/`, { version, name: 'Summer', names, draft: draft ?? design })
  await choose(id)
  const read = async (language: string) => {
    const { data } = await admin.call<{ records: Change[] }>(
      '/change_history/query/?targetKind=settings&targetId=appearance',
      { headers: { 'accept-language': language } },
    )
    return data.records[0]?.names[id]
  }
  expect([await read('zh-TW'), await read('en')]).toEqual(['夏日校園', 'Summer'])
  await choose('gatehouse')
})

test('the chosen theme can’t be deleted, and an unpublished one can’t be chosen', async () => {
  const theme = await published()
  await choose(theme.id)
  expect((await post(`themes/${theme.id}/delete/`, { version: theme.version })).envelope.code).toBe('theme.in-use')
  const { data } = await post('create/', { name: 'Unpublished' })
  expect((await choose(data.id)).envelope.code).toBe('theme.not-published')
  expect((await choose('no-theme')).envelope.code).toBe('theme.not-found')
  await choose('gatehouse')
  expect((await post(`themes/${theme.id}/delete/`, { version: theme.version })).status).toBe(200)
})

test('whatever is stored gives a login page: unreadable values fall back to the shipped ones, key by key', async () => {
  const theme = await published({ radius: 2 })
  await choose(theme.id)
  const evil = { light: { primary: 'red;}body{display:none', ink: '#000000' }, radius: 'x', background: 7, effect: {} }
  const { sql, cache } = server.platform
  await sql`update themes set design = ${JSON.stringify(evil)}::text::jsonb where id = ${theme.id}`
  await cache.invalidate(sql, 'settings')
  const sheet = await styles(sheetOf(await loginPage()))
  expect(sheet).toContain('--ink:#000000')
  expect(sheet).toContain('--primary:#1f4b99')
  expect(sheet).not.toContain('display:none}body')
  await mergeSettings({ ...server.platform, db: sql }, 'appearance', { theme: { is: 'broken' } })
  const html = await loginPage()
  expect(html).toContain('id="light-data"')
  expect(sheetOf(html)).toBeNull()
  await mergeSettings({ ...server.platform, db: sql }, 'appearance', { theme: 'gatehouse' })
})

test('an operator’s command restores the shipped look for everybody, and the audit record names it', async () => {
  await choose('ink')
  const { platform } = server
  const client = { requestId: 'x', ip: '127.0.0.1', userAgent: 'command line', language: 'en' } as const
  await resetAppearance({ ...platform, db: platform.sql, caller: null, client })
  expect(sheetOf(await loginPage())).toBeNull()
  const history = await admin.call<{ records: Change[] }>(
    '/change_history/query/?targetKind=settings&targetId=appearance',
  )
  expect(history.data.records[0]).toMatchObject({ actorWord: 'command line', before: { theme: 'ink' } })
})

test('only super users manage themes, and theme colours can be nothing but colours', async () => {
  const user = await openPortal(server)
  expect((await user.call('/login_config/themes/')).status).toBe(403)
  expect((await user.call('/login_config/create/', { body: { name: 'x' } })).status).toBe(403)
  const theme = await published()
  for (const radius of [-1, 17, 1.5]) {
    const draft = { ...DEFAULT_DESIGN, radius }
    expect((await post(`themes/${theme.id}/update/`, { version: theme.version, name: 'x', draft })).status).toBe(400)
  }
  const draft = { ...DEFAULT_DESIGN, light: { ...DEFAULT_DESIGN.light, ink: 'url(//evil.test)' } }
  expect((await post(`themes/${theme.id}/update/`, { version: theme.version, name: 'x', draft })).status).toBe(400)
})
