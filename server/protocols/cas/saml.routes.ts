import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errors } from '../../platform/errors.ts'
import { refusalOf } from '../../platform/http/answer.ts'
import { contextOf } from '../../platform/http/client.ts'
import { countGuess, refuseGuessing } from '../../platform/http/guesses.ts'
import type { Context, Platform } from '../../platform/platform.ts'
import { failureText } from './answer.ts'
import { text } from './parameters.ts'
import { samlFailure, samlSuccess } from './saml.answer.ts'
import { readSamlRequest } from './saml.request.ts'
import { type FailureReason, GUESSED, validate } from './validate.ts'

const MOST_BYTES = 16 * 1024

/** /samlValidate: SAML 1.1 over SOAP, the ticket as artifact, the service as `TARGET` (protocol section 9). */
export async function mountSaml(app: FastifyInstance, platform: Platform): Promise<void> {
  // In a scope of its own: nothing else here takes XML.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      ['text/xml', 'application/xml', 'application/soap+xml'],
      { parseAs: 'buffer', bodyLimit: MOST_BYTES },
      (_request, body, done) => done(null, body),
    )
    scope.post('/samlValidate', { bodyLimit: MOST_BYTES }, (request, reply) => answer(platform, request, reply))
  })
}

/** After too many wrong tickets, at this door or another; null: go on. */
function secondsToWait(ctx: Context): number | null {
  try {
    refuseGuessing(ctx)
    return null
  } catch (error) {
    return refusalOf(error).retryAfter ?? 2
  }
}

async function answer(platform: Platform, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const ctx = contextOf(platform, request)
  const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) throw errors['request.unsupported-media-type']()
  const envelope = Buffer.isBuffer(request.body) ? readSamlRequest(request.body) : null
  if (!envelope) throw errors['request.invalid']({ params: { field: 'body', reason: 'SOAP' } })
  const target = text(request.query, 'TARGET')
  const frame = { at: ctx.now(), requestId: envelope.requestId, recipient: target ?? '' }
  reply.type('text/xml;charset=UTF-8')
  const fail = (reason: FailureReason) =>
    reply.send(samlFailure(frame, failureText(ctx, reason, request.headers['accept-language'])))
  if (target === null || envelope.ticket === '') return fail('parameters-missing')
  const wait = secondsToWait(ctx)
  if (wait !== null) {
    reply.code(429).header('retry-after', String(wait))
    return fail('internal')
  }
  const wanted = { ticket: envelope.ticket, service: target, renew: false, pgtUrl: null, proxies: false }
  const result = await validate(ctx, wanted)
  if (!('failed' in result)) return reply.send(samlSuccess(frame, result, platform.config.publicUrl))
  if (GUESSED.has(result.failed)) countGuess(ctx)
  return fail(result.failed)
}
