import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '../server/platform/db.ts'
import { freePort } from '../server/testing/free-port.ts'
import { ROOM_FOR_GARBAGE, type RunningServer, startInHost } from './node-host.ts'

export type Gatehouse = {
  url: string
  /** The server's output, for assertions and failing starts. */
  output(): string
  /** The password that the demo school printed for an account, shortly after the server is ready. */
  printedPassword(account: string): Promise<string>
  /** The solution of the last picture captcha, in place of a person's eyes. */
  pictureText(): Promise<string>
  /** Its database, for what no page can do: thousands of people, or work held up halfway. */
  sql: ReturnType<typeof openDatabase>
  stop(): Promise<void>
}

type Options = {
  /** The bootstrap file, as an object. */
  bootstrap?: object
  env?: Record<string, string>
  /** The host name for browsers; passkeys need `localhost`. */
  host?: string
  /** By the product's command, in a process of its own. */
  byCommand?: boolean
}

const MAIN = fileURLToPath(new URL('../server/main.mjs', import.meta.url))
const START_MS = 80_000
const PRINT_MS = 20_000

const later = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Starts the real server on a free port with its own database. */
export async function startGatehouse({
  bootstrap = {},
  env = {},
  host = '127.0.0.1',
  byCommand = false,
}: Options = {}): Promise<Gatehouse> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-e2e-'))
  const file = join(folder, 'bootstrap.json')
  writeFileSync(file, JSON.stringify(bootstrap))
  const port = await freePort()
  const database = await ownDatabase()
  const url = `http://${host}:${port}`
  const run = byCommand ? startByCommand : startInHost
  const server = await run({
    PATH: process.env['PATH'] ?? '',
    PORT: String(port),
    PUBLIC_URL: url,
    BOOTSTRAP_FILE: file,
    DATA_DIR: join(folder, 'data'),
    DEMO: '0',
    LOG_LEVEL: 'warn',
    DATABASE_URL: database.url,
    SECRET_KEY: 'the key of the browser tests, nothing secret',
    ...env,
  }).catch(async (error: unknown) => {
    await database.drop()
    throw error
  })
  const sql = openDatabase(database.url, { max: 1 })
  const pictureText = async () => {
    const [row] = await sql<{ text: string }[]>`
      select value->>'text' as text from ephemeral_state
      where kind = 'captcha' and value->>'kind' = 'picture' order by expires_at desc limit 1`
    return row?.text ?? ''
  }
  const stop = async () => {
    await sql.end({ timeout: 1 })
    await server.stop()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  }
  const printedPassword = async (account: string) => {
    const line = new RegExp(`^ +${account} +(\\S+)\\s`, 'm')
    for (const until = Date.now() + PRINT_MS; Date.now() < until; await later(50)) {
      const password = line.exec(server.output())?.[1]
      if (password) return password
    }
    throw new Error(`no password of ${account} in:\n${server.output()}`)
  }
  return { url, output: server.output, printedPassword, pictureText, sql, stop }
}

async function startByCommand(env: Record<string, string>): Promise<RunningServer> {
  const server = spawn(process.execPath, [...ROOM_FOR_GARBAGE, MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = collect(server)
  try {
    await untilReady(`http://127.0.0.1:${env['PORT']}/readyz`, server, output)
  } catch (error) {
    await end(server)
    throw error
  }
  return { output, stop: () => end(server) }
}

function collect(server: ChildProcess): () => string {
  let text = ''
  for (const stream of [server.stdout, server.stderr]) stream?.on('data', (bytes) => (text += String(bytes)))
  return () => text
}

async function untilReady(address: string, server: ChildProcess, output: () => string): Promise<void> {
  for (const until = Date.now() + START_MS; Date.now() < until; ) {
    if (server.exitCode !== null) break
    const answer = await fetch(address).catch(() => null)
    if (answer?.ok) return
    await later(50)
  }
  throw new Error(`the server did not start:\n${output()}`)
}

/** Stops the process as an operator would; kills it after the promised time. */
async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return
  const { promise, resolve } = Promise.withResolvers<void>()
  server.once('exit', () => resolve())
  server.kill('SIGTERM')
  const timer = setTimeout(() => server.kill('SIGKILL'), 15_000)
  await promise
  clearTimeout(timer)
}

/** A clone of the migrated database from the global setup. */
async function ownDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const given = process.env['DATABASE_URL'] ?? ''
  const template = process.env['TEMPLATE_DATABASE'] ?? ''
  const name = `${template}_${crypto.randomUUID().replaceAll('-', '').slice(0, 12)}`
  const admin = openDatabase(given, { max: 1 })
  await admin.unsafe(`create database ${name} template ${template}`)
  const url = new URL(given)
  url.pathname = `/${name}`
  return {
    url: url.href,
    async drop() {
      await admin.unsafe(`drop database if exists ${name} with (force)`)
      await admin.end()
    },
  }
}
