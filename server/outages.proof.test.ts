import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openDatabase } from './platform/db.ts'
import { migrate } from './platform/migrate.ts'
import { testDatabaseServer } from './testing/embedded.ts'
import { addPerson } from './testing/people.ts'
import { until } from './testing/process.ts'
import { type SilentProxy, silentProxy } from './testing/proxy.ts'
import { type TestServer, testServer } from './testing/server.ts'
import { attempt } from './testing/sign-in.ts'
import { smallDisk } from './testing/small-disk.ts'

/** A server that reaches its database through a proxy, with all its connections open. */
async function behindProxy() {
  const lines: string[] = []
  const proxies: SilentProxy[] = []
  const databaseUrl = async (own: string) => {
    const proxy = await silentProxy(own)
    proxies.push(proxy)
    return proxy.url
  }
  const server = await testServer({ databaseUrl, onLog: (line) => lines.push(line) })
  await addPerson(server, { account: 'lilei' })
  await Promise.all(Array.from({ length: 6 }, () => server.platform.sql`select pg_sleep(0.2)`))
  const [proxy] = proxies
  if (!proxy) throw new Error('no proxy')
  // Before the server is closed, which waits for work in progress.
  onTestFinished(() => proxy.letNewOnesPass())
  return { server, proxy, lines }
}

async function login(server: TestServer) {
  const began = performance.now()
  const { status, answer } = await attempt(server, 'lilei')
  return { status, retryAfter: answer.headers.get('retry-after'), ms: performance.now() - began }
}

const worksAgain = async (server: TestServer) => await until(async () => (await login(server)).status < 400, 10_000)

async function readiness({ url }: TestServer): Promise<{ status: number; reason?: string }> {
  const answer = await fetch(`${url}/readyz`)
  const { reason } = (await answer.json()) as { reason?: string }
  return { status: answer.status, ...(reason && { reason }) }
}

const expectReady = async (server: TestServer) =>
  await until(async () => (await readiness(server)).status === 200, 5000)

test('packets to the database being dropped means 503, and logins work within five seconds of recovery', async () => {
  const { server, proxy } = await behindProxy()
  expect((await login(server)).status).toBeLessThan(400)
  proxy.swallow()
  for (let round = 0; round < 4; round++) {
    const answers = await Promise.all([login(server), login(server), login(server)])
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 503, retryAfter: '2' })
      expect(answer.ms).toBeLessThan(2000)
    }
    expect(await readiness(server)).toMatchObject({ status: 503, reason: 'database' })
  }
  proxy.letNewOnesPass()
  expect(await worksAgain(server)).toBeLessThan(5000)
  await expectReady(server)
  for (let round = 0; round < 8; round++) expect((await login(server)).status).toBeLessThan(400)
}, 60_000)

test('when a firewall has forgotten all connections, logins work within five seconds, and readiness never says otherwise', async () => {
  const { server, proxy } = await behindProxy()
  proxy.swallow()
  proxy.letNewOnesPass()
  expect(await worksAgain(server)).toBeLessThan(5000)
  await expectReady(server)
  for (let round = 0; round < 8; round++) expect((await login(server)).status).toBeLessThan(400)
}, 60_000)

test('during a database outage the log has a line per second with the number of errors, and no stack', async () => {
  const { server, proxy, lines } = await behindProxy()
  proxy.swallow()
  await login(server)
  lines.length = 0
  const began = performance.now()
  const refused: number[] = []
  while (performance.now() - began < 3000) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => login(server)))
    refused.push(...answers.map(({ status }) => status))
  }
  const seconds = (performance.now() - began) / 1000
  expect(new Set(refused)).toEqual(new Set([503]))
  const told = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error')
  expect(told.length).toBeLessThan(seconds + 2)
  expect(told.every(({ msg, refused: count }) => msg === 'unavailable' && count > 0)).toBe(true)
  expect(lines.join('')).not.toContain('stack')
}, 60_000)

test('a database that became a standby makes logins 503 and the node not ready, until writes work again', async () => {
  const server = await testServer()
  await addPerson(server, { account: 'lilei' })
  const admin = openDatabase(inject('adminUrl'), { max: 1 })
  onTestFinished(() => admin.end({ timeout: 1 }))
  const name = new URL(server.platform.config.databaseUrl ?? '').pathname.slice(1)
  const readOnly = async (value: 'on' | 'off') =>
    await admin.unsafe(`alter database ${name} set default_transaction_read_only = ${value}`)
  await readOnly('on')
  await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`
  // At first the connections are only cut.
  await until(async () => {
    expect(await login(server)).toMatchObject({ status: 503, retryAfter: '2' })
    return (await readiness(server)).reason === 'database-writes'
  }, 5000)
  // Existing sessions keep their mode; only new ones may write.
  await readOnly('off')
  expect(await worksAgain(server)).toBeLessThan(5000)
  await expectReady(server)
}, 60_000)

test('with the disk of the database full logins get 503 and the node is not ready, until there is room again', async ({
  skip,
}) => {
  const disk = smallDisk(200)
  if (!disk) return skip('only root may mount a small disk')
  const database = await testDatabaseServer(join(disk.folder, 'data'))
  const sql = openDatabase(database.url, { max: 1 })
  await migrate(sql, new Date())
  await sql.end()
  const server = await testServer({ databaseUrl: async () => database.url })
  await addPerson(server, { account: 'lilei' })
  expect((await login(server)).status).toBeLessThan(400)
  disk.fill()
  const answers: number[] = []
  await until(async () => {
    answers.push((await login(server)).status)
    return answers.at(-1) === 503
  }, 20_000)
  expect(answers.filter((status) => status >= 400 && status !== 503)).toEqual([])
  expect(await readiness(server)).toMatchObject({ status: 503, reason: 'database-writes' })
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  disk.free()
  expect(await worksAgain(server)).toBeLessThan(5000)
  await expectReady(server)
}, 90_000)
