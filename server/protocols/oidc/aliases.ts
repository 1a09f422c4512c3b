import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Application, findApplicationByClientId, type Person } from '../../features/applications/index.ts'
import { contextOf } from '../../platform/http/client.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Context, Platform } from '../../platform/platform.ts'
import { ownAttributes } from './claims.ts'
import { allowOrigin } from './cors.ts'
import { askProvider, type Outcome, sendOutcome } from './exchange.ts'

/** The addresses that clients written for CAS servers call (protocol section 10): thin over the same provider. */
export function mountAliases(app: FastifyInstance, platform: Platform): void {
  const forward = async (request: FastifyRequest, reply: FastifyReply, path: string, shape?: Shape) => {
    const ctx = contextOf(platform, request)
    const exchange = { request, reply }
    const outcome = await askProvider(ctx, exchange, { path })
    await allowOrigin(ctx, exchange, outcome, path)
    return await sendOutcome(ctx, exchange, shape ? shape(outcome) : outcome)
  }
  app.get('/authorize', async (request, reply) =>
    forward(request, reply, await authorizePath(contextOf(platform, request), request)),
  )
  for (const path of ['/accessToken', '/token']) {
    app.post(path, (request, reply) => forward(request, reply, '/token', casTokens))
  }
  app.route({
    method: ['GET', 'POST'],
    url: '/profile',
    handler: (request, reply) => profile(contextOf(platform, request), { request, reply }),
  })
  app.post('/introspect', (request, reply) => forward(request, reply, '/introspect'))
  app.post('/revoke', (request, reply) => forward(request, reply, '/revoke'))
}

type Shape = (outcome: Outcome) => Outcome

/** Clients of this family know no scopes: without any they get what their application is registered for. */
async function authorizePath(ctx: Context, { url, query }: FastifyRequest): Promise<string> {
  const given = query as Record<string, unknown>
  const search = url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''
  if (given['scope'] !== undefined && given['scope'] !== '') return `/authorize?${search}`
  const { client } = (await findApplicationByClientId(ctx, String(given['client_id'] ?? ''))) ?? {}
  const scopes = [...new Set(['openid', ...(client?.scopes ?? [])])].join(' ')
  const kept = search.split('&').filter((pair) => pair !== '' && !/^scope(=|$)/.test(pair))
  return `/authorize?${[...kept, `scope=${encodeURIComponent(scopes)}`].join('&')}`
}

/** `bearer` in lower case, as that family writes it; as one line of text for an application registered for that. */
const casTokens: Shape = (outcome) => {
  const body = outcome.body as Record<string, unknown> | undefined
  if (!body?.['access_token']) return outcome
  if (outcome.request.standing?.application.client?.tokenStyle !== 'text') {
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

async function profile(ctx: Context, exchange: Exchange): Promise<FastifyReply> {
  const { request, reply } = exchange
  const path = '/userinfo'
  const before = request.raw.headers.authorization
  const given = (request.query as Record<string, unknown>)['access_token']
  // That family sends the token in the address too; only here, because the answer is for the application alone.
  if (before === undefined && typeof given === 'string' && /^[\w-]{1,200}$/.test(given)) {
    request.raw.headers.authorization = `Bearer ${given}`
  }
  const isMissing = request.raw.headers.authorization === undefined && request.method === 'GET'
  if (isMissing) return reply.code(401).send({ error: 'missing_accessToken' })
  const outcome = await askProvider(ctx, exchange, { path })
  await allowOrigin(ctx, exchange, outcome, path)
  if (outcome.status === 401) return sendOutcome(ctx, exchange, { ...outcome, body: { error: 'expired_accessToken' } })
  return sendOutcome(ctx, exchange, outcome.status === 200 ? profileOf(outcome) : outcome)
}

const profileOf: Shape = (outcome) => {
  const { standing } = outcome.request
  if (!standing) return outcome
  const { application, person } = standing
  return { ...outcome, body: profileBody(application, person, outcome.body as Record<string, unknown>) }
}

/** `{id, attributes, client_id}`, or flat: as the application is registered. */
export function profileBody(application: Application, person: Person, userinfo: Record<string, unknown>) {
  const { sub, ...claims } = userinfo
  const attributes = application.attributes.length > 0 ? ownAttributes(application, person) : claims
  const head = { id: sub, client_id: application.client?.clientId }
  return application.client?.profileStyle === 'flat' ? { ...attributes, ...head } : { ...head, attributes }
}
