import { closeSync, existsSync, openSync, statSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from './testing/database.ts'
import { testDataDir } from './testing/embedded.ts'
import { spawnNode, startNode, until } from './testing/process.ts'

const SECRET_KEY = 'a test key of more than thirty-two characters'

const wrong: [name: string, env: Record<string, string>, words: RegExp][] = [
  [
    'a port that is none',
    { PORT: 'abc' },
    /^Gatehouse can't start: PORT is not usable: expected a port from 1 to 65535$/,
  ],
  ['an address that is none', { PUBLIC_URL: 'portal' }, /PUBLIC_URL is not usable: expected an http or https address$/],
  ['an address with a path', { PUBLIC_URL: 'https://a.example/x' }, /PUBLIC_URL .*without path/],
  ['another database', { DATABASE_URL: 'mysql://a/b' }, /DATABASE_URL is not usable: expected postgres:/],
  ['a database without a key', { DATABASE_URL: 'postgres://u:hidden@127.0.0.1:1/x' }, /SECRET_KEY is not set/],
  [
    'a database that is not there',
    { DATABASE_URL: 'postgres://u:hidden@127.0.0.1:1/x', SECRET_KEY },
    /the database at 127\.0\.0\.1:1\/x can't be used/,
  ],
  ['a key that is too short', { SECRET_KEY: 'short' }, /SECRET_KEY is not usable: expected at least 32 characters/],
  ['a Redis that is not there', { REDIS_URL: 'redis://127.0.0.1:1' }, /REDIS_URL names can't be used/],
  ['a bootstrap file that is not there', { BOOTSTRAP_FILE: '/nowhere/content.yaml' }, /\/nowhere\/content\.yaml/],
  ['a data folder that is a file', { DATA_DIR: '/etc/hostname' }, /DATA_DIR can't be used/],
  ['an archive folder that is a file', { RECORD_ARCHIVE_DIR: '/etc/hostname' }, /RECORD_ARCHIVE_DIR can't be used/],
  ['a host that is not ours', { HOST: '192.0.2.1' }, /HOST is not an address of this machine/],
]

test.each(wrong)(
  '%s ends the start with one line and a failing exit code',
  async (_name, env, words) => {
    const node = await spawnNode({ DATA_DIR: testDataDir(), LOG_LEVEL: 'silent', ...env })
    expect(await node.ended).toBe(1)
    const lines = node.output().trim().split('\n')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(words)
    expect(node.output()).not.toContain('hidden')
  },
  20_000,
)

test('a second node on the same data folder ends with one line while the first one lives', async () => {
  const DATA_DIR = testDataDir()
  const first = await startNode({ DATA_DIR })
  const second = await spawnNode({ DATA_DIR, LOG_LEVEL: 'silent' })
  expect(await second.ended).toBe(1)
  expect(second.output()).toMatch(
    /^Gatehouse can't start: another Gatehouse is already running on the data folder .*\n$/,
  )
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
}, 90_000)

test('two installations have keys of their own, which only their owner can read and which stay', async () => {
  const [a, b] = [testDataDir(), testDataDir()]
  const nodes = await Promise.all([startNode({ DATA_DIR: a }), startNode({ DATA_DIR: b })])
  for (const node of nodes) node.process.kill('SIGTERM')
  expect(await Promise.all(nodes.map(({ ended }) => ended))).toEqual([0, 0])
  const { readFileSync } = await import('node:fs')
  const [keyA, keyB] = [a, b].map((folder) => readFileSync(join(folder, 'secret-key'), 'utf8'))
  expect(keyA).toMatch(/^\w{43}\n$/)
  expect(keyA).not.toBe(keyB)
  expect(statSync(join(a, 'secret-key')).mode & 0o777).toBe(0o600)
}, 90_000)

test('a signal during the start leaves no database behind', async () => {
  const DATA_DIR = testDataDir()
  const node = await spawnNode({ DATA_DIR })
  const lock = join(DATA_DIR, 'postgres', 'postmaster.pid')
  await until(() => existsSync(lock), 10_000)
  node.process.kill('SIGTERM')
  expect(await node.ended).toBe(0)
  expect(existsSync(lock)).toBe(false)
}, 90_000)

/** One request through a load balancer. @returns the status, or why there was none. */
function once(url: string, agent: Agent): Promise<number | string> {
  return new Promise((done) => {
    const request = get(`${url}/auth_service/school_gateway/query/`, { agent }, (answer) => {
      answer.resume()
      answer.on('end', () => done(answer.statusCode ?? 0))
      answer.on('error', (error) => done(error.message))
    })
    request.on('error', (error) => done(error.message))
  })
}

test('at SIGTERM no request behind a balancer fails, and the process ends within 15 seconds', async () => {
  const database = await createTestDatabase()
  const node = await startNode({ DATABASE_URL: database.url, SECRET_KEY })
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const answers = new Map<number | string, number>()
  let sending = true
  const balancer = (async () => {
    while ((await fetch(`${node.url}/readyz`)).status === 200) await pause(100)
    sending = false
  })()
  const clients = Array.from({ length: 8 }, async () => {
    while (sending) {
      const answer = await once(node.url, agent)
      answers.set(answer, (answers.get(answer) ?? 0) + 1)
    }
  })
  await pause(1000)
  const began = performance.now()
  node.process.kill('SIGTERM')
  await Promise.all([balancer, ...clients])
  expect(await node.ended).toBe(0)
  expect(performance.now() - began).toBeLessThan(15_000)
  // 403: the calls are not signed; what matters is that each one was answered.
  expect([...answers.keys()]).toEqual([403])
  expect(answers.get(403)).toBeGreaterThan(100)
  agent.destroy()
  await database.drop()
}, 90_000)

test('a log line never holds what a query carries', async () => {
  const DATA_DIR = testDataDir()
  const file = join(DATA_DIR, 'content.json')
  writeFileSync(file, '{}')
  const node = await startNode({ DATA_DIR, BOOTSTRAP_FILE: file, LOG_LEVEL: 'debug' })
  await fetch(`${node.url}/auth_service/cas/login/?ticket=ST-very-secret&jsessionid=also-secret`)
  await fetch(`${node.url}/fwk_cas_service/p3/serviceValidate?service=http%3A%2F%2Fx%2F&ticket=ST-very-secret`)
  await until(() => node.output().includes('/fwk_cas_service/p3/serviceValidate'), 5000)
  expect(node.output()).not.toMatch(/very-secret|also-secret/)
  const lines = node
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
  expect(lines.every((line) => JSON.parse(line).level)).toBe(true)
}, 90_000)

test('a node whose log is on a full disk serves on, and counts the lines that are lost', async () => {
  const full = openSync('/dev/full', 'w')
  onTestFinished(() => closeSync(full))
  const node = await startNode({ DATA_DIR: testDataDir(), LOG_LEVEL: 'info' }, full)
  for (let request = 0; request < 5; request++)
    expect((await fetch(`${node.url}/auth_service/school_gateway/query/`)).status).toBe(403)
  expect((await fetch(`${node.url}/readyz`)).status).toBe(200)
  const figures = await (await fetch(`${node.url}/metrics`)).text()
  expect(Number(/^gatehouse_log_lines_lost_total (\d+)$/m.exec(figures)?.[1])).toBeGreaterThanOrEqual(5)
  node.process.kill('SIGTERM')
  expect(await node.ended).toBe(0)
}, 90_000)
