import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createSocketServer, type Server } from 'node:net'
import { afterAll } from 'vitest'
import type { NetworkProblem } from '#shared/contract/network-problems.ts'
import { createAuthority } from './authority.ts'
import { freePort } from './free-port.ts'

const HUGE_BYTES = 11 * 1024 * 1024

/** Loopback hosts that give no answer, each in its own way, by what a check should call it; closed after the test file. */
export async function startFaultyHosts(): Promise<readonly (readonly [NetworkProblem, string])[]> {
  const servers: Server[] = []
  const listen = async (server: Server) => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    servers.push(server)
    return `127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const plain = await listen(createServer((_, response) => response.end('{}')))
  const untrusted = await listen(createSecureServer(createAuthority().issue(), (_, response) => response.end('{}')))
  const silent = await listen(createSocketServer(() => {}))
  const huge = await listen(createServer((_, response) => response.end(`{"a":"${'x'.repeat(HUGE_BYTES)}"}`)))
  afterAll(() => {
    for (const server of servers) server.close()
  })
  return [
    ['connection-refused', `http://127.0.0.1:${await freePort()}`],
    ['no-such-host', 'https://gatehouse.invalid'],
    ['no-encryption', `https://${plain}`],
    ['certificate', `https://${untrusted}`],
    ['forbidden-address', 'https://169.254.169.254'],
    ['too-large', `http://${huge}`],
    ['timeout', `http://${silent}`],
  ]
}
