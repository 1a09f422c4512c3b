/**
 * Cost of customised texts:
 *   npm run bench:wording -- [--texts 12000]
 * Two nodes on an embedded database: the CPU of a login page with shipped texts only, the delay until another node
 * shows a changed text, the time to check and import a file of changed texts, that re-importing an export changes
 * nothing, and the CPU of the login page with all these texts.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { FormData, Pool } from 'undici'
import { removeEmbeddedDatabase, startEmbeddedDatabase } from '../server/platform/embedded-database.ts'
import { shippedMessages } from '../server/platform/translate.ts'
import { SHIPPED_LANGUAGES } from '../shared/contract/endpoint.ts'
import type { TextImportReport, WordingText } from '../shared/contract/languages.ts'
import { asked, createVisitor, enterPortal, expect, logIn, type Visitor } from './client.ts'
import { usageOf } from './processes.ts'
import { ADMINISTRATOR, type Site, startSite } from './site.ts'

const { values: options } = parseArgs({ options: { texts: { type: 'string', default: '12000' } } })
const PAGES = 4000
const AT_ONCE = 8
const CHANGES = 20

async function loginPageCpu({ url, pid }: Site): Promise<number> {
  const pool = new Pool(url, { connections: AT_ONCE })
  const ask = async (count: number) => {
    for (let at = 0; at < count; at += 1) {
      const answer = await pool.request({ method: 'GET', path: '/auth_web/login' })
      await answer.body.dump()
    }
  }
  const all = (count: number) => Promise.all(Array.from({ length: AT_ONCE }, () => ask(count / AT_ONCE)))
  await all(PAGES / 4)
  const before = usageOf([pid ?? 0]).cpuMs
  await all(PAGES)
  const used = usageOf([pid ?? 0]).cpuMs - before
  await pool.close()
  return used / PAGES
}

/** Milliseconds, sorted, from the answer to a save until the other node's login page shows the text. */
async function timesToOther(visitor: Visitor, other: Site): Promise<number[]> {
  const times: number[] = []
  let version = 0
  for (let at = 0; at < CHANGES; at += 1) {
    const text = `Welcome ${at}`
    const body = { texts: [{ key: 'login.title', text, version }] }
    const [saved] = await asked<WordingText[]>(visitor, '/language/en/update/', {}, body)
    version = saved?.texts.find(({ language }) => language === 'en')?.version ?? 0
    const from = performance.now()
    while (!(await (await fetch(`${other.url}/auth_web/login?lang=en`)).text()).includes(text));
    times.push(performance.now() - from)
  }
  return times.sort((a, b) => a - b)
}

function sheet(count: number): string {
  const cell = (text = '') => `"${text.replaceAll('"', '""')}"`
  const keys = Object.keys(shippedMessages('en')).filter((key) => !key.startsWith('message.') && !key.endsWith('_one'))
  const lines = keys
    .slice(0, Math.ceil(count / SHIPPED_LANGUAGES.length))
    .map((key) =>
      [key, ...SHIPPED_LANGUAGES.map((language) => `${shippedMessages(language)[key]}.`)].map(cell).join(','),
    )
  return [['key', ...SHIPPED_LANGUAGES].join(','), ...lines].join('\n')
}

async function send(visitor: Visitor, verb: 'check' | 'run', content: string): Promise<void> {
  const form = new FormData()
  form.set('file', new File([content], 'texts.csv'))
  const from = performance.now()
  const answer = await visitor.call(`/language/import/${verb}/`, {}, form)
  const seconds = (performance.now() - from) / 1000
  expect(answer.status === 200, verb, answer)
  const { counts } = (JSON.parse(answer.body) as { data: TextImportReport }).data
  console.log(`${verb} a file: ${seconds.toFixed(2)} s, ${JSON.stringify(counts)}`)
}

async function enter({ url }: Site, opened: (() => unknown)[]): Promise<Visitor> {
  const pool = new Pool(url, { connections: 1, headersTimeout: 120_000, bodyTimeout: 120_000 })
  opened.push(() => pool.close())
  const visitor = createVisitor(pool, url, ADMINISTRATOR)
  await logIn(visitor)
  await enterPortal(visitor, url)
  return visitor
}

async function main(opened: (() => unknown)[]): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  chmodSync(dataDir, 0o711)
  opened.push(() => rmSync(dataDir, { recursive: true, force: true }))
  const database = await startEmbeddedDatabase({ dataDir })
  opened.push(async () => {
    await database.stop()
    removeEmbeddedDatabase(database, dataDir)
  })
  const first = await startSite(database.url)
  opened.push(first.stop)
  // Before the other node starts, whose address becomes the portal's.
  const visitor = await enter(first, opened)
  const page = async (title: string) =>
    console.log(`login page, ${title}: ${(await loginPageCpu(first)).toFixed(3)} ms of CPU`)
  await page('texts as they ship')
  const other = await startSite(database.url)
  opened.push(other.stop)
  const times = await timesToOther(visitor, other)
  console.log(
    `seen at the other node: median ${times[CHANGES / 2]?.toFixed(0)} ms, at most ${times.at(-1)?.toFixed(0)} ms`,
  )
  const changed = sheet(Number(options.texts))
  await send(visitor, 'check', changed)
  await send(visitor, 'run', changed)
  const exported = await visitor.call('/language/all/export/', { format: 'csv' })
  await send(visitor, 'run', exported.body)
  await page('with these texts')
}

const opened: (() => unknown)[] = []
try {
  await main(opened)
} finally {
  for (const close of opened.reverse()) await close()
}
