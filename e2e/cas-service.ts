import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { freePort } from '../server/testing/free-port.ts'

export type CasService = {
  url: string
  /** Accounts that are logged in now. */
  inside(): string[]
  close(): Promise<void>
}

type Session = { account: string; ticket: string }

/**
 * A small CAS application: asks the portal who comes, shows it, and ends its session on a logout message. Written for
 * the journeys; third-party clients test the protocol itself.
 */
export async function startCasService(portalUrl: () => string): Promise<CasService> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const sessions = new Map<string, Session>()
  const server = createServer((request, response) => void answer(request, response))

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', url)
    const policy = searchParams.get('policy')
    if (policy) response.setHeader('referrer-policy', policy)
    const id = /inside=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
    if (pathname === '/leave') return showWaysOut(policy ?? '', response)
    if (pathname === '/logout') return logOut(id, response)
    if (request.method === 'POST') return endSession(await bodyOf(request), response)
    await enter(searchParams.get('ticket'), sessions.get(id), response)
  }

  async function enter(ticket: string | null, session: Session | undefined, response: ServerResponse): Promise<void> {
    if (ticket) return openSession(ticket, response)
    if (session) return show(session.account, response)
    redirect(response, `${portalUrl()}/fwk_cas_service/login?service=${encodeURIComponent(url)}`)
  }

  async function openSession(ticket: string, response: ServerResponse): Promise<void> {
    const query = new URLSearchParams({ service: url, ticket })
    const reply = await fetch(`${portalUrl()}/fwk_cas_service/p3/serviceValidate?${query}`)
    const account = /<cas:user>([^<]+)<\/cas:user>/.exec(await reply.text())?.[1]
    if (!account) return void response.writeHead(403).end('not let in')
    const id = crypto.randomUUID().replaceAll('-', '')
    sessions.set(id, { account, ticket })
    response.setHeader('set-cookie', `inside=${id}; HttpOnly; Path=/`)
    redirect(response, url)
  }

  function endSession(body: string, response: ServerResponse): void {
    const message = new URLSearchParams(body).get('logoutRequest') ?? ''
    const ticket = /<samlp:SessionIndex>([^<]+)</.exec(message)?.[1]
    for (const [id, session] of sessions) if (session.ticket === ticket) sessions.delete(id)
    response.end()
  }

  function logOut(id: string, response: ServerResponse): void {
    sessions.delete(id)
    redirect(response, `${portalUrl()}/fwk_cas_service/logout?service=${encodeURIComponent(url)}`)
  }

  /** Every way in which applications send a person to the logout, and one that nobody intended. */
  function showWaysOut(policy: string, response: ServerResponse): void {
    const out = `/logout?policy=${policy}`
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><html lang="en"><title>Leave</title><a href="${out}">By a link</a>
<form method="post" action="${out}"><button>By a form</button></form>
<button onclick="location.assign('${out}')">By a script</button>
<script>if (location.hash) location.assign('${out}')</script></html>`)
  }

  function show(account: string, response: ServerResponse): void {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><html lang="en"><title>Library</title><h1>Welcome ${account}</h1>
<a href="/logout">Log out everywhere</a></html>`)
  }

  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return {
    url,
    inside: () => [...sessions.values()].map(({ account }) => account),
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

const redirect = (response: ServerResponse, location: string): void => void response.writeHead(302, { location }).end()

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const bytes of request) text += String(bytes)
  return text
}
