import { isUtf8 } from 'node:buffer'
import cookie from '@fastify/cookie'
import formbody from '@fastify/formbody'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { randomToken } from '../crypto.ts'
import { errors } from '../errors.ts'
import type { Metrics } from '../metrics.ts'
import type { Platform } from '../platform.ts'
import { countRequest } from '../slices.ts'
import { createBoundedServer, hasUnreadBody } from './bounded-server.ts'
import { handleClientError } from './client-error.ts'
import { type DatabaseWatch, watchDatabase } from './database-watch.ts'
import { fixedHeaders, securityHeaders } from './headers.ts'
import { mountOperations, OPERATIONS_PATHS } from './operations.routes.ts'
import { sendError, sendNotFound } from './responses.ts'

/** Bytes of a JSON or form body; a call that accepts a file declares its own limit. */
const MAX_BODY_BYTES = 64 * 1024
/** Far more than a node can serve at once, and few enough to leave file handles for everything else. */
const MAX_CONNECTIONS = 8000

/** The HTTP server with what every answer needs: limits, request id, security headers, one error shape, one log line. */
export async function createHttpServer(platform: Platform): Promise<FastifyInstance> {
  const { config } = platform
  const app = Fastify({
    loggerInstance: platform.log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    bodyLimit: MAX_BODY_BYTES,
    serverFactory: (handle) =>
      createBoundedServer(handle, {
        keepAliveTimeout: 72_000,
        requestTimeout: 30_000,
        headersTimeout: 10_000,
        onDisconnect: (count, reason) => platform.log.warn({ count, reason }, 'connections cut off that did not read'),
      }),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 256 },
    forceCloseConnections: 'idle',
    // While stopping, a request on an open connection is still served; its answer closes the connection.
    return503OnClosing: false,
    genReqId: () => randomToken(20),
    rewriteUrl: ({ url = '/' }) => pathOnly(url),
    clientErrorHandler: handleClientError(config),
    frameworkErrors: (error, request, reply) => {
      reply.headers(fixedHeaders(config)).header('x-request-id', request.id)
      sendError(platform, error, request, reply as unknown as FastifyReply)
    },
  })
  app.decorate('wording', platform.wording)
  app.server.maxConnections = MAX_CONNECTIONS
  await app.register(cookie)
  await app.register(formbody)
  parseJsonKeepingRaw(app)
  app.addHook('onRequest', securityHeaders(config))
  // With callbacks: each async hook would cost every request a promise.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    if (platform.draining.isDraining) reply.header('connection', 'close')
    refuseAmbiguousRequest(request)
    done()
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    // The rest of the request is not read: see `createBoundedServer`.
    if (hasUnreadBody(request.raw)) reply.header('connection', 'close')
    done()
  })
  const watch = watchRequests(app, platform)
  const { metrics } = platform
  app.addHook('onResponse', (request, reply, done) => {
    recordRequest(request, reply, metrics)
    done()
  })
  app.setErrorHandler((error, request, reply) => sendError(platform, error, request, reply))
  app.setNotFoundHandler((request, reply) => {
    if (METHODS.has(request.method)) return sendNotFound(platform, request, reply)
    return sendError(
      platform,
      errors['request.method-not-allowed'](),
      request,
      reply.header('allow', 'GET, HEAD, POST'),
    )
  })
  mountOperations(app, platform, { metrics, watch })
  return app
}

/** A request may contain an absolute URL (`GET http://host/path`); its host is never trusted. */
const pathOnly = (url: string): string => (url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*\/?/i, '/'))

const METHODS = new Set(['GET', 'HEAD', 'POST'])
const METHOD_OVERRIDE_HEADERS = ['x-http-method-override', 'x-http-method', 'x-method-override']

function refuseAmbiguousRequest(request: FastifyRequest): void {
  const hosts = countHostHeaders(request)
  if (hosts > 1 || (hosts === 0 && request.raw.httpVersion !== '1.0')) throw errors['request.malformed']()
  // Nothing here obeys them; a proxy in front might have based a decision on them.
  if (METHOD_OVERRIDE_HEADERS.some((name) => request.headers[name] !== undefined))
    throw errors['request.method-not-allowed']()
}

/** How many there are (RFC 9112 3.2 allows one): Node takes the first, a proxy in front may have taken the last. */
function countHostHeaders({ raw: { rawHeaders } }: FastifyRequest): number {
  let lines = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') lines += 1
  }
  return lines
}

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? ''

/** Answers 503 instead of a handler that waits for a database that does not answer. */
function watchRequests(app: FastifyInstance, platform: Platform): DatabaseWatch {
  const watch = watchDatabase(platform.sql)
  const stopWatching = new WeakMap<FastifyRequest, () => void>()
  const unavailable = () => errors['service.unavailable']({ retryAfter: 2 })
  app.addHook('onRequest', (request, reply, done) => {
    const path = pathOf(request)
    if (OPERATIONS_PATHS.has(path)) return done()
    // Pages may still be served from memory; what they then request is rejected.
    if (watch.isUnavailable() && !path.startsWith('/auth_web/')) throw unavailable()
    const giveUp = () => {
      // A file being sent has its headers out already, and breaks off on its own.
      if (!reply.sent && !reply.raw.headersSent) sendError(platform, unavailable(), request, reply)
    }
    const stop = watch.watchRequest(giveUp)
    const end = countRequest()
    stopWatching.set(request, () => {
      stop()
      end()
    })
    done()
  })
  app.addHook('onResponse', (request, _reply, done) => {
    stopWatching.get(request)?.()
    done()
  })
  app.addHook('onRequestAbort', async (request) => stopWatching.get(request)?.())
  app.addHook('onClose', async () => watch.close())
  return watch
}

/** One log line and one measurement per answer. The path only: queries contain tickets and codes. */
function recordRequest(request: FastifyRequest, reply: FastifyReply, metrics: Metrics): void {
  const { method } = request
  const path = pathOf(request)
  if (OPERATIONS_PATHS.has(path)) return
  const status = reply.statusCode
  metrics.observeRequest(method, request.routeOptions.url ?? 'none', status, reply.elapsedTime / 1000)
  // A path parameter may be a secret (a ticket, an interaction).
  const { url } = request.routeOptions
  const shown = url?.includes(':') ? url : path
  request.log.info({ method, path: shown, status, ms: Math.round(reply.elapsedTime), ip: request.ip }, 'request')
}

const rawBodies = new WeakMap<object, string>()

/** The JSON body exactly as sent, which is what `sign` covers; empty if there was none. */
export const rawBodyOf = (request: { raw: object }): string => rawBodies.get(request.raw) ?? ''

function parseJsonKeepingRaw(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // Decoding would silently replace invalid UTF-8, so that other text would be stored than was sent.
    if (!isUtf8(body as Buffer)) return done(errors['request.malformed']())
    const text = body.toString('utf8')
    rawBodies.set(request.raw, text)
    if (text === '') return done(null, undefined)
    return parse(request, text, done)
  })
}
