import { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { recordRefusedRequest } from '../../features/records/index.ts'
import { OIDC_PATH } from '../../features/signing-keys/index.ts'
import { errors } from '../../platform/errors.ts'
import { countClientFailure, rateLimitFailures } from '../../platform/http/failure-limit.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { subjectFor } from './claims.rules.ts'
import { hasVerifiedSecret } from './client-secret.service.ts'
import { recordEntry } from './codes.service.ts'
import { newRequest, type OidcRequest, requestStorage } from './oidc-request.service.ts'
import { renderFormPost, renderRefusal } from './pages.render.ts'
import { getProvider } from './provider.service.ts'
import { writeTokens } from './tokens.service.ts'

export type ProviderResult = {
  request: OidcRequest
  status: number
  headers: Record<string, string | string[]>
  body: unknown
}

type Koa = KoaContextWithOIDC & { originalUrl: string }
type Middleware = (koa: Koa, next: () => Promise<void>) => Promise<void>

type ProviderInput = {
  /** Below the issuer, with its query. */
  path: string
}

/**
 * Lets the provider answer a request into a buffered response: its results are written to the database, and only then is anything sent.
 * @throws whatever went wrong that is not the caller's fault.
 */
export async function runProvider(ctx: Context, exchange: Exchange, input: ProviderInput): Promise<ProviderResult> {
  await limitGuesses(ctx, exchange, input)
  requireShortPath(input)
  const provider = await getProvider(ctx)
  const state = newRequest(ctx, exchange)
  const { raw } = exchange.request
  const { url } = raw
  const response = new ServerResponse(raw)
  response.statusCode = 404
  // As a mounted handler sees it: its own path, and the original one beside it.
  Object.assign(raw, { url: input.path, originalUrl: OIDC_PATH + input.path })
  const koa = provider.createContext(raw, response) as unknown as Koa
  state.koa = koa
  const [run] = provider.middleware as unknown as [Middleware]
  try {
    await requestStorage.run(state, () => run(koa, async () => {}))
  } finally {
    raw.url = url
  }
  if (state.failure) throw state.failure
  replaceSubject(state, koa.body)
  const result: ProviderResult = { request: state, status: koa.status, headers: headersOf(response), body: koa.body }
  if (isUnknownToken(result)) return { ...result, status: 200, body: { active: false } }
  if (isGuess(result)) countClientFailure(ctx)
  if (state.entered && state.clientSession && koa.status < 400) await recordEntry(ctx, state.clientSession)
  if (koa.status >= 400) return result
  const written = await writeTokens(state, koa.body)
  if (written) return { ...result, ...written }
  return { ...result, status: 400, body: { error: 'invalid_grant', error_description: 'grant request is invalid' } }
}

/** For a path. A pending request is stored for an hour, so it must not be megabytes. */
const MAX_PATH_CHARACTERS = 8192

function requireShortPath({ path }: ProviderInput): void {
  if (path.length > MAX_PATH_CHARACTERS) throw errors['request.too-large']()
}

/**
 * Rejects an address with too many failures where an unproven token, code or secret is presented. A person on the way to an application
 * presents none, and an application with its secret proves itself: neither may be shut out by a stranger behind the same address.
 * @throws Refusal `request.too-many`.
 */
async function limitGuesses(ctx: Context, { request }: Exchange, { path }: ProviderInput): Promise<void> {
  if (path.startsWith('/authorize')) return
  try {
    rateLimitFailures(ctx)
  } catch (error) {
    // Only now, because reading the secret costs more than the limit.
    if (!(await hasVerifiedSecret(ctx, request.headers.authorization))) throw error
  }
}

/** A token or secret that was wrong; an authenticated application may present as many expired ones as it likes. */
function isGuess({ status, body, request }: ProviderResult): boolean {
  if (status === 401) return true
  const hasSecret = request.exchange.request.headers.authorization !== undefined
  return status === 400 && !hasSecret && (body as { error?: unknown } | undefined)?.error === 'invalid_grant'
}

/** RFC 7662, 2.2: an unknown token is not active. The provider treats one that looks like a JWT as an error. */
const isUnknownToken = ({ request, body }: ProviderResult): boolean =>
  request.koa?.oidc?.route === 'introspection' &&
  (body as { error?: unknown } | undefined)?.error === 'unsupported_token_type'

/** An introspection names the person as the token's application knows them; the provider knows only our internal id. */
function replaceSubject({ ctx, clientSession }: OidcRequest, body: unknown): void {
  if (typeof body !== 'object' || body === null || !('active' in body) || !('sub' in body) || !clientSession) return
  body.sub = subjectFor(ctx, clientSession.application, clientSession.person)
}

function headersOf(response: ServerResponse): ProviderResult['headers'] {
  const headers: ProviderResult['headers'] = {}
  for (const name of response.getHeaderNames()) {
    const value = response.getHeader(name)
    if (value !== undefined && name !== 'content-length') headers[name] = typeof value === 'number' ? `${value}` : value
  }
  return headers
}

/** Sends a result unchanged; what a person must see becomes a page of ours. */
export async function sendProviderResult(
  ctx: Context,
  exchange: Exchange,
  outcome: ProviderResult,
): Promise<FastifyReply> {
  const { reply } = exchange
  const { request, status, headers, body } = outcome
  if (request.refusal) {
    const { client_id: claimed } = exchange.request.query as Record<string, unknown>
    await recordRefusedRequest(ctx, { claimed: String(claimed ?? ''), reason: request.refusal.error })
    return await renderRefusal(ctx, exchange, request.refusal, status)
  }
  // Its error is sent the same way, unless the redirect address itself was rejected.
  if (request.formPost) return await renderFormPost(ctx, exchange, request.formPost, status)
  for (const [name, value] of Object.entries(headers)) reply.header(name, value)
  reply.code(status)
  if (body === '' || body === null || body === undefined || (status >= 300 && status < 400)) {
    // An empty body has no type; some clients parse by it.
    return reply.removeHeader('content-type').send()
  }
  return reply.send(typeof body === 'object' && body !== null ? JSON.stringify(body) : body)
}
