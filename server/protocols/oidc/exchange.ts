import { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { recordRefusedRequest } from '../../features/records/index.ts'
import { OIDC_PATH } from '../../features/signing-keys/index.ts'
import { errors } from '../../platform/errors.ts'
import { countGuess, refuseGuessing } from '../../platform/http/guesses.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { subjectFor } from './claims.ts'
import { isProvenClient } from './client-secret.ts'
import { noteEntry } from './codes.ts'
import { newRequest, type OidcRequest, requests } from './oidc-request.ts'
import { renderFormPost, renderRefusal } from './pages.ts'
import { providerOf } from './provider.ts'
import { writePending } from './tokens.ts'

export type Outcome = {
  request: OidcRequest
  status: number
  headers: Record<string, string | string[]>
  body: unknown
}

type Koa = KoaContextWithOIDC & { originalUrl: string }
type Run = (koa: Koa, next: () => Promise<void>) => Promise<void>

type Wanted = {
  /** Below the issuer, with its query. */
  path: string
}

/**
 * Lets the provider answer a request, on a response of its own: what it decided is written to the database, and only then
 * does anything of it leave.
 * @throws whatever went wrong that is not the caller's fault.
 */
export async function askProvider(ctx: Context, exchange: Exchange, wanted: Wanted): Promise<Outcome> {
  if (await mayBeGuess(ctx, exchange, wanted)) refuseGuessing(ctx)
  refuseExcess(wanted)
  const provider = await providerOf(ctx)
  const state = newRequest(ctx, exchange)
  const { raw } = exchange.request
  const { url } = raw
  const response = new ServerResponse(raw)
  response.statusCode = 404
  // As a mounted handler sees it: its own path, and the whole one beside it.
  Object.assign(raw, { url: wanted.path, originalUrl: OIDC_PATH + wanted.path })
  const koa = provider.createContext(raw, response) as unknown as Koa
  const [run] = provider.middleware as unknown as [Run]
  try {
    await requests.run(state, () => run(koa, async () => {}))
  } finally {
    raw.url = url
  }
  if (state.failure) throw state.failure
  nameSubject(state, koa.body)
  const outcome = { request: state, status: koa.status, headers: headersOf(response), body: koa.body as unknown }
  if (isGuess(outcome)) countGuess(ctx)
  if (state.entered && state.standing && koa.status < 400) await noteEntry(ctx, state.standing)
  if (koa.status >= 400 || (await writePending(state))) return outcome
  return { ...outcome, status: 400, body: { error: 'invalid_grant', error_description: 'grant request is invalid' } }
}

/** Of an address. What waits for a person is kept for an hour, so nobody may fill that with megabytes. */
const MOST_CHARACTERS = 8192

function refuseExcess({ path }: Wanted): void {
  if (path.length > MOST_CHARACTERS) throw errors['request.too-large']()
}

/**
 * Where a token, a code or a secret is presented that nobody proved to own. A person on the way to an application presents none, and an
 * application with its secret answers for itself: neither may be shut out by a stranger behind the same address.
 */
async function mayBeGuess(ctx: Context, { request }: Exchange, { path }: Wanted): Promise<boolean> {
  return !path.startsWith('/authorize') && !(await isProvenClient(ctx, request.headers.authorization))
}

/** A token or secret that was simply wrong; an application that proved who it is may be late with as many as it likes. */
function isGuess({ status, body, request }: Outcome): boolean {
  if (status === 401) return true
  const hasSecret = request.exchange.request.headers.authorization !== undefined
  return status === 400 && !hasSecret && (body as { error?: unknown } | undefined)?.error === 'invalid_grant'
}

/** An introspection names the person as the application of the token knows them; the provider knows only our own id. */
function nameSubject({ ctx, standing }: OidcRequest, body: unknown): void {
  if (typeof body !== 'object' || body === null || !('active' in body) || !('sub' in body) || !standing) return
  body.sub = subjectFor(ctx, standing.application, standing.person)
}

function headersOf(response: ServerResponse): Outcome['headers'] {
  const headers = response.getHeaders()
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || name === 'content-length' ? [] : [[name, typeof value === 'number' ? `${value}` : value]],
    ),
  )
}

/** Sends an outcome as it is; what a person has to see becomes a page of ours. */
export async function sendOutcome(ctx: Context, exchange: Exchange, outcome: Outcome): Promise<FastifyReply> {
  const { reply } = exchange
  const { request, status, headers, body } = outcome
  if (request.refusal) {
    const { client_id: claimed } = exchange.request.query as Record<string, unknown>
    await recordRefusedRequest(ctx, { claimed: String(claimed ?? ''), reason: request.refusal.error })
    return await renderRefusal(ctx, exchange, request.refusal, status)
  }
  // Its error goes back the same way, unless the address itself was refused.
  if (request.formPost) return await renderFormPost(ctx, exchange, request.formPost, status)
  for (const [name, value] of Object.entries(headers)) reply.header(name, value)
  reply.code(status)
  if (status >= 300 && status < 400) return reply.send('')
  return reply.send(typeof body === 'object' && body !== null ? JSON.stringify(body) : (body ?? ''))
}
