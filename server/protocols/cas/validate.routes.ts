import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refusalOf } from '../../platform/http/answer.ts'
import { contextOf } from '../../platform/http/client.ts'
import { countGuess, refuseGuessing } from '../../platform/http/guesses.ts'
import type { Context, Platform } from '../../platform/platform.ts'
import {
  type Format,
  failureJson,
  failureText,
  failureXml,
  formatOf,
  proxySuccessXml,
  sendJson,
  sendXml,
  successJson,
  successXml,
} from './answer.ts'
import { casOptionsOf } from './cas-options.ts'
import { flag, text } from './parameters.ts'
import { proxyTicket } from './proxy.ts'
import { type FailureReason, GUESSED, type ValidationRequest, validate } from './validate.ts'

/** Two end points per protocol version; attributes belong to 3.0, proxy tickets to the `proxyValidate` ones. */
const VALIDATIONS = [
  { url: '/serviceValidate', proxies: false, attributes: false },
  { url: '/proxyValidate', proxies: true, attributes: false },
  { url: '/p3/serviceValidate', proxies: false, attributes: true },
  { url: '/p3/proxyValidate', proxies: true, attributes: true },
] as const

/** The end points that applications call: always 200, the body says what happened (protocol V9). */
export function mountValidation(app: FastifyInstance, platform: Platform): void {
  for (const { url, proxies, attributes } of VALIDATIONS) {
    app.get(url, { exposeHeadRoute: false }, (request, reply) =>
      guarded(platform, request, reply, 'authenticationFailure', (ctx, format) =>
        answerValidation(ctx, { request, reply }, format, { proxies, attributes }),
      ),
    )
  }
  app.get('/validate', { exposeHeadRoute: false }, (request, reply) => answerVersion1(platform, request, reply))
  app.get('/proxy', { exposeHeadRoute: false }, (request, reply) =>
    guarded(platform, request, reply, 'proxyFailure', (ctx, format) => answerProxy(ctx, { request, reply }, format)),
  )
}

type Exchange = { request: FastifyRequest; reply: FastifyReply }
type FailureKey = 'authenticationFailure' | 'proxyFailure'

/** Answers in the protocol's own shape whatever happens; only an outage and too many wrong tickets also show in the status. */
async function guarded(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  key: FailureKey,
  work: (ctx: Context, format: Format) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const ctx = contextOf(platform, request)
  const format = formatOf(text(request.query, 'format'))
  if (!format) return fail(ctx, { request, reply }, 'XML', 'format-unknown', key)
  try {
    refuseGuessing(ctx)
    return await work(ctx, format)
  } catch (error) {
    const { status, retryAfter } = refusalOf(error)
    if (status >= 500) request.log.error({ err: error }, 'validation failed')
    if (status === 503 || status === 429) reply.code(status).header('retry-after', String(retryAfter ?? 2))
    return fail(ctx, { request, reply }, format, 'internal', key)
  }
}

function fail(
  ctx: Context,
  { request, reply }: Exchange,
  format: Format,
  reason: FailureReason,
  key: FailureKey = 'authenticationFailure',
): FastifyReply {
  if (GUESSED.has(reason)) countGuess(ctx)
  const sentence = failureText(ctx, reason, request.headers['accept-language'])
  if (format === 'JSON') return sendJson(reply, failureJson(key, reason, sentence))
  return sendXml(reply, failureXml(key, reason, sentence))
}

function requestOf(request: FastifyRequest, proxies: boolean): ValidationRequest | null {
  const service = text(request.query, 'service')
  const ticket = text(request.query, 'ticket')
  if (service === null || ticket === null) return null
  const { query } = request
  return { service, ticket, renew: flag(query, 'renew'), pgtUrl: text(query, 'pgtUrl'), proxies }
}

async function answerValidation(
  ctx: Context,
  exchange: Exchange,
  format: Format,
  version: { proxies: boolean; attributes: boolean },
): Promise<FastifyReply> {
  const wanted = requestOf(exchange.request, version.proxies)
  if (!wanted) return fail(ctx, exchange, format, 'parameters-missing')
  const result = await validate(ctx, wanted)
  if ('failed' in result) return fail(ctx, exchange, format, result.failed)
  const withAttributes = version.attributes || casOptionsOf(result.application).attributesInCas2
  if (format === 'JSON') return sendJson(exchange.reply, successJson(result, withAttributes))
  return sendXml(exchange.reply, successXml(result, withAttributes))
}

/** Protocol 1.0: two bodies in all, each line ended by one LF. */
async function answerVersion1(platform: Platform, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const wanted = requestOf(request, false)
  const ctx = contextOf(platform, request)
  refuseGuessing(ctx)
  const result = wanted && (await validate(ctx, { ...wanted, pgtUrl: null }))
  if (result && 'failed' in result && GUESSED.has(result.failed)) countGuess(ctx)
  reply.type('text/plain;charset=UTF-8')
  if (!result || 'failed' in result) return reply.send('no\n')
  return reply.send(casOptionsOf(result.application).validateUserLine ? `yes\n${result.user}\n` : 'yes\n')
}

async function answerProxy(ctx: Context, exchange: Exchange, format: Format): Promise<FastifyReply> {
  const { request, reply } = exchange
  const pgt = text(request.query, 'pgt')
  const targetService = text(request.query, 'targetService')
  if (pgt === null || targetService === null) {
    return fail(ctx, exchange, format, 'proxy-parameters-missing', 'proxyFailure')
  }
  const result = await proxyTicket(ctx, pgt, targetService)
  if ('failed' in result) {
    return fail(ctx, exchange, format, result.failed, format === 'JSON' ? result.jsonKey : 'proxyFailure')
  }
  if (format === 'JSON') return sendJson(reply, { proxySuccess: { proxyTicket: result.ticket } })
  return sendXml(reply, proxySuccessXml(result.ticket))
}
