import type { FastifyRequest } from 'fastify'
import { v7 } from 'uuid'
import type { Envelope } from '#shared/contract/endpoint.ts'
import type { UserInformation } from '#shared/contract/sessions.ts'
import { browserIdOf, issueExchangeCode } from '../features/sessions/index.ts'
import { randomToken, sha256 } from '../platform/crypto.ts'
import { type Browser, createBrowser } from './browser.ts'
import type { TestServer } from './server.ts'
import { type SignedOptions, signedFetch } from './signed.ts'

export type Reply<T = unknown> = { status: number; headers: Headers; envelope: Envelope<T>; data: T }

/** A page of the portal: a browser with its cookies, and the token that the web application stores. */
export type Portal = {
  server: TestServer
  browser: Browser
  token: string
  user: UserInformation
  ssoSessionId: string
  /** A signed call with this page's cookie and token. */
  call<T = unknown>(path: string, options?: SignedOptions): Promise<Reply<T>>
}

type PortalOptions = {
  account?: string
  isSuperUser?: boolean
  /** Administers an organisation of their own with these permissions; `administers` names another. */
  permissions?: readonly string[]
  administers?: string
  limited?: boolean
  /** Opened without a second factor; by default nothing is missing. */
  lacksFactor?: boolean
  /** Opened without a field that a rule requires. */
  lacksFields?: boolean
  remembered?: boolean
  ip?: string
  clientType?: string
  onCampus?: boolean
}

/** Writes a person directly into the database, for tests without a password. @returns the user id */
export async function insertPerson(
  server: TestServer,
  { account = randomToken(10), isSuperUser = false }: PortalOptions = {},
) {
  const at = server.platform.now()
  const id = v7()
  await server.platform.sql`
    insert into users (id, account, name, is_super_user, created_at, updated_at)
    values (${id}, ${account}, ${`Name of ${account}`}, ${isSuperUser}, ${at}, ${at})`
  return id
}

/** Writes a sign-on session directly into the database. @returns its id */
export async function insertLogin(server: TestServer, userId: string, someone: PortalOptions = {}): Promise<string> {
  const {
    limited = false,
    lacksFactor = false,
    lacksFields = false,
    remembered = false,
    ip = '192.0.2.7',
    clientType = 'pc',
    onCampus = false,
  } = someone
  const at = server.platform.now()
  const id = v7()
  await server.platform.sql`
    insert into sso_sessions (id, secret_hash, user_id, auth_type, remembered, limited, profile_due, authenticated_at, opened_at,
      last_seen_at, expires_at, ip, user_agent, browser, device, client_type, on_campus, second_factor, second_factor_at)
    values (${id}, ${sha256(randomToken(43))}, ${userId}, 'user', ${remembered}, ${limited}, ${lacksFields}, ${at}, ${at}, ${at},
      ${new Date(at.getTime() + 8 * 3_600_000)}, ${ip}, 'test', 'Chrome 140', 'Windows 11', ${clientType}, ${onCampus},
      ${lacksFactor ? null : 'totp'}, ${lacksFactor ? null : at})`
  return id
}

/** The hand-over code that a login in this browser would have put into the URL. */
export async function handOverCode(server: TestServer, browser: Browser, ssoSessionId: string): Promise<string> {
  if (!browser.cookie('gatehouse_browser')) browser.setCookie('gatehouse_browser', randomToken(32))
  const value = browser.cookie('gatehouse_browser')
  const cookies = { gatehouse_browser: value, '__Host-gatehouse_browser': value }
  const request = { cookies } as unknown as FastifyRequest
  const bound = browserIdOf(server.platform.config, request)
  const [session] = await server.platform.sql<{ userId: string; limited: boolean }[]>`
    select user_id, limited from sso_sessions where id = ${ssoSessionId}`
  if (!session || !bound) throw new Error('no such session or browser')
  const ctx = { ...server.platform, db: server.platform.sql, caller: null, client: NOBODY }
  return await issueExchangeCode(ctx, { ...session, ssoSessionId, browser: bound })
}

const NOBODY = { requestId: 'test', ip: '127.0.0.1', userAgent: '', language: 'en' } as const

/** Appoints a person for an organisation with all below it, or for a new one. @returns the organisation's id */
export async function insertAppointment(
  server: TestServer,
  userId: string,
  { permissions = [], administers }: PortalOptions,
) {
  const { sql, now } = server.platform
  const organizationId = administers ?? v7()
  const at = now()
  if (!administers) {
    await sql`
      insert into organizations (id, code, name, ancestor_ids, created_at, updated_at)
      values (${organizationId}, ${organizationId}, 'Administered', ${[organizationId]}, ${at}, ${at})`
  }
  await sql`
    insert into appointments (id, user_id, organization_id, permissions, created_at, updated_at)
    values (${v7()}, ${userId}, ${organizationId}, ${permissions as string[]}, ${at}, ${at})`
  return organizationId
}

/** A portal page of `userId`, or of a new person; the sign-on session is written directly, the rest happens over HTTP. */
export async function openPortal(
  server: TestServer,
  someone: PortalOptions & { userId?: string } = {},
): Promise<Portal> {
  const userId = someone.userId ?? (await insertPerson(server, someone))
  if (someone.permissions) await insertAppointment(server, userId, someone)
  const browser = createBrowser(server)
  const ssoSessionId = await insertLogin(server, userId, someone)
  const code = await handOverCode(server, browser, ssoSessionId)
  const opened = await callAs<{ token: string; fwkAuthUserInformation: UserInformation }>(
    server,
    browser,
    '/login/pc/',
    {
      body: { jsessionid: code },
    },
  )
  if (opened.status !== 200) throw new Error(`the portal did not open: ${JSON.stringify(opened.envelope)}`)
  const { token, fwkAuthUserInformation: user } = opened.data
  const call: Portal['call'] = (path, options = {}) => callAs(server, browser, path, { token, ...options })
  return { server, browser, token, user, ssoSessionId, call }
}

/** A signed call with a browser's cookies, which stores new ones. */
export async function callAs<T = unknown>(
  server: TestServer,
  browser: Browser,
  path: string,
  options: SignedOptions = {},
): Promise<Reply<T>> {
  const cookie = options.cookie ?? browser.cookieHeader('/auth_service/')
  const reply = await signedFetch(server, path, { ...options, cookie })
  for (const line of reply.headers.getSetCookie()) browser.remember(line)
  const text = await reply.text()
  const envelope = (text.startsWith('{') ? JSON.parse(text) : { state: reply.status, data: null }) as Envelope<T>
  return { status: reply.status, headers: reply.headers, envelope, data: envelope.data }
}
