import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { z } from 'zod'
import type { Access, Endpoint, Language } from '#shared/contract/endpoint.ts'
import { errors } from '../errors.ts'
import type { Caller, CallingApplication, Context, Platform } from '../platform.ts'
import { clientOf } from './client.ts'
import { parseInput, requireStorableText, sendData } from './responses.ts'
import { acceptUploads } from './upload.ts'

/** What the API needs from the features: who is calling, and whether the request is signed as the contract requires. */
export type ApiGuard = {
  /** The portal session that a request proves, or null. @throws Refusal if the caller should be told why a session has ended. */
  authenticate(platform: Platform, request: FastifyRequest): Promise<Caller | null>
  /** @throws Refusal if timestamp, `uuids` or `sign` is wrong. */
  verifySignature(platform: Platform, request: FastifyRequest, endpoint: Endpoint): Promise<void>
  /**
   * Runs a call of an application that is allowed to make it, and records the call, however it ends.
   * @throws Refusal if the signature, the grant or the rate limit is violated.
   */
  runAsApplication<T>(
    platform: Platform,
    request: FastifyRequest,
    endpoint: Endpoint,
    run: (application: CallingApplication) => Promise<T>,
  ): Promise<T>
  /** Records that somebody called the back office without permission. */
  recordDenied(ctx: Context, endpoint: Endpoint): Promise<void>
}

export type Input<E> =
  E extends Endpoint<infer Q, infer B, z.ZodType> ? { query: z.output<Q>; body: z.output<B> } : never
export type Output<E> = E extends Endpoint<z.ZodType, z.ZodType, infer O> ? z.input<O> : never

/** Returned by a handler that has sent the answer itself: a redirect, a file, a picture. */
export const REPLY_SENT = Symbol('answered')

export type Exchange = { request: FastifyRequest; reply: FastifyReply }

export type Api = {
  /** Mounts a call of the contract: checks, parses, runs the handler, answers with the envelope. */
  mount<E extends Endpoint>(
    endpoint: E,
    handle: (ctx: Context, input: Input<E>, exchange: Exchange) => Promise<Output<E> | typeof REPLY_SENT>,
  ): void
  /** Everything mounted so far, for OpenAPI and for the tests over all routes. */
  endpoints: readonly Endpoint[]
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Every call of the contract that is mounted, and every route of any kind, for the checks over all of them. */
    surface: { endpoints: readonly Endpoint[]; routes: readonly { method: string; url: string }[] }
  }
}

const PREFIX = '/auth_service'

export function createApi(app: FastifyInstance, platform: Platform, guard: ApiGuard): Api {
  const endpoints: Endpoint[] = []
  const routes: { method: string; url: string }[] = []
  app.decorate('surface', { endpoints, routes })
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) routes.push({ method: one, url })
  })
  return {
    endpoints,
    mount(endpoint, handle) {
      endpoints.push(endpoint)
      addRoute(app, endpoint, {
        method: endpoint.method,
        // For an upload this limits the file; any other body is limited as everywhere.
        ...(endpoint.mostBodyBytes && !endpoint.upload && { bodyLimit: endpoint.mostBodyBytes }),
        // Permission is checked first, so that nobody without it can send megabytes; the signature, which covers the body, comes
        // afterwards.
        ...(endpoint.mostBodyBytes &&
          isOfSessions(endpoint) && {
            onRequest: async (request: FastifyRequest) =>
              void (await authorizeCaller(endpoint, platform, request, guard)),
          }),
        url: PREFIX + endpoint.path.replace(/\{(\w+)\}/g, ':$1').replace(/(?<=.)\/$/, ''),
        handler: async (request, reply) => {
          const run = (caller: Caller | null, application?: CallingApplication) => {
            const client = clientOf(request)
            const ctx: Context = { ...platform, db: platform.sql, client, caller, ...(application && { application }) }
            const input = parseRequest(platform, endpoint, request, client.language) as Input<typeof endpoint>
            return handle(ctx, input, { request, reply })
          }
          const data = await runAuthorized(guard, platform, request, endpoint, run)
          return data === REPLY_SENT ? reply : sendData(platform, request, reply, data)
        },
      })
    },
  }
}

const isOfSessions = ({ access }: Endpoint): boolean => access !== 'public' && access !== 'application'

/** Authorises the caller, whoever it is, and runs the call. */
async function runAuthorized<T>(
  guard: ApiGuard,
  platform: Platform,
  request: FastifyRequest,
  endpoint: Endpoint,
  run: (caller: Caller | null, application?: CallingApplication) => Promise<T>,
): Promise<T> {
  if (endpoint.access === 'application') {
    return await guard.runAsApplication(platform, request, endpoint, async (application) => run(null, application))
  }
  if (endpoint.signed) await guard.verifySignature(platform, request, endpoint)
  return await run(await authorizeCaller(endpoint, platform, request, guard))
}

function parseRequest(platform: Platform, endpoint: Endpoint, request: FastifyRequest, language: Language) {
  const { uuids: _, ...query } = { ...(request.query as object), ...(request.params as object) } as Record<
    string,
    unknown
  >
  const input = {
    query: parseInput(endpoint.query, query, platform, language),
    body: parseInput(endpoint.body, request.body ?? {}, platform, language),
  }
  // Before a login such text is a value that nobody has, and the answer must not differ from that.
  if (endpoint.access !== 'public') {
    requireStorableText(input.query, platform, language)
    requireStorableText(input.body, platform, language)
  }
  return input
}

/** An upload is in a scope of its own: everywhere else a multipart body is rejected unread. */
function addRoute(app: FastifyInstance, endpoint: Endpoint, route: RouteOptions): void {
  if (!endpoint.upload) return void app.route(route)
  void app.register(async (scope) => {
    await acceptUploads(scope, endpoint.mostBodyBytes ?? 0)
    scope.route(route)
  })
}

async function authorizeCaller(
  endpoint: Endpoint,
  platform: Platform,
  request: FastifyRequest,
  guard: ApiGuard,
): Promise<Caller | null> {
  const { access } = endpoint
  if (access === 'public') return null
  const caller = await guard.authenticate(platform, request)
  if (!caller) throw errors['session.required']()
  const missing = findMissing(access, caller)
  if (missing) throw errors[missing]()
  if (!mayCall(access, caller)) {
    await guard.recordDenied({ ...platform, db: platform.sql, client: clientOf(request), caller }, endpoint)
    throw errors['permission.denied']()
  }
  return caller
}

/** What a session lacks is asked for in this order, and each has calls that stay open. */
function findMissing(access: Access, { limited, lacksFactor, lacksFields }: Caller) {
  if (access === 'limited') return null
  if (limited) return 'session.limited'
  if (lacksFactor) return access === 'enrolling' ? null : 'session.second-factor-required'
  return lacksFields && access !== 'completing' ? 'session.profile-incomplete' : null
}

const OPEN_TO_ALL: readonly Access[] = ['limited', 'enrolling', 'completing', 'user']

/** Is the call open to this logged-in person? Which rows it may touch, the handler decides. */
function mayCall(access: Access, { isSuperUser, permissions }: Caller): boolean {
  if (isSuperUser || OPEN_TO_ALL.includes(access)) return true
  if (access === 'superUser' || access === 'application' || permissions === null) return false
  return access === 'administrator' || permissions.some((permission) => access === `administrator:${permission}`)
}
