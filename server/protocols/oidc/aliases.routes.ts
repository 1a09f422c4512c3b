import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Application, PersonAttributes } from '../../features/applications/index.ts'
import { randomToken } from '../../platform/crypto.ts'
import { contextOf } from '../../platform/http/client.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Context, Platform } from '../../platform/platform.ts'
import { customClaimsFor } from './claims.rules.ts'
import { allowOrigin } from './cors.service.ts'
import { type ProviderResult, runProvider, sendProviderResult } from './provider-call.service.ts'
import { withDefaultScope } from './requested-scope.rules.ts'

/** The paths that clients written for CAS servers call (protocol section 10): a thin layer over the same provider. */
export function mountAliases(app: FastifyInstance, platform: Platform): void {
  const forward = async (request: FastifyRequest, reply: FastifyReply, path: string, shape?: ResultShape) => {
    const ctx = contextOf(platform, request)
    const exchange = { request, reply }
    const outcome = await runProvider(ctx, exchange, { path })
    await allowOrigin(ctx, exchange, outcome, path)
    return await sendProviderResult(ctx, exchange, shape ? shape(outcome) : outcome)
  }
  app.get('/authorize', { exposeHeadRoute: false }, async (request, reply) =>
    forward(request, reply, await withDefaultScope(contextOf(platform, request), authorizePath(request))),
  )
  for (const path of ['/accessToken', '/token']) {
    app.post(path, (request, reply) => forward(request, reply, '/token', casTokens))
  }
  app.route({
    method: ['GET', 'POST'],
    url: '/profile',
    handler: (request, reply) => handleProfile(contextOf(platform, request), { request, reply }),
  })
  app.post('/introspect', (request, reply) => forward(request, reply, '/introspect'))
  app.post('/revoke', (request, reply) => forward(request, reply, '/revoke'))
}

type ResultShape = (outcome: ProviderResult) => ProviderResult

/**
 * Response types as CAS servers accept them: in any case, `code` by default, and `token` for our `id_token token`, which only an
 * application registered for the implicit grant may request.
 */
function authorizePath({ url }: FastifyRequest): string {
  const search = url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''
  const given = new URLSearchParams(search)
  const types = given.getAll('response_type')
  if (types.length > 1) return `/authorize?${search}`
  const type = (types[0] || 'code').toLowerCase()
  const kept = search.split('&').filter((pair) => pair !== '' && !/^response_type(=|$)/.test(pair))
  const nonce = type === 'token' && !given.get('nonce') ? [`nonce=${randomToken(22)}`] : []
  const responseType = encodeURIComponent(type === 'token' ? 'id_token token' : type)
  return `/authorize?${[...kept, `response_type=${responseType}`, ...nonce].join('&')}`
}

/** `bearer` in lower case, as CAS servers write it; as one line of text for an application registered for that. */
const casTokens: ResultShape = (outcome) => {
  const body = outcome.body as Record<string, unknown> | undefined
  if (!body?.['access_token']) return outcome
  if (outcome.request.clientSession?.application.client?.tokenStyle !== 'text') {
    return { ...outcome, body: { ...body, token_type: 'bearer' } }
  }
  const { access_token, expires_in, refresh_token } = body
  const line = new URLSearchParams({ access_token: String(access_token), expires_in: String(expires_in) })
  if (refresh_token) line.set('refresh_token', String(refresh_token))
  return {
    ...outcome,
    body: line.toString(),
    headers: { ...outcome.headers, 'content-type': 'text/plain; charset=utf-8' },
  }
}

async function handleProfile(ctx: Context, exchange: Exchange): Promise<FastifyReply> {
  const { request, reply } = exchange
  const path = '/userinfo'
  const before = request.raw.headers.authorization
  const given = (request.query as Record<string, unknown>)['access_token']
  // CAS clients also send the token in the URL; accepted only here, where the answer is for the application alone.
  if (before === undefined && typeof given === 'string' && /^[\w-]{1,200}$/.test(given)) {
    request.raw.headers.authorization = `Bearer ${given}`
  }
  const isMissing = request.raw.headers.authorization === undefined && request.method === 'GET'
  if (isMissing) return reply.code(401).send({ error: 'missing_accessToken' })
  const outcome = await runProvider(ctx, exchange, { path })
  await allowOrigin(ctx, exchange, outcome, path)
  if (outcome.status === 401)
    return sendProviderResult(ctx, exchange, { ...outcome, body: { error: 'expired_accessToken' } })
  return sendProviderResult(ctx, exchange, outcome.status === 200 ? toProfile(outcome) : outcome)
}

const toProfile: ResultShape = (outcome) => {
  const { clientSession } = outcome.request
  if (!clientSession) return outcome
  const { application, person } = clientSession
  return { ...outcome, body: profileBody(application, person, outcome.body as Record<string, unknown>) }
}

/** `{id, attributes, client_id}`, or flat, as the application is registered. */
export function profileBody(application: Application, person: PersonAttributes, userinfo: Record<string, unknown>) {
  const { sub, ...claims } = userinfo
  const attributes = application.attributes.length > 0 ? customClaimsFor(application, person) : claims
  const head = { id: sub, client_id: application.client?.clientId }
  return application.client?.profileStyle === 'flat' ? { ...attributes, ...head } : { ...head, attributes }
}
