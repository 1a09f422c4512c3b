import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  authenticateClient,
  countCall,
  recordHeld,
  SCIM_PATH,
  type ScimCaller,
} from '../../features/scim-clients/index.ts'
import { provisioningErrors } from '../../features/scim-provisioning/index.ts'
import { contextOf } from '../../platform/http/client.ts'
import { logFailure, toRefusal } from '../../platform/http/responses.ts'
import type { Context, Platform } from '../../platform/platform.ts'
import { errors, toScimError } from './scim.errors.ts'
import { answerBulk, RESOURCES } from './scim-bulk.service.ts'
import { MAX_SCIM_BODY_BYTES, resourceTypes, schemas, serviceProviderConfig } from './scim-discovery.render.ts'
import { renderList } from './scim-lists.rules.ts'
import { baseOf } from './scim-locations.rules.ts'
import type { ScimAnswer, ScimRequest } from './scim-request.types.ts'
import { type Given, isObject } from './scim-values.rules.ts'

const SCIM_TYPE = 'application/scim+json; charset=utf-8'

type Session = { ctx: Context; client: ScimCaller | null }
const sessions = new WeakMap<FastifyRequest, Session>()

/** A SCIM 2.0 service provider (RFC 7643, RFC 7644) for systems that were given a token in the back office. */
export async function mountScim(app: FastifyInstance, platform: Platform): Promise<void> {
  await app.register(
    async (scim) => {
      acceptScimJson(scim)
      scim.addHook('onRequest', async (request) => {
        const ctx = contextOf(platform, request)
        const session: Session = { ctx, client: null }
        sessions.set(request, session)
        session.client = await authenticateClient(ctx, request.headers.authorization)
        await countCall(ctx, session.client)
      })
      scim.setErrorHandler((error, request, reply) => sendScimError(platform, error, request, reply))
      scim.setNotFoundHandler((request, reply) => {
        const refusal = provisioningErrors['scim.not-found']({ params: { id: request.url.slice(0, 100) } })
        return sendScimError(platform, refusal, request, reply)
      })
      mountDiscovery(scim, platform)
      mountResource(scim, 'Users')
      mountResource(scim, 'Groups')
      scim.post('/Bulk', { bodyLimit: MAX_SCIM_BODY_BYTES }, async (request, reply) =>
        send(reply, await answerBulk(toScimRequest(request, 'POST'), request)),
      )
    },
    { prefix: SCIM_PATH },
  )
}

function acceptScimJson(scim: FastifyInstance): void {
  const parse = scim.getDefaultJsonParser('error', 'error')
  scim.addContentTypeParser('application/scim+json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined)
    return parse(request, body as string, done)
  })
}

const METHODS = ['PUT', 'PATCH', 'DELETE'] as const

function mountResource(scim: FastifyInstance, name: keyof typeof RESOURCES): void {
  const answer = RESOURCES[name]
  const options = { bodyLimit: MAX_SCIM_BODY_BYTES }
  scim.get(`/${name}`, { exposeHeadRoute: false }, async (request, reply) =>
    send(reply, await answer(toScimRequest(request, 'GET'))),
  )
  scim.post(`/${name}`, options, async (request, reply) => send(reply, await answer(toScimRequest(request, 'POST'))))
  // A search whose filter should not be in a URL (RFC 7644 3.4.3).
  scim.post(`/${name}/.search`, options, async (request, reply) => {
    if (!isObject(request.body)) throw errors['scim.bad-syntax']({ params: { near: 'body' } })
    return send(reply, await answer({ ...toScimRequest(request, 'GET'), query: request.body }))
  })
  scim.get(`/${name}/:id`, { exposeHeadRoute: false }, async (request, reply) =>
    send(reply, await answer(toScimRequest(request, 'GET'))),
  )
  for (const method of METHODS)
    scim.route({
      method,
      url: `/${name}/:id`,
      ...options,
      handler: async (request, reply) => send(reply, await answer(toScimRequest(request, method))),
    })
}

function mountDiscovery(scim: FastifyInstance, platform: Platform): void {
  const base = baseOf(platform)
  const list = (resources: Given[]) =>
    renderList(
      { kind: 'index', startIndex: 1, count: resources.length },
      { total: resources.length, resources, lastId: null, isMore: false },
    )
  const one = (resources: readonly Given[], request: FastifyRequest): ScimAnswer => {
    const { id } = request.params as { id: string }
    const body = resources.find((each) => String(each['id']).toLowerCase() === id.toLowerCase())
    if (!body) throw provisioningErrors['scim.not-found']({ params: { id: id.slice(0, 100) } })
    return { status: 200, body }
  }
  const get = (path: string, answer: (request: FastifyRequest) => ScimAnswer) =>
    scim.get(path, { exposeHeadRoute: false }, async (request, reply) => send(reply, answer(request)))
  get('/ServiceProviderConfig', () => ({ status: 200, body: serviceProviderConfig(base) }))
  get('/ResourceTypes', () => ({ status: 200, body: list(resourceTypes(base)) }))
  get('/ResourceTypes/:id', (request) => one(resourceTypes(base), request))
  get('/Schemas', () => ({ status: 200, body: list(schemas(base)) }))
  get('/Schemas/:id', (request) => one(schemas(base), request))
}

function toScimRequest(request: FastifyRequest, method: ScimRequest['method']): ScimRequest {
  const session = sessions.get(request)
  if (!session?.client) throw new Error('a request of nobody came this far')
  const { id = null } = (request.params ?? {}) as { id?: string }
  return {
    ...{ ctx: session.ctx, client: session.client, method, id },
    ...{ query: request.query as Given, body: request.body },
    ...{ ifMatch: request.headers['if-match'], ifNoneMatch: request.headers['if-none-match'] },
  }
}

function send(reply: FastifyReply, { status, body, location, etag }: ScimAnswer): FastifyReply {
  if (location) reply.header(status === 201 ? 'location' : 'content-location', location)
  if (etag) reply.header('etag', etag)
  // Without a body there is no type either.
  return body ? reply.code(status).type(SCIM_TYPE).send(body) : reply.code(status).send()
}

async function sendScimError(
  platform: Platform,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const refusal = toRefusal(error)
  logFailure(platform, request, error, 'SCIM request failed')
  const session = sessions.get(request)
  if (session?.client) await recordHeld(session.ctx, session.client, refusal)
  if (refusal.status === 401) reply.header('www-authenticate', 'Bearer realm="SCIM", error="invalid_token"')
  if (refusal.retryAfter !== undefined) reply.header('retry-after', String(Math.ceil(refusal.retryAfter)))
  const language = session?.ctx.client.language ?? 'en'
  const detail = platform.translate(language, `errors.${refusal.code}`, refusal.params)
  return reply.code(refusal.status).type(SCIM_TYPE).send(toScimError(refusal, detail))
}
