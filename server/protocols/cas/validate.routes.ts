import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { contextOf } from '../../platform/http/client.ts'
import { countClientFailure, rateLimitFailures } from '../../platform/http/failure-limit.ts'
import { logFailure, toRefusal } from '../../platform/http/responses.ts'
import type { Context, Platform } from '../../platform/platform.ts'
import { casOptionsOf } from './cas-options.rules.ts'
import {
  failureJson,
  failureXml,
  parseFormat,
  proxySuccessXml,
  type ResponseFormat,
  sendJson,
  sendXml,
  successJson,
  successXml,
  translateFailure,
} from './cas-response.render.ts'
import { flag, text } from './parameters.rules.ts'
import { exchangeProxyGrantingTicket } from './proxy.service.ts'
import { type FailureReason, GUESS_REASONS, type ValidationRequest, validateTicket } from './validate.service.ts'

/** Two endpoints per protocol version; attributes belong to 3.0, proxy tickets to the `proxyValidate` ones. */
const VALIDATIONS = [
  { url: '/serviceValidate', proxies: false, attributes: false },
  { url: '/proxyValidate', proxies: true, attributes: false },
  { url: '/p3/serviceValidate', proxies: false, attributes: true },
  { url: '/p3/proxyValidate', proxies: true, attributes: true },
] as const

/** The endpoints that applications call: always 200, the body says what happened (protocol V9). */
export function mountValidation(app: FastifyInstance, platform: Platform): void {
  for (const { url, proxies, attributes } of VALIDATIONS) {
    app.get(url, { exposeHeadRoute: false }, (request, reply) =>
      withFailureResponse(platform, request, reply, 'authenticationFailure', (ctx, format) =>
        handleValidation(ctx, { request, reply }, format, { proxies, attributes }),
      ),
    )
  }
  app.get('/validate', { exposeHeadRoute: false }, (request, reply) => handleVersion1(platform, request, reply))
  app.get('/proxy', { exposeHeadRoute: false }, (request, reply) =>
    withFailureResponse(platform, request, reply, 'proxyFailure', (ctx, format) =>
      handleProxy(ctx, { request, reply }, format),
    ),
  )
}

type Exchange = { request: FastifyRequest; reply: FastifyReply }
type FailureKey = 'authenticationFailure' | 'proxyFailure'

/** Answers in the protocol's own format whatever happens; only an outage and too many wrong tickets also change the status. */
async function withFailureResponse(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  key: FailureKey,
  work: (ctx: Context, format: ResponseFormat) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const ctx = contextOf(platform, request)
  const format = parseFormat(text(request.query, 'format'))
  if (!format) return sendFailure(ctx, { request, reply }, 'XML', 'format-unknown', key)
  try {
    rateLimitFailures(ctx)
    return await work(ctx, format)
  } catch (error) {
    const { status, retryAfter } = toRefusal(error)
    logFailure(platform, request, error, 'validation failed')
    if (status === 503 || status === 429) reply.code(status).header('retry-after', String(retryAfter ?? 2))
    return sendFailure(ctx, { request, reply }, format, 'internal', key)
  }
}

function sendFailure(
  ctx: Context,
  { request, reply }: Exchange,
  format: ResponseFormat,
  reason: FailureReason,
  key: FailureKey = 'authenticationFailure',
): FastifyReply {
  if (GUESS_REASONS.has(reason)) countClientFailure(ctx)
  const sentence = translateFailure(ctx, reason, request.headers['accept-language'])
  if (format === 'JSON') return sendJson(reply, failureJson(key, reason, sentence))
  return sendXml(reply, failureXml(key, reason, sentence))
}

function parseValidationRequest(request: FastifyRequest, proxies: boolean): ValidationRequest | null {
  const service = text(request.query, 'service')
  const ticket = text(request.query, 'ticket')
  if (service === null || ticket === null) return null
  const { query } = request
  return { service, ticket, renew: flag(query, 'renew'), pgtUrl: text(query, 'pgtUrl'), proxies }
}

async function handleValidation(
  ctx: Context,
  exchange: Exchange,
  format: ResponseFormat,
  version: { proxies: boolean; attributes: boolean },
): Promise<FastifyReply> {
  const validation = parseValidationRequest(exchange.request, version.proxies)
  if (!validation) return sendFailure(ctx, exchange, format, 'parameters-missing')
  const result = await validateTicket(ctx, validation)
  if ('failed' in result) return sendFailure(ctx, exchange, format, result.failed)
  const withAttributes = version.attributes || casOptionsOf(result.application).attributesInCas2
  if (format === 'JSON') return sendJson(exchange.reply, successJson(result, withAttributes))
  return sendXml(exchange.reply, successXml(result, withAttributes))
}

/** Protocol 1.0 has two bodies. A failure has an empty second line, as the reference server writes and some clients require. */
async function handleVersion1(platform: Platform, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const validation = parseValidationRequest(request, false)
  const ctx = contextOf(platform, request)
  rateLimitFailures(ctx)
  const result = validation && (await validateTicket(ctx, { ...validation, pgtUrl: null }))
  if (result && 'failed' in result && GUESS_REASONS.has(result.failed)) countClientFailure(ctx)
  reply.type('text/plain;charset=UTF-8')
  if (!result || 'failed' in result) return reply.send('no\n\n')
  return reply.send(casOptionsOf(result.application).validateUserLine ? `yes\n${result.user}\n` : 'yes\n')
}

async function handleProxy(ctx: Context, exchange: Exchange, format: ResponseFormat): Promise<FastifyReply> {
  const { request, reply } = exchange
  const pgt = text(request.query, 'pgt')
  const targetService = text(request.query, 'targetService')
  if (pgt === null || targetService === null) {
    return sendFailure(ctx, exchange, format, 'proxy-parameters-missing', 'proxyFailure')
  }
  const result = await exchangeProxyGrantingTicket(ctx, pgt, targetService)
  if ('failed' in result) {
    return sendFailure(ctx, exchange, format, result.failed, format === 'JSON' ? result.jsonKey : 'proxyFailure')
  }
  if (format === 'JSON') return sendJson(reply, { proxySuccess: { proxyTicket: result.ticket } })
  return sendXml(reply, proxySuccessXml(result.ticket))
}
