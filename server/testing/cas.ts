import type { Answer, Browser } from './browser.ts'
import type { TestServer } from './server.ts'

const CAS = '/fwk_cas_service'

/** Opens /login for a service, as if an application had redirected the browser there. */
export function openService(browser: Browser, service: string, query: Record<string, string> = {}): Promise<Answer> {
  return browser.get(`${CAS}/login?${new URLSearchParams({ service, ...query })}`)
}

export const ticketIn = (address: string): string =>
  address === '' ? '' : (new URL(address).searchParams.get('ticket') ?? '')

/** The ticket that a logged-in browser gets for a service. @throws Error if it gets none. */
export async function ticketFor(browser: Browser, service: string): Promise<string> {
  const { status, location } = await openService(browser, service)
  const ticket = ticketIn(location)
  if (!ticket) throw new Error(`no ticket for ${service}: ${status} ${location}`)
  return ticket
}

type Validation = { status: number; headers: Headers; text: string; user: string | null; code: string | null }

/** What an application's server does with a ticket; `path` below /fwk_cas_service. */
export async function callCas(
  server: Pick<TestServer, 'url'>,
  path: string,
  query: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Validation> {
  const reply = await fetch(`${server.url}${CAS}${path}?${new URLSearchParams(query)}`, { headers, redirect: 'manual' })
  const text = await reply.text()
  const user = /<cas:user>(.*)<\/cas:user>/.exec(text)?.[1] ?? null
  const code = /Failure code="(\w+)"/.exec(text)?.[1] ?? null
  return { status: reply.status, headers: reply.headers, text, user, code }
}

export const validateP3 = (server: Pick<TestServer, 'url'>, service: string, ticket: string) =>
  callCas(server, '/p3/serviceValidate', { service, ticket })

/** The number of tickets and visits: a refusal leaves none behind. */
export async function ticketTraces(server: TestServer): Promise<number> {
  const [row] = await server.platform.sql<{ traces: number }[]>`
    select ((select count(*) from session_services) + (select count(*) from visit_records where refusal is null))::int as traces`
  return row?.traces ?? -1
}
