import { AsyncLocalStorage } from 'node:async_hooks'
import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Application, PersonAttributes } from '../../features/applications/index.ts'
import type { NewToken } from '../../features/oidc-tokens/index.ts'
import {
  loadGateSettings,
  type SsoSession,
  sessionShape,
  toBrowserSession,
  toSsoSession,
  touchSession,
} from '../../features/sessions/index.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { type ClientSessionRow, findClientSessionById, findClientSessionBySecret } from './client-session.store.ts'

/** A person in a session, with the gate's answer for one application at this moment. */
export type ClientSession = {
  session: SsoSession
  person: PersonAttributes
  application: Application
  /** What the person consented to; null: never asked, or withdrawn. */
  consented: string[] | null
}

/** The scopes of what is being redeemed: oidc-provider looks them up by `grantId`, and every token carries them. */
export type GrantFacts = { accountId: string; clientId: string; scope: string; claims: string[] }

/** What one request to the provider has read and will write. */
export type OidcRequest = {
  ctx: Context
  exchange: Exchange
  /** The session of the request (authorization), or that of its token. */
  clientSession: ClientSession | null
  grants: Map<string, GrantFacts>
  /** Written together, once the answer is certain to be a success. */
  pending: { access?: NewToken; refresh?: NewToken; used?: Buffer }
  /** Entered the application by this very answer (implicit flow). */
  entered: boolean
  /** What our own page says, because there is no application to redirect to. */
  refusal: { error: string; error_description?: string | undefined } | null
  /** The parameters that a form of ours must post to the application (`response_mode=form_post`). */
  formPost: { href: string; fields: Record<string, string> } | null
  /** An error that the provider could not classify: our fault. */
  failure: unknown
  /** The provider's context. */
  koa: KoaContextWithOIDC | null
}

/** The request that the provider is processing: its storage is called without one. */
export const requestStorage = new AsyncLocalStorage<OidcRequest>()

export const newRequest = (ctx: Context, exchange: Exchange): OidcRequest => ({
  ctx,
  exchange,
  clientSession: null,
  grants: new Map(),
  pending: {},
  entered: false,
  refusal: null,
  formPost: null,
  failure: null,
  koa: null,
})

/** @throws Error outside a request: everything that needs one is called inside. */
export function currentRequest(): OidcRequest {
  const request = requestStorage.getStore()
  if (!request) throw new Error('outside of a request to the provider')
  return request
}

/** The session of a token, with everything that its application receives. */
export async function toClientSession(
  ctx: Context,
  row: ClientSessionRow,
  application: Application,
): Promise<ClientSession> {
  const session = toSsoSession(row, await loadGateSettings(ctx), ctx.now(), { application, place: null })
  return { session, person: row, application, consented: row.consented }
}

/** This browser's session for an application; records its last use. */
export async function findBrowserClientSession(
  ctx: Context,
  secretHash: Buffer,
  application: Application,
): Promise<ClientSession | null> {
  const gateSettings = await loadGateSettings(ctx)
  const shape = sessionShape(gateSettings.rules, application)
  const row = await findClientSessionBySecret(ctx.db, secretHash, {
    applicationId: application.id,
    shape,
    now: ctx.now(),
  })
  if (!row) return null
  const session = await toBrowserSession(ctx, row, application, gateSettings)
  if (!session.refusal) await touchSession(ctx, row)
  return { session, person: row, application, consented: row.consented }
}

/** The session behind a device, for its application. */
export async function findClientSession(ctx: Context, ssoSessionId: string, application: Application) {
  const shape = sessionShape((await loadGateSettings(ctx)).rules, application)
  const query = { applicationId: application.id, shape, now: ctx.now() }
  const row = await findClientSessionById(ctx.db, ssoSessionId, query)
  return row && (await toClientSession(ctx, row, application))
}

/** A protocol error, in the form that the provider turns into an answer. */
export const refusal = (code: string, description?: string) =>
  Object.assign(new Error(code), {
    error: code,
    ...(description && { error_description: description }),
    statusCode: 400,
    expose: true,
    allow_redirect: true,
  })

/** Checked before every code and token, and at every use of one. */
export const isUsable = ({ session, application, consented }: ClientSession): boolean =>
  session.refusal === null && (application.client?.consent !== 'explicit' || consented !== null)
