import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type Hit = { method: string; url: URL; headers: IncomingMessage['headers']; body: string }

export type Service = {
  /** With a trailing slash. */
  url: string
  /** Everything that reached it. */
  hits: Hit[]
  close(): void
}

type Reply = (hit: Hit, response: ServerResponse) => void
type Options = {
  tls?: { key: string; cert: string }
  /** Default: 200 with a word. */
  reply?: Reply
}

/** Another server on a real port: an application, a proxy, an attacker. Closed after the test. */
export async function startService({ tls, reply }: Options = {}): Promise<Service> {
  const hits: Hit[] = []
  let url = ''
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', headers } = request
      const hit = { method, headers, url: new URL(request.url ?? '/', url), body: Buffer.concat(chunks).toString() }
      hits.push(hit)
      if (reply) reply(hit, response)
      else response.end('ok')
    })
  }
  const server = tls ? createTlsServer(tls, listener) : createServer(listener)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(close)
  return { url, hits, close }
}
