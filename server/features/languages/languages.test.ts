import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ManagedLanguage, TextImportReport, WordingText } from '#shared/contract/languages.ts'
import { WORDING_HEADER } from '#shared/rules/own-texts.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { signedFetch } from '../../testing/signed.ts'

let server: TestServer
let root: Portal
beforeAll(async () => {
  server = await startTestServer()
  root = await openPortal(server, { isSuperUser: true, account: 'root' })
})
afterAll(() => server.close())

const UYGHUR = { name: 'ئۇيغۇرچە', direction: 'rtl', fallback: 'en', position: 9 } as const

const offered = async () => {
  const answer = (await (await signedFetch(server, '/language/')).json()) as { data: { code: string }[] }
  return answer.data.map(({ code }) => code)
}
const add = (id: string, fields: object = {}) =>
  root.call<ManagedLanguage>(`/language/${id}/add/`, { body: { ...UYGHUR, ...fields } })
const look = async (id: string) =>
  (await root.call<ManagedLanguage[]>(`/language/${id}/query/`, { body: {} })).data[0] as ManagedLanguage
const change = async (id: string, changes: object) => {
  const { name, direction, fallback, position, enabled, version } = await look(id)
  const body = { name, direction, fallback, position, enabled, version, ...changes }
  return root.call<ManagedLanguage>(`/language/${id}/change/`, { body })
}
const remove = async (id: string) =>
  root.call(`/language/${id}/delete/`, { body: { version: (await look(id)).version } })
const save = (id: string, texts: { key: string; text: string }[]) =>
  root.call<WordingText[]>(`/language/${id}/update/`, { body: { texts: texts.map((one) => ({ ...one, version: 0 })) } })

/** Translates every text that a language needs before it can be offered, prefixed with a word of it. */
async function translateNeeded(id: string): Promise<void> {
  const texts = Object.entries(server.platform.wording.messages(id))
  const lines = texts.flatMap(([key, text]) =>
    /^(login|light|errors)\./.test(key) ? [`${key},"ئۇ ${text.replaceAll('"', '""')}"`] : [],
  )
  const form = new FormData()
  form.set('file', new File([[`key,${id}`, ...lines].join('\n')], 'texts'))
  const { data } = await root.call<TextImportReport>('/language/import/run/', { body: form })
  expect(data.rows.filter(({ result }) => result !== 'changed')).toEqual([])
}

test("anyone can list the languages, each with its own name, in the institution's order", async () => {
  const answer = (await (await signedFetch(server, '/language/')).json()) as { data: unknown }
  expect(answer.data).toEqual([
    { code: 'zh_CN', name: '简体中文', direction: 'ltr', fallback: null },
    { code: 'zh_TW', name: '繁體中文', direction: 'ltr', fallback: null },
    { code: 'en', name: 'English', direction: 'ltr', fallback: null },
  ])
})

test('the translated messages of a language are a list whose first entry contains the code', async () => {
  const answer = await signedFetch(server, '/language/messages/?language=zh_TW&firstType=0')
  const { data } = (await answer.json()) as { data: { code: string; messages: Record<string, string> }[] }
  expect(data).toHaveLength(1)
  expect(data[0]?.code).toBe('zh_TW')
  expect(data[0]?.messages['my-apps.title']).toBe('我的應用程式')
})

test('an unknown language is refused', async () => {
  expect((await signedFetch(server, '/language/messages/?language=xx')).status).toBe(404)
})

test('a language of any tag can be added; it is offered and served once the login page and error messages are translated', async () => {
  expect((await add('not a tag')).envelope.code).toBe('language.unknown-tag')
  expect((await add('ug', { fallback: null })).envelope.code).toBe('language.fallback-needed')
  expect((await add('ug')).status).toBe(200)
  expect((await add('UG')).envelope.code).toBe('language.exists')
  expect(await offered()).not.toContain('ug')
  const added = await look('ug')
  expect(added).toMatchObject({ direction: 'rtl', enabled: false, position: 4, coverage: { translated: 0 } })
  expect(added.groups.find(({ code }) => code === 'login')).toMatchObject({ translated: 0 })
  const refused = await change('ug', { enabled: true })
  expect(refused.envelope.code).toBe('language.incomplete')
  const missing = async () => {
    const query = '/language/ug/list/?state=missing&pageSize=100'
    return (await root.call<{ records: WordingText[]; total: number }>(query, { body: {} })).data
  }
  expect((await missing()).total).toBe(added.coverage.total)
  await translateNeeded('ug')
  expect((await missing()).total).toBe(added.coverage.total - added.needed.total)
  expect((await missing()).records.filter(({ group }) => /^(login|light|errors\..+)$/.test(group))).toEqual([])
  expect((await change('ug', { enabled: true })).status).toBe(200)
  expect(await offered()).toEqual(['zh_CN', 'zh_TW', 'en', 'ug'])

  const page = await fetch(`${server.url}/auth_web/login`, { headers: { 'accept-language': 'ug-CN,en' } })
  const html = await page.text()
  expect(html).toContain('<html lang="ug" dir="rtl"')
  expect(html).toContain(`ئۇ ${server.platform.translate('en', 'login.password')}`)
  const api = await signedFetch(server, '/nothing/', { headers: { 'accept-language': 'ug' } })
  expect(((await api.json()) as { message: string }).message).toMatch(/^ئۇ /)
  const seen = await signedFetch(server, '/language/', { headers: { 'accept-language': 'ug' } })
  const [code = '', version = ''] = (seen.headers.get(WORDING_HEADER) ?? '').split(' ')
  const own = await fetch(`${server.url}/auth_web/wording/${code}-${version}.json`)
  expect(own.headers.get('cache-control')).toContain('immutable')
  const { messages } = (await own.json()) as { messages: Record<string, string> }
  expect(messages['login.password']).toMatch(/^ئۇ /)

  expect((await remove('ug')).envelope.code).toBe('language.in-use')
  expect((await change('en', { enabled: false })).envelope.code).toBe('language.is-fallback')
  expect((await change('ug', { enabled: false })).status).toBe(200)
  expect((await remove('ug')).status).toBe(200)
  await add('ug')
  expect((await look('ug')).needed, 'the texts are back').toMatchObject({ translated: (await look('ug')).needed.total })
  await remove('ug')
})

