/**
 * Does the response time of a code or a recovery reveal the state of an account?
 *   npm run build && DATABASE_URL=postgres://…/an_empty_database node bench/recovery-timing.ts [rounds]
 * Starts a server in demo mode, where messages go to the outbox, and runs the first steps for every kind of account,
 * interleaved, each account once. Prints each step's median by kind and how well the kind can be distinguished from an
 * unknown name (AUC; 0.5: not at all). Expected: medians within 5 ms, AUC between 0.45 and 0.55.
 */
import { spawn } from 'node:child_process'
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { textToSign, WEB_APP_KEY } from '#shared/contract/signature.ts'
import { proofOfWorkSolver } from '#shared/rules/proof-of-work.ts'
import { openDatabase } from '../server/platform/db.ts'
import { auc, median } from './compare-times.ts'

const databaseUrl = process.env['DATABASE_URL'] ?? ''
const rounds = Number(process.argv[2] ?? 40)
const port = '18098'
const url = `http://localhost:${port}`

const KINDS: Record<string, string> = {
  unknown: '',
  normal: '',
  disabled: 'enabled = false',
  locked: 'locked_at = created_at',
  frozen: 'frozen_from = created_at',
  inactive: 'activated = false',
  dormant: 'dormant_since = created_at',
}
const kinds = Object.keys(KINDS)
const accountOf = (kind: string, round: number) => `${kind}-${round}`
const phoneOf = (kind: string, round: number) => `138${kinds.indexOf(kind)}${String(round).padStart(7, '0')}`

function content(): string {
  const file = join(mkdtempSync(join(tmpdir(), 'gatehouse-bench-')), 'content.json')
  const known = kinds.filter((kind) => kind !== 'unknown')
  const users = known.flatMap((kind) =>
    Array.from({ length: rounds }, (_, round) => ({
      account: accountOf(kind, round),
      name: 'Nobody',
      phone: phoneOf(kind, round),
      mailbox: `${accountOf(kind, round)}@example.edu`,
    })),
  )
  const verificationCodes = { perAddressAnHour: 100_000, captchaPerAddressAnHour: 100_000 }
  const login = { captchaAfterFailures: 1000, lockAfterFailures: 1000, addressFailures: 100_000 }
  writeFileSync(file, JSON.stringify({ users, settings: { verificationCodes, login } }))
  return file
}

/** One browser: its cookie, and timed signed API calls. */
function browser() {
  let cookie = ''
  const keep = (answer: Response) => {
    for (const line of answer.headers.getSetCookie()) cookie = line.split(';')[0] ?? cookie
  }
  return {
    async solved() {
      const answer = await fetch(`${url}/auth_service/captcha/challenge?kind=proof-of-work&purpose=recovery`)
      keep(answer)
      const { data } = (await answer.json()) as {
        data: { captchaId: string; salt: string; bits: number; rounds: number }
      }
      const captcha = proofOfWorkSolver(data, (bytes) => createHash('sha256').update(bytes).digest()).step(10_000_000)
      return { captchaId: data.captchaId, captcha }
    },
    async post(path: string, input: object): Promise<{ ms: number; id: string }> {
      const body = JSON.stringify(input)
      const query = new URLSearchParams({ uuids: randomUUID() })
      const timestamp = String(Date.now())
      const text = textToSign(timestamp, 'POST', `/auth_service${path}`, query, body)
      const sign = createHmac('sha256', WEB_APP_KEY).update(text).digest('hex').toUpperCase()
      const headers = { 'content-type': 'application/json', timestamp, sign, cookie }
      const started = performance.now()
      const answer = await fetch(`${url}/auth_service${path}?${query}`, { method: 'POST', headers, body })
      const { data } = (await answer.json()) as { data: { id?: string } | null }
      const ms = performance.now() - started
      keep(answer)
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`)
      return { ms, id: data?.id ?? '' }
    },
  }
}

type Times = Record<'begin' | 'code to recover' | 'code to log in', number>

async function walk(kind: string, round: number): Promise<Times> {
  const page = browser()
  const who = { account: accountOf(kind, round), name: 'Nobody', ...(await page.solved()) }
  const begun = await page.post('/password_recovery/begin/', who)
  const recover = await page.post(`/user_information/${begun.id}/send_email/`, { purpose: 'recovery' })
  const target = { purpose: 'login', phone: phoneOf(kind, round) }
  const login = await browser().post('/user_information/login/send_phonecaptcha/', target)
  return { begin: begun.ms, 'code to recover': recover.ms, 'code to log in': login.ms }
}

const main = fileURLToPath(new URL('../server/main.mjs', import.meta.url))
const server = spawn(process.execPath, [main], {
  env: {
    PATH: process.env['PATH'],
    DATABASE_URL: databaseUrl,
    SECRET_KEY: 'the key of a measurement, of more than 32 characters',
    BOOTSTRAP_FILE: content(),
    PORT: port,
    DEMO: '1',
    LOG_LEVEL: 'error',
  },
  stdio: ['ignore', 'ignore', 'inherit'],
})
const sql = openDatabase(databaseUrl, { max: 1 })
try {
  while (!(await fetch(`${url}/readyz`).catch(() => null))?.ok) await pause(100)
  for (const [kind, facts] of Object.entries(KINDS)) {
    if (facts) await sql.unsafe(`update users set ${facts} where account like '${kind}-%'`)
  }
  const times = new Map(kinds.map((kind) => [kind, [] as Times[]]))
  for (let round = 0; round < rounds; round += 1) {
    for (const [kind, list] of [...times].sort(() => Math.random() - 0.5)) list.push(await walk(kind, round))
  }
  for (const step of ['begin', 'code to recover', 'code to log in'] as const) {
    const of = (kind: string) => (times.get(kind) ?? []).map((one) => one[step])
    for (const kind of kinds) {
      const told = auc(of(kind), of('unknown')).toFixed(3)
      process.stdout.write(
        `${step.padEnd(18)} ${kind.padEnd(10)} ${median(of(kind)).toFixed(1).padStart(7)} ms ${told}\n`,
      )
    }
  }
} finally {
  await sql.end()
  server.kill('SIGTERM')
  await once(server, 'exit')
}
