import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { startEmbeddedDatabase } from './platform/embedded-database.ts'
import { signal, testDatabaseServer, testDataDir } from './testing/embedded.ts'
import { type NodeProcess, startNode, until } from './testing/process.ts'
import { testServer } from './testing/server.ts'
import { signedRequest } from './testing/signed.ts'

const SECRET_KEY = 'a test key of more than thirty-two characters'

/** A call that needs the database. */
async function ask(node: { url: string }) {
  const clock = { url: node.url, platform: { now: () => new Date() } } as Parameters<typeof signedRequest>[0]
  const { url, init } = signedRequest(clock, '/setup/state/', { body: { token: 'x' } })
  const began = performance.now()
  const answer = await fetch(url, init)
  const ms = performance.now() - began
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text(), ms }
}

const WORKS = 403

async function expectAway(node: NodeProcess): Promise<void> {
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all([ask(node), ask(node), ask(node)])
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 503, retryAfter: '2' })
      expect(answer.ms).toBeLessThan(2000)
      expect(answer.text).not.toMatch(/postgres|ECONN|socket|select/i)
    }
  }
  expect((await fetch(`${node.url}/healthz`)).status).toBe(200)
  expect((await fetch(`${node.url}/readyz`)).status).toBe(503)
  expect(node.process.exitCode).toBeNull()
}

const heals = async (node: NodeProcess) => await until(async () => (await ask(node)).status === WORKS, 5000)

/** Sends a signal to the server process and all its workers. */
function freeze(postmaster: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  const { stdout } = spawnSync('pgrep', ['-P', String(postmaster)], { encoding: 'utf8' })
  for (const pid of [postmaster, ...stdout.split('\n').filter(Boolean).map(Number)]) signal(pid, name)
}

test('a stopped database is answered with 503 within two seconds, and service is back within five', async () => {
  const dataDir = testDataDir()
  const first = await startEmbeddedDatabase({ dataDir })
  const node = await startNode({ DATABASE_URL: first.url, SECRET_KEY })
  expect((await ask(node)).status).toBe(WORKS)
  await first.stop()
  await expectAway(node)
  await testDatabaseServer(dataDir)
  expect(await heals(node)).toBeLessThan(5000)
  await until(async () => (await fetch(`${node.url}/readyz`)).status === 200, 5000)
}, 90_000)

test('a database that hangs is answered with 503 within two seconds, and service is back within five', async () => {
  const database = await testDatabaseServer()
  const node = await startNode({ DATABASE_URL: database.url, SECRET_KEY })
  expect((await ask(node)).status).toBe(WORKS)
  const postmaster = database.pid() ?? 0
  freeze(postmaster, 'SIGSTOP')
  await expectAway(node)
  freeze(postmaster, 'SIGCONT')
  expect(await heals(node)).toBeLessThan(5000)
}, 90_000)

test('a database killed with kill -9 recovers by itself under a running node', async () => {
  const database = await testDatabaseServer()
  const node = await startNode({ DATABASE_URL: database.url, SECRET_KEY })
  const before = database.pid() ?? 0
  signal(before, 'SIGKILL')
  await until(() => database.pid() !== before, 30_000)
  expect(await heals(node)).toBeLessThan(5000)
}, 90_000)

test('when all connections are taken, a request is answered with 503 within two seconds', async () => {
  const server = await testServer()
  const held = await Promise.all(Array.from({ length: 6 }, () => server.platform.sql.reserve()))
  const answer = await ask(server)
  expect(answer).toMatchObject({ status: 503, retryAfter: '2' })
  expect(answer.ms).toBeLessThan(2000)
  for (const connection of held) connection.release()
  await until(async () => (await ask(server)).status === 404, 5000)
}, 90_000)

test('caches receive changes again after a database outage', async () => {
  const dataDir = testDataDir()
  const first = await startEmbeddedDatabase({ dataDir })
  const env = { DATABASE_URL: first.url, SECRET_KEY }
  const node = await startNode(env)
  const schoolName = async () => {
    const clock = { url: node.url, platform: { now: () => new Date() } } as Parameters<typeof signedRequest>[0]
    const { url, init } = signedRequest(clock, '/school_gateway/query/')
    const reply = (await (await fetch(url, init)).json()) as { data: { schoolName: string } | null }
    return reply.data?.schoolName
  }
  await first.stop()
  await until(async () => (await ask(node)).status === 503, 5000)
  const second = await testDatabaseServer(dataDir)
  await heals(node)
  await schoolName()
  const { openDatabase } = await import('./platform/db.ts')
  const sql = openDatabase(second.url, { max: 1 })
  // The notification may be sent before the node listens again; the cache is emptied when it does.
  await sql`insert into settings values ('gateway', ${'{"names":{"en":"Renamed"}}'}::text::jsonb, 1, ${new Date()})`
  await sql`select pg_notify('gatehouse_cache', 'settings')`
  await sql.end()
  expect(await until(async () => (await schoolName()) === 'Renamed', 5000)).toBeLessThan(5000)
}, 90_000)

test('after kill -9 of a node, the next start finds everything that was acknowledged', async () => {
  const DATA_DIR = testDataDir()
  const first = await startNode({ DATA_DIR })
  const link = /setup#(\w+)/.exec(first.output())?.[1] ?? ''
  const clock = { url: first.url, platform: { now: () => new Date() } } as Parameters<typeof signedRequest>[0]
  const body = {
    token: link,
    administrator: { account: 'chief', name: 'Chief', password: 'Quiet-lake-2041' },
    institution: {},
  }
  const { url, init } = signedRequest(clock, '/setup/complete/', { body })
  expect((await fetch(url, init)).status).toBe(200)
  first.process.kill('SIGKILL')
  await first.ended
  const second = await startNode({ DATA_DIR })
  expect((await ask(second)).status).toBe(404)
  expect(second.output()).not.toContain('setup#')
  second.process.kill('SIGTERM')
  expect(await second.ended).toBe(0)
}, 90_000)
