import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DataSource, SourceTest } from '#shared/contract/data-sources.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

// No SQL Server and no Oracle runs where this is built. What can be tested of their drivers is how a connection fails.

const KINDS = ['sqlserver', 'oracle'] as const

let server: TestServer
let root: Portal
let other: Server
let behave: (socket: Socket) => void = () => {}
beforeAll(async () => {
  server = await startTestServer()
  root = await openPortal(server, { isSuperUser: true, account: 'root' })
  other = createServer((socket) => {
    socket.on('error', () => {})
    behave(socket)
  })
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
})
afterAll(async () => {
  other.close()
  await server.close()
})

const given = (kind: (typeof KINDS)[number], more: object = {}) => ({
  ...{ kind, name: kind, host: '127.0.0.1', port: (other.address() as AddressInfo).port, database: 'hr' },
  ...{ user: 'reader', password: 'Reader-password-1', tls: 'off', timeoutSeconds: 5, ...more },
})
const look = async (...fields: Parameters<typeof given>) =>
  (await root.call<SourceTest>('/data_source/test/', { body: given(...fields) })).data

test.each(KINDS)('%s: nobody listening, a hang-up and another protocol are distinguished', async (kind) => {
  expect((await look(kind, { port: 1 })).problem).toBe('unreachable')
  expect((await look(kind, { host: '169.254.169.254' })).problem).toBe('forbidden-address')
  behave = (socket) => socket.destroy()
  expect((await look(kind)).problem).toBe('cut-off')
  behave = (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
  expect(await look(kind)).toMatchObject({ isOk: false, tables: [] })
})

test.each(KINDS)('%s: a silent server is given up after a few seconds', { timeout: 40_000 }, async (kind) => {
  const heard: Buffer[] = []
  behave = (socket) => socket.on('data', (bytes) => heard.push(bytes))
  expect((await look(kind)).problem).toBe('timeout')
  // It was contacted, but not sent the password.
  expect(Buffer.concat(heard).length).toBeGreaterThan(0)
  expect(Buffer.concat(heard).toString('latin1')).not.toContain('Reader-password-1')
})

test.each(KINDS)('%s requires a password, and uses the encryption that its driver supports', async (kind) => {
  const { envelope } = await root.call('/data_source/create/', { body: given(kind, { password: '' }) })
  expect(envelope).toMatchObject({ code: 'data-source.incomplete', data: { fields: ['password'] } })
  const { data } = await root.call<DataSource>('/data_source/create/', { body: given(kind, { tls: 'require' }) })
  // Oracle's driver has no encryption without a trusted certificate.
  expect(data).toMatchObject({ kind, tls: kind === 'oracle' ? 'verify' : 'require', state: 'untested' })
})