test('missing texts use the fallback language, including the institution’s own wording', async () => {
  await add('mn-Mong-CN', { name: 'ᠮᠣᠩᠭᠣᠯ', direction: 'ltr', fallback: 'zh_TW' })
  const said = () => server.platform.translate('mn_Mong_CN', 'my-apps.title')
  expect(said()).toBe('我的應用程式')
  await save('zh_TW', [{ key: 'my-apps.title', text: '校園應用' }])
  expect(said()).toBe('校園應用')
  await save('mn_Mong_CN', [{ key: 'my-apps.title', text: 'ᠮᠣᠩᠭᠣᠯ' }])
  expect(said()).toBe('ᠮᠣᠩᠭᠣᠯ')
  await server.platform.sql`delete from text_overrides`
  await remove('mn_Mong_CN')
})

test('a text with plural forms is saved with all forms that the language needs, or not at all', async () => {
  await add('ar', { name: 'العربية' })
  const plural = Object.keys(server.platform.wording.messages('en')).find((one) => one.endsWith('_other')) ?? ''
  const base = plural.replace('_other', '')
  const { data } = await root.call<WordingText>(`/language/text/?key=${base}_few`)
  expect(data.texts.map(({ language }) => language)).toEqual(['ar'])
  const forms = ['zero', 'one', 'two', 'few', 'many', 'other'].map((form) => `${base}_${form}`)
  expect(data.texts[0]?.forms.map(({ key }) => key).sort()).toEqual(forms.filter((key) => !key.endsWith('_few')).sort())
  const before = await look('ar')
  const text = server.platform.wording.messages('en')[plural] ?? ''
  const inArabic = (keys: string[]) => keys.map((key) => ({ key, text: `ع ${text}` }))
  const { status, envelope } = await save('ar', inArabic(forms.filter((key) => !key.endsWith('_two'))))
  expect([status, envelope.code]).toEqual([422, 'text.refused'])
  expect(envelope.message).toContain('The plural form “two” is missing.')
  expect(await server.platform.sql`select 1 from text_overrides`).toHaveLength(0)
  const saved = await save('ar', inArabic(forms))
  expect(saved.status).toBe(200)
  const params = Object.fromEntries([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => [name, 3]))
  expect(server.platform.translate('ar', base, { ...params, count: 3 })).toMatch(/^ع /)
  expect((await look('ar')).coverage.translated).toBe(before.coverage.translated + 6)

  const versionOf = (key: string) => server.platform.wording.own('ar').get(key)?.version ?? 0
  const takeBack = (keys: string[]) =>
    root.call('/language/ar/update/', {
      body: { texts: keys.map((key) => ({ key, text: null, version: versionOf(key) })) },
    })
  expect((await takeBack([`${base}_few`])).envelope.code).toBe('text.refused')
  expect((await takeBack(forms)).status).toBe(200)
  expect(
    (await root.call(`/language/en/update/`, { body: { texts: [{ key: `${base}_few`, text, version: 0 }] } })).status,
  ).toBe(404)
  await remove('ar')
})

test('a missing plural form falls back to the general one', async () => {
  await add('ar', { name: 'العربية' })
  const plural = Object.keys(server.platform.wording.messages('en')).find((one) => one.endsWith('_other')) ?? ''
  const base = plural.replace('_other', '')
  // As after an update of the runtime's plural rules.
  await server.platform.sql`
    insert into text_overrides (language, key, text, source, updated_at)
    values ('ar', ${plural}, 'ع {{count}}', '', now())`
  await server.platform.wording.refresh(['ar'])
  expect(server.platform.translate('ar', base, { count: 3 })).toBe('ع 3')
  await server.platform.sql`delete from text_overrides`
  await remove('ar')
})

test('languages keep the institution’s order, and the first is shown to visitors who accept none of them', async () => {
  const lang = async () =>
    /<html lang="([^"]+)"/.exec(
      await (await fetch(`${server.url}/auth_web/login?service=x`, { headers: { 'accept-language': 'fr' } })).text(),
    )?.[1]
  expect(await lang()).toBe('zh-CN')
  await change('en', { position: 1 })
  expect([await offered(), await lang()]).toEqual([['en', 'zh_CN', 'zh_TW'], 'en'])
  await change('en', { position: 3 })
})

test('the last language can’t be switched off, shipped ones can’t be deleted, and concurrent edits conflict', async () => {
  expect((await remove('en')).envelope.code).toBe('language.ships')
  for (const id of ['zh_TW', 'en']) expect((await change(id, { enabled: false })).status).toBe(200)
  expect(await offered()).toEqual(['zh_CN'])
  expect((await change('zh_CN', { enabled: false })).envelope.code).toBe('language.last')
  expect((await change('en', { enabled: true, version: 1 })).envelope.code).toBe('version.conflict')
  for (const id of ['zh_TW', 'en']) expect((await change(id, { enabled: true })).status).toBe(200)
})
