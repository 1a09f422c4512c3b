import { AsyncLocalStorage } from 'node:async_hooks'
import type { Application, Person } from '../../features/applications/index.ts'
import { browserSessionFrom, type SsoSession, sessionFrom, touch } from '../../features/sessions/index.ts'
import { signInPolicy } from '../../features/sign-in-policy/index.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { type StandingRow, standingById, standingBySecret } from './standing.store.ts'
import type { NewToken } from './tokens.store.ts'

/** A person in a session, with the gate's answer for one application at this moment. */
export type Standing = {
  session: SsoSession
  person: Person
  application: Application
  /** What the person agreed to; null: never asked, or withdrawn. */
  consented: string[] | null
}

/** The scopes of what is being redeemed: oidc-provider asks for it by `grantId`, and it travels with every token. */
export type GrantFacts = { accountId: string; clientId: string; scope: string; claims: string[] }

/** What one request to the provider has read and will write. */
export type OidcRequest = {
  ctx: Context
  exchange: Exchange
  /** Whose session it is (authorization), or on whose session the token stands. */
  standing: Standing | null
  grants: Map<string, GrantFacts>
  /** Written together, once it is certain that the answer is a success. */
  pending: { access?: NewToken; refresh?: NewToken; used?: Buffer }
  /** Was let into the application by this very answer (implicit flow). */
  entered: boolean
  /** What a person is told on our own page, because there is no application to send it to. */
  refusal: { error: string; error_description?: string | undefined } | null
  /** The parameters that a form of ours must post to the application (`response_mode=form_post`). */
  formPost: { href: string; fields: Record<string, string> } | null
  /** What the provider could not name: a fault of ours. */
  failure: unknown
}

/** The request that the provider is working on: its storage is asked without one. */
export const requests = new AsyncLocalStorage<OidcRequest>()

export const newRequest = (ctx: Context, exchange: Exchange): OidcRequest => ({
  ctx,
  exchange,
  standing: null,
  grants: new Map(),
  pending: {},
  entered: false,
  refusal: null,
  formPost: null,
  failure: null,
})

/** @throws Error outside of a request: everything that needs one is called inside. */
export function currentRequest(): OidcRequest {
  const request = requests.getStore()
  if (!request) throw new Error('outside of a request to the provider')
  return request
}

export async function standingFrom(ctx: Context, row: StandingRow, application: Application): Promise<Standing> {
  const session = sessionFrom(row, await signInPolicy(ctx), ctx.now(), { application, onCampus: null })
  return standing(row, session, application)
}

const standing = (row: StandingRow, session: SsoSession, application: Application): Standing => ({
  session,
  person: { ...row, userId: row.userId },
  application,
  consented: row.consented,
})

/** The standing of this browser's session towards an application; its last use is noted. */
export async function standingOfBrowser(ctx: Context, secretHash: Buffer, application: Application) {
  const row = await standingBySecret(ctx.db, secretHash, application.id, ctx.now())
  if (!row) return null
  const session = await browserSessionFrom(ctx, row, application)
  if (!session.refusal) await touch(ctx, row)
  return standing(row, session, application)
}

/** The standing of a session that something stands on: a code, a token. */
export async function standingOfSession(ctx: Context, ssoSessionId: string, application: Application) {
  const row = await standingById(ctx.db, ssoSessionId, application.id, ctx.now())
  return row && (await standingFrom(ctx, row, application))
}

/** An error of the protocol, in the shape that the provider turns into an answer. */
export const refusal = (code: string, description?: string) =>
  Object.assign(new Error(code), {
    error: code,
    ...(description && { error_description: description }),
    statusCode: 400,
    expose: true,
    allow_redirect: true,
  })

/** The one question before every code and token, and at every use of one. */
export const isGood = ({ session, application, consented }: Standing): boolean =>
  session.refusal === null && (application.client?.consent !== 'explicit' || consented !== null)
