import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

/** A request to a demo application. */
export type Visit = {
  method: string
  /** Below the application's own folder: empty for its home. */
  path: string
  query: URLSearchParams
  cookies: ReadonlyMap<string, string>
  acceptLanguage: string
  /** True if a browser says that another site sent it. */
  crossSite: boolean
  /** The posted form; empty if there is none or it was too large. */
  form(): Promise<URLSearchParams>
}

export type Answer = { status: number; headers?: Record<string, string>; body?: string | Buffer }

export type DemoApplicationHandler = (visit: Visit) => Promise<Answer>

const MAX_FORM_BYTES = 64 * 1024

/** A small HTTP server for several applications, each below a folder of its name. */
export function createDemoServer(applications: ReadonlyMap<string, DemoApplicationHandler>): Server {
  const server = createServer({ maxHeaderSize: 16 * 1024 }, (request, response) => {
    answerTo(request, applications).then(
      (answer) => send(response, answer, request.method === 'HEAD'),
      () => send(response, { status: 500, body: '500' }, false),
    )
  })
  server.headersTimeout = 5000
  server.requestTimeout = 10_000
  return server
}

async function answerTo(
  request: IncomingMessage,
  applications: ReadonlyMap<string, DemoApplicationHandler>,
): Promise<Answer> {
  const target = request.url ?? '/'
  if (!target.startsWith('/') || !URL.canParse(target, 'http://demo.invalid')) return { status: 400, body: '400' }
  const { pathname, searchParams } = new URL(target, 'http://demo.invalid')
  const [, name = '', ...rest] = pathname.split('/')
  const handle = applications.get(name)
  if (!handle) return { status: 404, body: '404' }
  const site = request.headers['sec-fetch-site']
  return handle({
    method: request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET'),
    path: rest.join('/'),
    query: searchParams,
    cookies: cookiesOf(request.headers.cookie ?? ''),
    acceptLanguage: request.headers['accept-language'] ?? '',
    crossSite: site !== undefined && site !== 'same-origin' && site !== 'none',
    form: () => formOf(request),
  })
}

function cookiesOf(header: string): Map<string, string> {
  const pairs = header.split(';').map((pair) => pair.trim().split('='))
  return new Map(pairs.map(([name = '', ...value]) => [name, value.join('=')]))
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  if (!request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')) return new URLSearchParams()
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request) {
    bytes += (part as Buffer).length
    if (bytes > MAX_FORM_BYTES) {
      request.destroy()
      return new URLSearchParams()
    }
    parts.push(part as Buffer)
  }
  return new URLSearchParams(Buffer.concat(parts).toString('utf8'))
}

function send(response: ServerResponse, { status, headers = {}, body = '' }: Answer, headOnly: boolean): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    // By it the portal knows that a logout was requested here and not by an unknown page.
    'referrer-policy': 'strict-origin',
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(body),
    ...headers,
  })
  response.end(headOnly ? undefined : body)
}

/**
 * Listens on the wanted port, or on a free one if that is taken or not allowed.
 * @returns the port.
 */
export async function listenNear(server: Server, host: string, wanted: number): Promise<number> {
  const listen = (port: number) =>
    new Promise<void>((done, fail) => {
      server.once('error', fail)
      server.listen(port, host, () => {
        server.removeListener('error', fail)
        done()
      })
    })
  await listen(wanted > 0 && wanted < 65_536 ? wanted : 0).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error
    return listen(0)
  })
  const address = server.address()
  return typeof address === 'object' && address ? address.port : wanted
}
