import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Change } from '#shared/contract/change-history.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import type { WordingText } from '#shared/contract/languages.ts'
import { WORDING_HEADER } from '#shared/rules/own-texts.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer, testServer } from '../../testing/server.ts'
import { signedFetch } from '../../testing/signed.ts'

const KEY = 'errors.request.not-found'
const OWN = 'Nothing is here at all.'

let server: TestServer
let statements = 0
let root: Portal
beforeAll(async () => {
  server = await startTestServer({ onStatement: (text) => (statements += Number(text.includes('text_overrides'))) })
  root = await openPortal(server, { isSuperUser: true, account: 'root' })
})
afterAll(() => server.close())
afterEach(async () => {
  await server.platform.sql`delete from text_overrides`
  await server.platform.wording.refresh(['en', 'zh_CN', 'zh_TW'])
})

type Page = { records: WordingText[]; total: number }
const list = async (query: string, id = 'all') =>
  (await root.call<Page>(`/language/${id}/list/?${query}`, { body: {} })).data
const find = async (key: string) => (await root.call<WordingText>(`/language/text/?key=${key}`)).data
const textIn = (text: WordingText | undefined, language: Language) =>
  text?.texts.find((one) => one.language === language)
const save = async (key: string, text: string | null, { language = 'en', version = 0 } = {}) =>
  root.call<WordingText[]>(`/language/${language}/update/`, { body: { texts: [{ key, text, version }] } })
const notFound = async (at: TestServer = server) => {
  const answer = await signedFetch(at, '/nothing/', { headers: { 'accept-language': 'en' } })
  return ((await answer.json()) as { message: string }).message
}

test('an own text is shown at once, on another node within a second, and a reset restores the shipped one', async () => {
  const first = await testServer()
  const other = await first.secondNode()
  const page = await openPortal(first, { isSuperUser: true, account: 'root' })
  const shipped = await notFound(other)
  const write = async (text: string | null, version = 0) => {
    const body = { texts: [{ key: KEY, text, version }] }
    return (await page.call<WordingText[]>('/language/en/update/', { body })).data[0]
  }
  const own = textIn(await write(OWN), 'en')
  expect([own?.own, await notFound(first)]).toEqual([OWN, OWN])
  await expect.poll(() => notFound(other), { timeout: 1000 }).toBe(OWN)
  await write(null, own?.version)
  expect(await notFound(first)).toBe(shipped)
  await expect.poll(() => notFound(other), { timeout: 1000 }).toBe(shipped)
})

test('own texts also appear on the login page, in the API documentation and in the translated messages', async () => {
  await save('login.title', 'Willkommen am Campus')
  await save('api-docs.introduction', 'Our own introduction')
  await save('errors.sign-in.disabled', '账号已停用，请来一楼', { language: 'zh_CN' })
  const says = async (path: string, text: string) => (await (await fetch(server.url + path)).text()).includes(text)
  expect(await says('/auth_web/login?lang=en', 'Willkommen am Campus')).toBe(true)
  const switched = '/auth_web/login/surroundings?kind=login&lang='
  expect(await says(`${switched}zh_CN`, '账号已停用，请来一楼')).toBe(true)
  expect(await says(`${switched}en`, '账号已停用')).toBe(false)
  expect(await says('/auth_service/docs?lang=en', 'Our own introduction')).toBe(true)
  const { messages } = (
    (await (await signedFetch(server, '/language/messages/?language=en')).json()) as {
      data: { messages: Record<string, string> }[]
    }
  ).data[0] ?? { messages: {} }
  expect(messages['login.title']).toBe('Willkommen am Campus')
})

test('the texts of a page take no SQL statement', async () => {
  await save('login.title', 'Willkommen')
  expect(statements).toBeGreaterThan(0)
  const costOfVisits = async () => {
    const before = statements
    for (const lang of ['en', 'zh_CN']) await fetch(`${server.url}/auth_web/login?lang=${lang}`)
    await list('state=own')
    return statements - before
  }
  // The change notice makes this node read once more, at an unpredictable moment.
  await expect.poll(costOfVisits, { timeout: 5000 }).toBe(0)
})

test('the portal learns the current version of the wording, fetches only own texts, and caches them by version', async () => {
  const portal = async () => (await fetch(`${server.url}/auth_web/`, { headers: { 'accept-language': 'en' } })).text()
  const header = async () =>
    (await signedFetch(server, '/language/', { headers: { 'accept-language': 'en' } })).headers.get(WORDING_HEADER)
  expect((await portal()).includes('data-wording')).toBe(false)
  expect(await header()).toBe('en 0')
  await save(KEY, OWN)
  const version = (await header())?.split(' ')[1] ?? ''
  expect((await portal()).includes(`data-wording="${version}"`)).toBe(true)
  const file = await fetch(`${server.url}/auth_web/wording/en-${version}.json`)
  expect(file.headers.get('cache-control')).toContain('immutable')
  expect(await file.json()).toEqual({ version, messages: { [KEY]: OWN } })
  const other = await fetch(`${server.url}/auth_web/wording/en-00ff.json`)
  expect([other.headers.get('cache-control'), ((await other.json()) as { version: string }).version]).toEqual([
    'no-store',
    version,
  ])
  expect((await fetch(`${server.url}/auth_web/wording/xx-${version}.json`)).status).toBe(404)
})

test('only differences are stored: a text equal to the shipped one is not an own text', async () => {
  const shipped = textIn(await find(KEY), 'en')?.shipped ?? ''
  await save(KEY, `  ${shipped} `)
  expect(await server.platform.sql`select 1 from text_overrides`).toHaveLength(0)
  await save(KEY, OWN)
  const { version } = textIn(await find(KEY), 'en') ?? { version: 0 }
  await save(KEY, shipped, { version })
  expect(await server.platform.sql`select 1 from text_overrides`).toHaveLength(0)
})

