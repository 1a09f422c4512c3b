import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DataSource, SourceTest } from '#shared/contract/data-sources.ts'
import { SyncWorld } from '../../testing/directory-syncs.ts'
import { runOf, upload } from '../../testing/imports.ts'
import { until } from '../../testing/process.ts'

const syncs = new SyncWorld()

/** Accepts connections, and never says anything. */
let silent: Server
const open = new Set<Socket>()
beforeAll(async () => {
  silent = createServer((socket) => {
    open.add(socket.on('error', () => {}).resume())
  })
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
})
afterAll(() => {
  for (const socket of open) socket.destroy()
  silent.close()
})

const port = () => (silent.address() as AddressInfo).port
const database = (more: object) => () => ({
  host: '127.0.0.1',
  port: port(),
  database: 'dc=hr',
  user: 'reader',
  ...more,
})

/** Kinds by how they connect. */
const SOURCES = {
  mysql: database({ kind: 'mysql', tls: 'off' }),
  postgresql: database({ kind: 'postgresql', tls: 'require' }),
  ldap: database({ kind: 'ldap', tls: 'off' }),
  'LDAP with StartTLS': database({ kind: 'ldap', tls: 'require', options: { startTls: true } }),
  sftp: database({ kind: 'csv-sftp', options: { path: '/people.csv' } }),
  rest: () => ({ kind: 'rest', options: { url: `https://127.0.0.1:${port()}/people` } }),
}
const source = (name: keyof typeof SOURCES) => ({ name, password: 'Reader-1', timeoutSeconds: 5, ...SOURCES[name]() })

const TIMEOUT = expect.stringContaining('The data source took too long to respond')

test('a run ends with an explanation when its source is silent', { timeout: 40_000 }, async () => {
  const run = async (name: keyof typeof SOURCES) => {
    const { data } = await syncs.root.call<DataSource>('/data_source/create/', { body: source(name) })
    const sync = await syncs.newSync({ name, sourceId: data.id, table: 'people' })
    return await syncs.settled((await syncs.start(sync)).data.id)
  }
  for (const one of await Promise.all((['mysql', 'ldap'] as const).map(run)))
    expect(one).toMatchObject({ state: 'failed', problem: TIMEOUT })
})

test('so does a test, before a table is chosen', { timeout: 20_000 }, async () => {
  const look = (name: keyof typeof SOURCES) => syncs.root.call<SourceTest>('/data_source/test/', { body: source(name) })
  // No more than three at once.
  const tests = await Promise.all((['LDAP with StartTLS', 'rest', 'mysql'] as const).map(look))
  tests.push(...(await Promise.all((['sftp', 'postgresql'] as const).map(look))))
  for (const { data } of tests) expect(data).toMatchObject({ isOk: false, problem: 'timeout', message: TIMEOUT })
})

test("an import isn't held up by the run of a silent source that the same person started", async () => {
  const { data } = await syncs.root.call<DataSource>('/data_source/create/', {
    body: { ...source('mysql'), name: 'Mute' },
  })
  const sync = await syncs.newSync({ name: 'Mute', sourceId: data.id, table: 'people' })
  const run = (await syncs.start(sync)).data
  const { id, version } = (await upload(syncs.root, 'account,name\n41001,One\n')).data
  const body = { version, mapping: ['account', 'name'] }
  await syncs.root.call(`/user_information/${id}/import/check/`, { body })
  await until(async () => (await runOf(syncs.root, id)).state === 'checked', 4000)
  expect((await syncs.details(run.id)).run.state).toBe('reading')
  expect((await syncs.settled(run.id)).state).toBe('failed')
})
