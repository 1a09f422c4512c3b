/**
 * Does the response time of a refused login reveal the state of an account?
 *   npm run build && DATABASE_URL=postgres://…/an_empty_database node bench/refusal-timing.ts [rounds] [rules]
 * `rules` enables access rules that use every condition and match nobody. Starts a server, sends interleaved wrong
 * logins for every kind of account and prints each kind's median and how well it can be distinguished from an unknown
 * name (AUC; 0.5: not at all). Expected: medians within 5 ms, AUC between 0.45 and 0.55.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { hash as bcrypt } from '@node-rs/bcrypt'
import { openDatabase } from '../server/platform/db.ts'
import { writeRules } from './access-rules.ts'
import { auc, median } from './compare-times.ts'
import { ADMINISTRATOR, benchContent } from './site.ts'

const databaseUrl = process.env['DATABASE_URL'] ?? ''
const rounds = Number(process.argv[2] ?? 300)
const hasRules = process.argv[3] === 'rules'
const port = '18099'
const url = `http://127.0.0.1:${port}`

const KINDS: Record<string, string> = {
  unknown: '',
  normal: '',
  disabled: 'enabled = false',
  'locked by an administrator': 'locked_at = created_at',
  frozen: 'frozen_from = created_at',
  inactive: 'activated = false',
  dormant: 'dormant_since = created_at',
  'locked by failures': '',
  'without a password': '',
  'bcrypt of another system': '',
}
const accountOf = (kind: string) => kind.replaceAll(' ', '-')

async function content(): Promise<string> {
  const file = join(mkdtempSync(join(tmpdir(), 'gatehouse-bench-')), 'content.json')
  const users = Object.keys(KINDS)
    .filter((kind) => kind !== 'unknown')
    .map((kind) => ({ account: accountOf(kind), name: 'Nobody', password: 'Correct-horse-9' }))
    .map((user) => (user.account === 'without-a-password' ? { account: user.account, name: user.name } : user))
  const foreign = (await bcrypt('Correct-horse-9', 10)).replace('$2b$', '$2a$')
  const people = users.map((user) =>
    user.account.startsWith('bcrypt') ? { account: user.account, name: user.name, passwordHash: foreign } : user,
  )
  const login = { captchaAfterFailures: 1000, lockAfterFailures: 1000, addressFailures: 100_000 }
  const { applications, organizations, users: own } = await benchContent()
  const administrator = own.filter(({ account }) => account === ADMINISTRATOR)
  const application = applications.filter(({ appId }) => appId === 'bench')
  const settings = { login: { ...login, secondFactorSuperUsers: false } }
  writeFileSync(
    file,
    JSON.stringify({ organizations, users: [...people, ...administrator], applications: application, settings }),
  )
  return file
}

async function refused(account: string): Promise<number> {
  const started = performance.now()
  const answer = await fetch(`${url}/fwk_cas_service/login`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ username: account, password: 'wrong' }),
  })
  await answer.text()
  if (answer.status !== 401) throw new Error(`${account}: ${answer.status}`)
  return performance.now() - started
}

const main = fileURLToPath(new URL('../server/main.mjs', import.meta.url))
const server = spawn(process.execPath, [main], {
  env: {
    PATH: process.env['PATH'],
    DATABASE_URL: databaseUrl,
    SECRET_KEY: 'the key of a measurement, of more than 32 characters',
    BOOTSTRAP_FILE: await content(),
    PORT: port,
    PUBLIC_URL: url,
    DEMO: '0',
    LOG_LEVEL: 'error',
  },
  stdio: ['ignore', 'ignore', 'inherit'],
})
const sql = openDatabase(databaseUrl, { max: 1 })
try {
  while (!(await fetch(`${url}/readyz`).catch(() => null))?.ok) await pause(100)
  if (hasRules) await writeRules({ url })
  for (const [kind, facts] of Object.entries(KINDS)) {
    if (facts) await sql.unsafe(`update users set ${facts} where account = '${accountOf(kind)}'`)
  }
  await refused('locked-by-failures')
  await sql`
    update attempt_counters set blocked_until = now() + interval '1 day'
    where user_id = (select id from users where account = 'locked-by-failures')`
  for (let i = 0; i < 10; i += 1) await refused(`warm-up-${i}`)
  const times = new Map(Object.keys(KINDS).map((kind) => [kind, [] as number[]]))
  for (let round = 0; round < rounds; round += 1) {
    for (const [kind, list] of [...times].sort(() => Math.random() - 0.5)) {
      list.push(await refused(kind === 'unknown' ? `unknown-${round}` : accountOf(kind)))
    }
  }
  const unknown = times.get('unknown') ?? []
  for (const [kind, list] of times) {
    const row = [kind.padEnd(28), median(list).toFixed(1).padStart(7), 'ms', auc(list, unknown).toFixed(3).padStart(7)]
    process.stdout.write(`${row.join(' ')}\n`)
  }
} finally {
  await sql.end()
  server.kill('SIGTERM')
  await once(server, 'exit')
}
