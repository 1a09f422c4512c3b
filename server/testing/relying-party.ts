import { createHash } from 'node:crypto'
import { applyBootstrap, type BootstrapInput } from '../features/bootstrap/index.ts'
import { randomToken } from '../platform/crypto.ts'
import type { Answer, Browser } from './browser.ts'
import type { TestServer } from './server.ts'

export const OIDC = '/fwk_cas_service/oidc'
export const SECRET = 'a secret of an application'

type Entry = Partial<NonNullable<BootstrapInput['applications']>[number]> & { appId: string }

/** An OpenID Connect application: everybody may use it, its client id is its name, its secret `SECRET`. */
export async function addClient(server: TestServer, { appId, ...application }: Entry): Promise<Client> {
  const home = `https://${appId}.test/`
  const entry = {
    appId,
    name: appId,
    protocol: 'oauth2' as const,
    type: 'whitelist' as const,
    url: home,
    clientId: appId,
    clientSecret: SECRET,
    redirectUris: [`${home}callback`],
    postLogoutRedirectUris: [home],
    grantTypes: ['authorization_code' as const, 'refresh_token' as const],
    scopes: ['openid', 'profile', 'email', 'phone'],
    ...application,
  }
  await applyBootstrap(server.platform, { applications: [entry] }, { source: 'test' })
  const secret = entry.clientSecret ?? null
  return { server, id: entry.clientId ?? appId, secret, redirectUri: entry.redirectUris?.[0] ?? '' }
}

/** A relying party for tests: raw requests, so that anything can be wrong with them. */
export type Client = { server: TestServer; id: string; secret: string | null; redirectUri: string }

export type Tokens = {
  access_token: string
  refresh_token?: string
  id_token?: string
  token_type: string
  expires_in: number
  scope?: string
}

export const VERIFIER = 'a-code-verifier-of-at-least-forty-three-characters'
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')

/** Undefined removes a default parameter from a request. */
type Parameters = Record<string, string | undefined>

const queryOf = (parameters: Parameters): URLSearchParams =>
  new URLSearchParams(Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined))

export const authorizePath = (client: Client, parameters: Parameters = {}): string =>
  `${OIDC}/authorize?${queryOf({
    response_type: 'code',
    client_id: client.id,
    redirect_uri: client.redirectUri,
    scope: 'openid',
    state: 'state-of-the-application',
    nonce: randomToken(12),
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...parameters,
  })}`

export const authorize = (browser: Browser, client: Client, parameters: Parameters = {}): Promise<Answer> =>
  browser.get(authorizePath(client, parameters))

/** The parameters returned to the application's address. */
export const returned = (answer: Answer): Record<string, string> =>
  answer.location === '' ? {} : Object.fromEntries(new URL(answer.location).searchParams)

export type Reply<T> = { status: number; headers: Headers; body: T }

/** A POST as the application's server sends it, with its secret in the `Authorization` header. */
export async function post<T = Record<string, unknown>>(
  client: Client,
  path: string,
  fields: Parameters,
  headers: Record<string, string> = {},
): Promise<Reply<T>> {
  const basic = client.secret === null ? null : `${encodeURIComponent(client.id)}:${encodeURIComponent(client.secret)}`
  const answer = await fetch(`${client.server.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(basic && { authorization: `Basic ${Buffer.from(basic).toString('base64')}` }),
      ...headers,
    },
    body: queryOf(client.secret === null ? { client_id: client.id, ...fields } : fields),
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: (text.startsWith('{') ? JSON.parse(text) : {}) as T }
}

export const token = <T = Tokens & { error?: string }>(client: Client, fields: Parameters) =>
  post<T>(client, `${OIDC}/token`, fields)

export const redeem = (client: Client, code: string | undefined, fields: Parameters = {}) =>
  token(client, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: client.redirectUri,
    code_verifier: VERIFIER,
    ...fields,
  })

export const refresh = (client: Client, refreshToken: string | undefined, fields: Parameters = {}) =>
  token(client, { grant_type: 'refresh_token', refresh_token: refreshToken, ...fields })

export const introspect = (client: Client, value: string) =>
  post<{ active: boolean; sub?: string; error?: string }>(client, `${OIDC}/introspect`, { token: value })

export async function userinfo(server: TestServer, accessToken: string): Promise<Reply<Record<string, unknown>>> {
  const answer = await fetch(`${server.url}${OIDC}/userinfo`, { headers: { authorization: `Bearer ${accessToken}` } })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: text.startsWith('{') ? JSON.parse(text) : {} }
}

/** From a logged-in browser to tokens. @throws Error if any step fails. */
export async function obtainTokens(browser: Browser, client: Client, parameters: Parameters = {}): Promise<Tokens> {
  const answer = await authorize(browser, client, parameters)
  const { code } = returned(answer)
  if (!code) throw new Error(`no code: ${answer.status} ${answer.location} ${answer.text.slice(0, 300)}`)
  const { status, body } = await redeem(client, code)
  if (status !== 200) throw new Error(`no tokens: ${status} ${JSON.stringify(body)}`)
  return body
}
