import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errors } from '../../platform/errors.ts'
import { contextOf } from '../../platform/http/client.ts'
import { countClientFailure, rateLimitFailures } from '../../platform/http/failure-limit.ts'
import { toRefusal } from '../../platform/http/responses.ts'
import type { Context, Platform } from '../../platform/platform.ts'
import { translateFailure } from './cas-response.render.ts'
import { text } from './parameters.rules.ts'
import { samlFailure, samlSuccess } from './saml.render.ts'
import { parseSamlRequest } from './saml-request.rules.ts'
import { type FailureReason, GUESS_REASONS, validateTicket } from './validate.service.ts'

const MAX_BODY_BYTES = 16 * 1024

/** /samlValidate: SAML 1.1 over SOAP, the ticket as artifact, the service as `TARGET` (protocol section 9). */
export async function mountSaml(app: FastifyInstance, platform: Platform): Promise<void> {
  // In its own scope: nothing else here accepts XML.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addHook('onRequest', async ({ raw: { headers } }) => {
      const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1]
      if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) {
        throw errors['request.unsupported-media-type']()
      }
      // Clients send a form's content type, or none. The body is read as XML or rejected.
      headers['content-type'] = 'text/xml'
    })
    scope.addContentTypeParser('text/xml', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, body, done) =>
      done(null, body),
    )
    scope.post('/samlValidate', { bodyLimit: MAX_BODY_BYTES }, (request, reply) =>
      handleSamlValidate(platform, request, reply),
    )
  })
}

/** After too many wrong tickets, here or at another endpoint; null: continue. */
function rateLimitSeconds(ctx: Context): number | null {
  try {
    rateLimitFailures(ctx)
    return null
  } catch (error) {
    return toRefusal(error).retryAfter ?? 2
  }
}

async function handleSamlValidate(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const ctx = contextOf(platform, request)
  const envelope = Buffer.isBuffer(request.body) ? parseSamlRequest(request.body) : null
  if (!envelope) throw errors['request.invalid']({ params: { field: 'body', reason: 'SOAP' } })
  const target = text(request.query, 'TARGET')
  const frame = { at: ctx.now(), requestId: envelope.requestId, recipient: target ?? '' }
  reply.type('text/xml;charset=UTF-8')
  const fail = (reason: FailureReason) =>
    reply.send(samlFailure(frame, translateFailure(ctx, reason, request.headers['accept-language'])))
  if (target === null || envelope.ticket === '') return fail('parameters-missing')
  const wait = rateLimitSeconds(ctx)
  if (wait !== null) {
    reply.code(429).header('retry-after', String(wait))
    return fail('internal')
  }
  const wanted = { ticket: envelope.ticket, service: target, renew: false, pgtUrl: null, proxies: false }
  const result = await validateTicket(ctx, wanted)
  if (!('failed' in result)) return reply.send(samlSuccess(frame, result, platform.config.publicUrl))
  if (GUESS_REASONS.has(result.failed)) countClientFailure(ctx)
  return fail(result.failed)
}
