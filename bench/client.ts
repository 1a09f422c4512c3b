import { createHmac, randomUUID } from 'node:crypto'
import { FormData, type Pool } from 'undici'
import { textToSign, WEB_APP_KEY } from '../shared/contract/signature.ts'
import { PASSWORD, SERVICE } from './site.ts'

export type Answer = { status: number; location: string; body: string }

/** One person's browser: keep-alive, its own cookie jar. */
export type Visitor = {
  account: string
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  post(path: string, form: Record<string, string>): Promise<Answer>
  /** A signed API call; a form contains a file. */
  call(path: string, query: Record<string, string>, body?: unknown): Promise<Answer>
  token: string
  userId: string
}

export const LOGIN = `/fwk_cas_service/login?service=${encodeURIComponent(SERVICE)}`

export function createVisitor(pool: Pool, url: string, account: string): Visitor {
  const jar = new Map<string, string>()
  const send = async (
    method: 'GET' | 'POST',
    path: string,
    headers: Record<string, string>,
    body?: string | FormData,
  ): Promise<Answer> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await pool.request({
      method,
      path,
      headers: { ...headers, ...(cookie && { cookie }) },
      body: body ?? null,
    })
    for (const header of [answer.headers['set-cookie'] ?? []].flat()) {
      const [name = '', ...value] = (header.split(';', 1)[0] ?? '').split('=')
      jar.set(name, value.join('='))
    }
    return {
      status: answer.statusCode,
      location: String(answer.headers.location ?? ''),
      body: await answer.body.text(),
    }
  }
  const visitor: Visitor = {
    account,
    token: '',
    userId: '',
    get: (path, headers = {}) => send('GET', path, headers),
    post: (path, form) =>
      send('POST', path, { 'content-type': 'application/x-www-form-urlencoded' }, new URLSearchParams(form).toString()),
    call(path, query, body) {
      const address = new URL(`/auth_service${path}`, url)
      for (const [name, value] of Object.entries({ ...query, uuids: randomUUID() }))
        address.searchParams.set(name, value)
      const timestamp = String(Date.now())
      const form = body instanceof FormData ? body : undefined
      const text = body === undefined || form ? '' : JSON.stringify(body)
      const method = body === undefined ? 'GET' : 'POST'
      const covered = textToSign(timestamp, method, address.pathname, address.searchParams, text)
      const sign = createHmac('sha256', WEB_APP_KEY).update(covered).digest('hex').toUpperCase()
      const headers = { timestamp, sign, token: visitor.token, ...(text && { 'content-type': 'application/json' }) }
      return send(method, address.pathname + address.search, headers, form ?? (text || undefined))
    },
  }
  return visitor
}

export function expect(holds: boolean, what: string, answer: Answer): void {
  if (!holds) throw new Error(`${what}: ${answer.status} ${answer.location} ${answer.body.slice(0, 200)}`)
}

const ticketIn = (answer: Answer): string => {
  const ticket = /[?&]ticket=(ST-[A-Za-z0-9-]+)/.exec(answer.location)?.[1]
  expect(answer.status === 302 && ticket !== undefined, 'expected a ticket', answer)
  return ticket ?? ''
}

/** Logs in with the password; returns the service ticket. */
export async function logIn(visitor: Visitor): Promise<string> {
  return ticketIn(await visitor.post(LOGIN, { username: visitor.account, password: PASSWORD }))
}

/** A service ticket on the existing session. */
export async function hop(visitor: Visitor): Promise<string> {
  return ticketIn(await visitor.get(LOGIN))
}

/** Validates a ticket as the application does and checks that it is for the right person. */
export async function validate(pool: Pool, ticket: string, account: string): Promise<void> {
  const path = `/fwk_cas_service/p3/serviceValidate?service=${encodeURIComponent(SERVICE)}&ticket=${ticket}`
  const reply = await pool.request({ method: 'GET', path })
  const answer = { status: reply.statusCode, location: '', body: await reply.body.text() }
  expect(answer.body.includes(`<cas:user>${account}</cas:user>`), 'expected the right user', answer)
}

/** Opens the portal session, as the web application does after the redirect. */
export async function enterPortal(visitor: Visitor, url: string): Promise<void> {
  const callback = `${url}/auth_service/cas/login/?casParameter=${encodeURIComponent(JSON.stringify({ redirectUrl: `${url}/auth_web/` }))}`
  const sent = await visitor.get(`/fwk_cas_service/login?service=${encodeURIComponent(callback)}`)
  const back = new URL(sent.location)
  const home = await visitor.get(back.pathname + back.search)
  const jsessionid = new URL(home.location).searchParams.get('jsessionid') ?? ''
  const answer = await visitor.call('/login/pc/', {}, { jsessionid })
  expect(answer.status === 200, 'expected a portal session', answer)
  const { token, fwkAuthUserInformation } = JSON.parse(answer.body).data
  visitor.token = token
  visitor.userId = fwkAuthUserInformation.userId
}

/** The data of a call that must succeed. */
export async function asked<T>(
  visitor: Visitor,
  path: string,
  query: Record<string, string>,
  body?: unknown,
): Promise<T> {
  const answer = await visitor.call(path, query, body)
  expect(answer.status === 200, path, answer)
  return JSON.parse(answer.body).data as T
}
