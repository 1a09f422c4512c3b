import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { TextImportReport, WordingText } from '#shared/contract/languages.ts'
import { shippedMessages } from '../../platform/translate.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { signedFetch } from '../../testing/signed.ts'

const KEY = 'errors.request.not-found'

let server: TestServer
let root: Portal
beforeAll(async () => {
  server = await startTestServer()
  root = await openPortal(server, { isSuperUser: true, account: 'root' })
})
afterAll(() => server.close())
afterEach(async () => {
  await server.platform.sql`delete from text_overrides`
  await server.platform.wording.refresh(['en', 'zh_CN', 'zh_TW'])
})

const save = async (key: string, text: string, version = 0) => {
  const body = { texts: [{ key, text, version }] }
  const { data } = await root.call<WordingText[]>('/language/en/update/', { body })
  return data[0]?.texts.find(({ language }) => language === 'en')?.version ?? 0
}
const download = async (format: 'csv' | 'xlsx', id = 'all', query = ''): Promise<Buffer> => {
  const cookie = root.browser.cookieHeader('/auth_service/')
  const path = `/language/${id}/export/?format=${format}${query}`
  return Buffer.from(await (await signedFetch(server, path, { token: root.token, cookie })).arrayBuffer())
}
const send = (verb: 'check' | 'run', content: Buffer | string) => {
  const form = new FormData()
  form.set('file', new File([new Uint8Array(Buffer.from(content as string))], 'texts'))
  return root.call<TextImportReport>(`/language/import/${verb}/`, { body: form })
}
const stored = () => server.platform.sql<{ key: string; text: string }[]>`
  select key, text from text_overrides order by language, key`

test('importing an export changes nothing, including cells that look like formulas and several lines', async () => {
  await save(KEY, '=SUM(A1) is not here')
  await save('errors.request.invalid', '+{{field}}; =1 "quoted", \'single\' {{reason}}')
  await save('light.tagline', '- one,\n=two')
  const kept = await stored()
  expect(kept).toHaveLength(3)
  for (const format of ['csv', 'xlsx'] as const) {
    const { status, data } = await send('run', await download(format))
    expect([format, status, data.rows]).toEqual([format, 200, []])
    expect(data.counts).toMatchObject({ changed: 0, refused: 0, conflict: 0 })
    expect(data.counts.unchanged).toBeGreaterThan(3000 * 3)
  }
  expect(await stored()).toEqual(kept)
})

test('an import writes what differs, reports each row, and keeps what somebody else changed since', async () => {
  const theirs = await save('login.submit', 'Enter')
  const file = [
    'key,note for translators,en,en version,zh_CN,zh_CN version',
    `${KEY},,Nothing here.,0,没有此页。,0`,
    `login.submit,,Go,${theirs - 1},,0`,
    'errors.request.invalid,,Wrong,0,,',
    'no.such.key,,Something,0,某文,0',
    `${KEY},,Again,0,,`,
  ].join('\n')
  const checked = (await send('check', file)).data
  expect(await stored()).toHaveLength(1)
  const { data } = await send('run', file)
  expect(data).toEqual(checked)
  const told = data.rows.map(({ row, language, result, message }) => [row, language, result, message])
  expect(told).toEqual([
    [5, 'zh_CN', 'refused', 'There is no text with the key no.such.key.'],
    [2, 'zh_CN', 'changed', null],
    [5, 'en', 'refused', 'There is no text with the key no.such.key.'],
    [6, 'en', 'refused', 'This key appears earlier in the file.'],
    [2, 'en', 'changed', null],
    [3, 'en', 'conflict', null],
    [4, 'en', 'refused', 'The placeholder {{field}} is missing.'],
  ])
  expect(data.rows.find(({ result }) => result === 'conflict')).toMatchObject({
    shipped: 'Log in',
    now: 'Enter',
    given: 'Go',
  })
  expect((await stored()).map(({ text }) => text)).toEqual(['Nothing here.', 'Enter', '没有此页。'])
  expect(server.platform.translate('zh_CN', KEY)).toBe('没有此页。')
})

