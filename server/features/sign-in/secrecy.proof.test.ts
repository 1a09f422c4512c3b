import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Database, openDatabase } from '../../platform/db.ts'
import { createBrowser } from '../../testing/browser.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { startNode } from '../../testing/process.ts'
import type { TestServer } from '../../testing/server.ts'
import { attempt, enterPortal, solvedCaptcha } from '../../testing/sign-in.ts'

const FIRST = 'Canary-first-55'
const NEXT = 'Canary-next-66'
const WRONG_FIELD = 'Canary-wrong-field-77'
const GUESS = 'Canary-guess-88'
const FORGED = 'x\r\n{"level":"error","msg":"forged"}\u001b[31m'

/** The real program with the most verbose log level, and a user `lilei` who must change the password. */
async function talkativeNode() {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const file = join(mkdtempSync(join(tmpdir(), 'gatehouse-')), 'content.json')
  writeFileSync(
    file,
    JSON.stringify({ users: [{ account: 'lilei', name: 'Li Lei', password: FIRST, mustChangePassword: true }] }),
  )
  const node = await startNode({
    DATABASE_URL: database.url,
    SECRET_KEY: 'Canary-secret-key of more than thirty-two characters',
    BOOTSTRAP_FILE: file,
    LOG_LEVEL: 'trace',
  })
  const sql = openDatabase(database.url, { max: 1 })
  onTestFinished(() => sql.end())
  return { node, sql, server: { url: node.url, platform: { now: () => new Date(), sql } } as unknown as TestServer }
}

/** The whole content of all tables, as text. */
async function everything(sql: Database): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public'
      and table_type = 'BASE TABLE'`
  const rows = await Promise.all(
    tables.map(({ name }) => sql<{ line: string }[]>`select t::text as line from ${sql(name)} t`),
  )
  return rows.flatMap((table) => table.map(({ line }) => line)).join('\n')
}

test('no password, cookie, token, code or captcha is in the database or in a log line, whatever the log level', async () => {
  const { node, sql, server } = await talkativeNode()
  const page = await enterPortal(server, 'lilei', FIRST)
  const spoken = [FIRST, NEXT, WRONG_FIELD, GUESS, 'Canary-secret-key', page.token, page.spent.jsessionid]
  const cookies = ['CASTGC', 'gatehouse_portal', 'gatehouse_browser', 'gatehouse_device']
  const keep = () => spoken.push(...cookies.map((name) => page.browser.cookie(name) ?? `no cookie ${name}`))
  keep()
  const changed = await page.call<{ token: string }>(`/user_information/${page.user.userId}/update_password/`, {
    body: { newPassword: NEXT },
  })
  expect(changed.status).toBe(200)
  spoken.push(changed.data.token)
  keep()
  const stranger = createBrowser(server)
  await attempt(server, WRONG_FIELD, 'lilei')
  for (let i = 0; i < 3; i += 1) await attempt(server, 'lilei', GUESS)
  const captcha = await solvedCaptcha(stranger)
  spoken.push(captcha.captcha)
  await attempt(server, 'lilei', GUESS, { browser: stranger, captcha })
  await attempt(server, FORGED, GUESS)
  await fetch(`${node.url}/fwk_cas_service/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"username":"lilei","password":"${GUESS}"`,
  })
  const stored = await everything(sql)
  expect(stored).toContain('Li Lei')
  for (const secret of spoken) {
    expect(stored, `in the database: ${secret}`).not.toContain(secret)
    expect(stored, `in the database as bytes: ${secret}`).not.toContain(Buffer.from(secret).toString('hex'))
  }
  // The last lines are written when it has ended.
  node.process.kill('SIGTERM')
  await node.ended
  const log = node.output()
  expect(log).toContain('/fwk_cas_service/login')
  for (const secret of [...spoken, page.spent.ticket]) expect(log, `in the log: ${secret}`).not.toContain(secret)
  expect(log).not.toContain('\u001b')
  const lines = log.split('\n').filter((line) => line.startsWith('{'))
  expect(lines.map((line) => JSON.parse(line) as { msg?: string }).filter(({ msg }) => msg === 'forged')).toEqual([])
}, 60_000)
