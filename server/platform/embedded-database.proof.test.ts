import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { signal, testDatabaseServer, testDataDir } from '../testing/embedded.ts'
import { openDatabase } from './db.ts'
import { startEmbeddedDatabase } from './embedded-database.ts'

async function query<T>(url: string, work: (sql: ReturnType<typeof openDatabase>) => Promise<T>): Promise<T> {
  const sql = openDatabase(url, { max: 1 })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** A database keeper in its own process, killed without warning: its server lives on as an orphan. */
async function orphan(dataDir: string, before: (url: string) => Promise<unknown> = async () => {}) {
  const program = new URL('../testing/embedded-database.program.ts', import.meta.url).pathname
  const keeper = spawn(process.execPath, [decodeURIComponent(program), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(keeper.stdout, 'data')) as [Buffer]
  const { url, pid } = JSON.parse(line.toString()) as { url: string; pid: number }
  await before(url)
  keeper.kill('SIGKILL')
  await once(keeper, 'exit')
  return { url, pid }
}

test('the embedded database is durable UTF-8, and a search matches Chinese', async () => {
  const { url } = await testDatabaseServer()
  const [row] = await query(url, async (sql) => {
    await sql`create extension pg_trgm`
    return sql`select show_trgm('图书馆') as grams, 'Ä' ilike 'ä' as folds, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as commit, current_setting('server_encoding') as encoding`
  })
  expect(row).toMatchObject({ folds: true, fsync: 'on', commit: 'on', encoding: 'UTF8' })
  expect(row?.['grams']).toHaveLength(4)
})

test('only the owner of the data folder can read the password, and without it nobody can connect', async () => {
  const { url, dataDir } = await testDatabaseServer()
  expect(statSync(join(dataDir, 'database-password')).mode & 0o777).toBe(0o600)
  const stranger = new URL(url)
  stranger.password = 'guess'
  await expect(query(stranger.href, (sql) => sql`select 1`)).rejects.toThrow(/password authentication failed/)
})

test('a later start finds what an earlier one stored', async () => {
  const dataDir = testDataDir()
  const first = await startEmbeddedDatabase({ dataDir })
  await query(first.url, (sql) => sql`create table kept as select 42 as answer`)
  await first.stop()
  const second = await testDatabaseServer(dataDir)
  expect(await query(second.url, (sql) => sql`select answer from kept`)).toMatchObject([{ answer: 42 }])
})

test('a second start on the same folder ends with one clear line while the first one runs', async () => {
  const { dataDir, url } = await testDatabaseServer()
  await expect(startEmbeddedDatabase({ dataDir })).rejects.toThrow(
    `another Gatehouse is already running on the data folder ${dataDir}`,
  )
  expect(await query(url, (sql) => sql`select 1 as one`)).toMatchObject([{ one: 1 }])
})

test('after kill -9 of the keeper, the next start replaces the orphan and keeps what was committed', async () => {
  const dataDir = testDataDir()
  const left = await orphan(dataDir, (url) => query(url, (sql) => sql`create table kept as select 42 as answer`))
  const told: string[] = []
  const next = await testDatabaseServer(dataDir, (line) => told.push(line))
  expect(next.pid()).not.toBe(left.pid)
  expect(told.join()).toContain('still running')
  expect(await query(next.url, (sql) => sql`select answer from kept`)).toMatchObject([{ answer: 42 }])
})

test('after kill -9 of keeper and server together, the next start recovers what was committed', async () => {
  const dataDir = testDataDir()
  const left = await orphan(dataDir, (url) => query(url, (sql) => sql`create table kept as select 42 as answer`))
  signal(left.pid, 'SIGKILL')
  const next = await testDatabaseServer(dataDir)
  expect(await query(next.url, (sql) => sql`select answer from kept`)).toMatchObject([{ answer: 42 }])
})

test('a lock file that names a foreign living process does not block the start', async () => {
  const dataDir = testDataDir()
  const first = await startEmbeddedDatabase({ dataDir })
  const lock = join(first.dataFolder, 'postmaster.pid')
  const socketLock = join(first.dataFolder, '.s.PGSQL.5432.lock')
  const [text, socketText] = [readFileSync(lock, 'utf8'), readFileSync(socketLock, 'utf8')]
  await first.stop()
  const { uid, gid } = statSync(first.dataFolder)
  const asDatabase = process.getuid?.() === 0 ? { uid, gid } : {}
  const foreign = spawn('sleep', ['60'], asDatabase)
  for (const [file, content] of [
    [lock, text],
    [socketLock, socketText],
  ] as const) {
    writeFileSync(file, content.replace(/^\d+/, String(foreign.pid)), { mode: 0o600 })
    chownSync(file, uid, gid)
  }
  const next = await testDatabaseServer(dataDir)
  expect(await query(next.url, (sql) => sql`select 1 as one`)).toMatchObject([{ one: 1 }])
  foreign.kill()
})

test('a server that dies is restarted', async () => {
  const { url, pid } = await testDatabaseServer()
  const before = pid() ?? 0
  signal(before, 'SIGKILL')
  const deadline = performance.now() + 5000
  while (pid() === before && performance.now() < deadline) await pause(50)
  expect(await query(url, (sql) => sql`select 1 as one`)).toMatchObject([{ one: 1 }])
})

test('a data folder with a very long path gets a loopback port instead of a socket', async () => {
  const dataDir = join(
    testDataDir(),
    'a folder with spaces and a long name '.repeat(2),
    'and another long name in it'.repeat(2),
  )
  mkdirSync(dataDir, { recursive: true })
  const { url } = await testDatabaseServer(dataDir)
  expect(new URL(url).hostname).toBe('127.0.0.1')
  expect(await query(url, (sql) => sql`select 1 as one`)).toMatchObject([{ one: 1 }])
})

test.runIf(process.getuid?.() === 0)(
  'for root, a folder that only root can enter gets its data elsewhere',
  async () => {
    const closed = testDataDir()
    chmodSync(closed, 0o700)
    const told: string[] = []
    const { url, dataFolder } = await testDatabaseServer(closed, (line) => told.push(line))
    expect(dataFolder).toMatch(/^\/var\/lib\/gatehouse\/data-/)
    expect(told.join()).toContain(dataFolder)
    expect(readFileSync(join(closed, 'database-location'), 'utf8').trim()).toBe(dataFolder)
    expect(await query(url, (sql) => sql`select 1 as one`)).toMatchObject([{ one: 1 }])
  },
)