test('an import without a plural form that the language needs leaves that text alone, and names the form', async () => {
  const fields = { name: 'Русский', direction: 'ltr', fallback: 'en', position: 9 }
  expect((await root.call('/language/ru/add/', { body: fields })).status).toBe(200)
  const rows = (forms: string[]) =>
    ['key,ru', ...forms.map((form) => `my-apps.results_${form},${form} {{count}}`)].join('\n')
  const part = (await send('run', rows(['one', 'many', 'other']))).data
  expect(part.rows.map(({ result, message }) => [result, message])).toEqual(
    Array.from({ length: 3 }, () => ['refused', 'The plural form “few” is missing.']),
  )
  expect(await stored()).toEqual([])
  const { counts } = (await send('run', rows(['one', 'few', 'many', 'other']))).data
  expect(counts).toMatchObject({ changed: 4, refused: 0 })
  expect(server.platform.translate('ru', 'my-apps.results', { count: 3 })).toBe('few 3')
  // The sheet has each plural form with its source, and no other.
  const source = 'No page of that name, in {{count}} words'
  await save('my-apps.results_other', source)
  const sheet = (await download('csv', 'ru', '&search=my-apps.results')).toString()
  expect(sheet).toContain(`my-apps.results_few,my-apps,"${source}",,few {{count}},`)
  const all = (await download('csv', 'all', '&search=my-apps.results_few')).toString().split('\r\n')[1]
  expect(all).toContain(`"${source}",,few {{count}}`)
  expect((await send('run', sheet)).data).toMatchObject({ rows: [], counts: { unchanged: 6, refused: 0 } })
  const listed = await root.call<{ records: WordingText[] }>('/language/ru/list/?search=my-apps.results_few', {
    body: {},
  })
  const few = listed.data.records[0]?.texts.map(({ language, text, source: from }) => [language, text, from])
  expect(few).toEqual([['ru', 'few {{count}}', source]])
  // A text entered in that cell is refused.
  const meant = (await send('check', 'key,en\nmy-apps.results_few,A few')).data
  expect(meant.rows.map(({ result }) => result)).toEqual(['refused'])
  const again = (await send('run', await download('csv', 'ru', '&search=my-apps.results'))).data
  expect(again).toMatchObject({ rows: [], counts: { unchanged: 6 } })
  const [{ version } = { version: 0 }] = await server.platform.sql<{ version: number }[]>`
    select version from languages where code = 'ru'`
  expect((await root.call('/language/ru/delete/', { body: { version } })).status).toBe(200)
})

test('every source text in the sheet of an added language passes the checks as a translation', async () => {
  const fields = { name: 'ئۇيغۇرچە', direction: 'rtl', fallback: 'zh_CN', position: 9 }
  const { version } = (await root.call<{ version: number }>('/language/ug/add/', { body: fields })).data
  const sheet = (await download('csv', 'ug')).toString()
  // The fallback's column instead of the empty one.
  const { data } = await send('check', sheet.replace('zh_CN,zh_CN version,ug,ug version', 'ug,ug version,-,-'))
  expect([data.rows.filter(({ result }) => result !== 'changed'), data.counts.changed > 6000]).toEqual([[], true])
  expect((await root.call('/language/ug/delete/', { body: { version } })).status).toBe(200)
})

test('an export contains what the list is filtered by, in one language or all', async () => {
  await save(KEY, 'Nothing here.')
  const lines = (await download('csv', 'en', '&state=own')).toString().trim().split('\r\n')
  expect(lines).toEqual([
    'key,group,en,en version',
    expect.stringMatching(/^errors\.request\.not-found,errors\.request,Nothing here\.,\d+$/),
  ])
  expect((await download('csv', 'all', '&search=my-apps.title')).toString().split('\r\n')[1]).toContain('我的應用程式')
})

test('files without keys or languages, and files that are no tables, are refused with the reason', async () => {
  expect((await send('check', 'name,text\na,b')).envelope.code).toBe('text.import-columns')
  expect((await send('run', Buffer.from([1, 2, 3, 0, 0]))).envelope.code).toMatch(/^sheet\./)
})

test('every imported text is in the change history', async () => {
  await send('run', `key,en,en version\n${KEY},Nothing here.,0`)
  const [line] = (
    await root.call<{ records: { action: string; after: object }[] }>(
      `/change_history/query/?targetKind=text&targetId=${encodeURIComponent(`en/${KEY}`)}`,
    )
  ).data.records
  expect(line).toMatchObject({ action: 'text.change', after: { ownText: 'Nothing here.' } })
})

test('ten thousand changed texts are imported within an acceptable time', async () => {
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`
  const lines = Object.keys(shippedMessages('en')).map((key) =>
    [key, ...(['en', 'zh_CN', 'zh_TW'] as const).map((language) => `${shippedMessages(language)[key]}.`)]
      .map(cell)
      .join(','),
  )
  const started = performance.now()
  const { data } = await send('run', ['key,en,zh_CN,zh_TW', ...lines].join('\n'))
  const took = performance.now() - started
  expect([data.counts.changed > 10_000, data.counts.conflict]).toEqual([true, 0])
  expect(took).toBeLessThan(20_000)
})