test('the later of two editors gets the stored text, also after a reset and a new change', async () => {
  await save(KEY, 'first')
  const { version } = textIn(await find(KEY), 'en') ?? { version: 0 }
  const late = await save(KEY, 'second')
  expect([late.status, late.envelope.code]).toEqual([409, 'version.conflict'])
  expect(late.envelope.data).toEqual({ current: { key: KEY, text: 'first', version } })
  await save(KEY, null, { version })
  await save(KEY, 'third')
  expect((await save(KEY, 'fourth', { version })).status).toBe(409)
})

test('a refused text names its key and the reason, and nothing is written', async () => {
  const texts = [
    { key: KEY, text: OWN, version: 0 },
    { key: 'errors.request.invalid', text: 'Something is <b>wrong</b>', version: 0 },
  ]
  const { status, envelope } = await root.call('/language/en/update/', { body: { texts } })
  expect([status, envelope.code]).toEqual([422, 'text.refused'])
  expect(envelope.data).toMatchObject({ fields: [{ field: 'texts.errors.request.invalid', problem: 'markup' }] })
  expect(await server.platform.sql`select 1 from text_overrides`).toHaveLength(0)
  expect((await save('no.such.key', OWN)).envelope.code).toBe('text.not-found')
  expect((await save(KEY, OWN, { language: 'xx' })).envelope.code).toBe('language.not-found')
})

test('a key repeated in one request is refused by name, and nothing is written', async () => {
  const texts = ['first', 'second'].map((text) => ({ key: KEY, text, version: 0 }))
  const { status, envelope } = await root.call('/language/en/update/', { body: { texts } })
  expect([status, envelope.code]).toEqual([422, 'text.repeated'])
  expect(envelope.message).toContain(KEY)
  expect(await server.platform.sql`select 1 from text_overrides`).toHaveLength(0)
})

test('the list searches keys and texts in any language, filters by state, and is paged', async () => {
  await save(KEY, OWN)
  await save('login.title', 'A title that is very much longer than any title of this page has ever been')
  await server.platform.sql`update text_overrides set source = 'what shipped before' where key = ${KEY}`
  await server.platform.wording.refresh(['en'])
  const keys = async (query: string, id?: string) => (await list(query, id)).records.map(({ key }) => key)
  expect(await keys(`search=${encodeURIComponent('nothing is HERE')}`)).toEqual([KEY])
  expect(await keys(`search=${encodeURIComponent('我的應用程式')}&pageSize=100`)).toContain('my-apps.title')
  expect(await keys('state=own')).toEqual([KEY, 'login.title'])
  expect(await keys('state=outdated')).toEqual([KEY])
  expect(await keys('state=problem')).toEqual([KEY, 'login.title'])
  expect(await keys('state=own', 'zh_CN')).toEqual([])
  expect(await keys('group=errors.request&sort=-key&pageSize=1')).toHaveLength(1)
  const { total, records } = await list('pageSize=50&pageIndex=2')
  expect([total > 3000, records.length]).toEqual([true, 50])
  expect(textIn((await list('state=outdated')).records[0], 'en')).toMatchObject({
    own: OWN,
    formerlyShipped: 'what shipped before',
    warnings: ['outdated'],
  })
  const groups = (await root.call<{ code: string; total: number }[]>('/secondType/')).data
  expect(groups.find(({ code }) => code === 'errors.request')?.total).toBeGreaterThan(5)
})

test('every change is in the history with both sides, and can be rolled back', async () => {
  await save(KEY, 'first')
  await save(KEY, 'second', { version: textIn(await find(KEY), 'en')?.version ?? 0 })
  const address = `/change_history/query/?targetKind=text&targetId=${encodeURIComponent(`en/${KEY}`)}`
  const [latest] = (await root.call<{ records: Change[] }>(address)).data.records
  expect(latest).toMatchObject({
    action: 'text.change',
    targetName: KEY,
    before: { ownText: 'first' },
    after: { ownText: 'second' },
    restorable: { before: true },
  })
  const at = encodeURIComponent(latest?.at ?? '')
  const preview = await root.call<{ version: number }>(`/change_history/${latest?.id}/roll_back/?at=${at}&side=before`)
  const body = { at: latest?.at, side: 'before', version: preview.data.version, reason: 'It was better' }
  expect((await root.call(`/change_history/${latest?.id}/roll_back/`, { body })).status).toBe(200)
  await expect.poll(() => notFound(), { timeout: 1000 }).toBe('first')
})

test('only super users read or write texts', async () => {
  const person = await openPortal(server, { account: 'someone' })
  for (const path of ['/secondType/', `/language/text/?key=${KEY}`]) expect((await person.call(path)).status).toBe(403)
  for (const path of ['/language/all/list/', '/language/en/update/'])
    expect((await person.call(path, { body: { texts: [{ key: KEY, text: 'x', version: 0 }] } })).status).toBe(403)
})

test('blanks within a placeholder, as translators write them, keep a code in its message', async () => {
  for (const part of ['text', 'sms']) {
    const key = `message.code.${part}`
    const shipped = server.platform.wording.messages('en')[key] ?? ''
    expect(shipped).toContain('{{code}}')
    expect((await save(key, shipped.replaceAll('{{', '{{ ').replaceAll('}}', ' }}'))).status).toBe(200)
    const params = { code: '123456', school: 'Demo University', minutes: 5, count: 5 }
    const said = server.platform.translate('en', key, params)
    expect(said).toContain('123456')
    expect(said).not.toMatch(/[{}]/)
  }
})
