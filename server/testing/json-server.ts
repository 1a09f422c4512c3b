import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openPortal } from './portal.ts'
import { startTestServer } from './server.ts'

/** A document, or its text; an answer that is written or ended in here stays as it is. */
export type JsonAnswer = (request: IncomingMessage, response: ServerResponse, url: URL) => unknown

/** An HTTP API that answers JSON, or anything else that a test wants. */
export class JsonServer {
  answer: JsonAnswer = () => ({})
  /** What it was sent. */
  readonly seen: { url: string; headers: IncomingMessage['headers']; body: string }[] = []
  #server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += String(piece)
    this.seen.push({ url: request.url ?? '', headers: request.headers, body })
    const document = this.answer(request, response, new URL(request.url ?? '', 'http://localhost'))
    if (response.destroyed) return
    if (!response.headersSent) response.setHeader('content-type', 'application/json')
    if (!response.writableEnded) response.end(typeof document === 'string' ? document : JSON.stringify(document))
  })

  /** @returns its address */
  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.close()
  }
}

/** A portal with its super user, and the address of an API that it may read. */
export async function openBeside(other: JsonServer) {
  const server = await startTestServer()
  return { server, root: await openPortal(server, { isSuperUser: true, account: 'root' }), base: await other.open() }
}
