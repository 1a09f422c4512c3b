import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Envelope, Language } from '#shared/contract/endpoint.ts'
import { errors, Refusal } from '../errors.ts'
import type { Platform } from '../platform.ts'
import { languageOf } from './client.ts'
import { DATA_POLICY } from './headers.ts'
import { PLAIN_PAGE_STYLE, plainPage, wantsPage } from './plain-page.ts'
import { reasonsIn } from './reasons.ts'

/** Answers with the envelope of the API. A page of a list also carries its `total` at the top, as callers expect it. */
export function answerData(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  data: unknown,
): FastifyReply {
  const total = (data as { total?: unknown } | null)?.total
  const body: Envelope<unknown> = {
    state: 200,
    message: platform.translate(languageOf(request), 'ok'),
    data: data ?? null,
    ...(typeof total === 'number' && { total }),
  }
  return reply.code(200).send(body)
}

function answerRefusal(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal,
): FastifyReply {
  const body: Envelope<unknown> = {
    state: refusal.status,
    message: platform.translate(languageOf(request), `errors.${refusal.code}`, refusal.params),
    data: refusal.data,
    code: refusal.code,
    requestId: request.id,
  }
  if (refusal.retryAfter !== undefined) reply.header('retry-after', String(Math.ceil(refusal.retryAfter)))
  if (wantsPage(request)) {
    return reply
      .code(refusal.status)
      .type('text/html; charset=utf-8')
      .header('content-security-policy', `${DATA_POLICY}; style-src ${PLAIN_PAGE_STYLE}`)
      .send(plainPage(platform, request, refusal))
  }
  return reply.code(refusal.status).send(body)
}

/** Turns whatever was thrown into one shape: no stack, SQL, path or host ever leaves. */
export function answerError(
  platform: Platform,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = refusalOf(error)
  if (refusal.status >= 500) request.log.error({ err: error }, 'request failed')
  return answerRefusal(platform, request, reply, refusal)
}

export const answerNotFound = (platform: Platform, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  answerRefusal(platform, request, reply, errors['request.not-found']())

const DATABASE_AWAY = /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|CONNECT_|CONNECTION_|57P0|53300|08)/

/** A socket that is not there, unlike a file that is not there, is the embedded database's. */
const isDatabaseAway = (code: string, syscall?: string) =>
  DATABASE_AWAY.test(code) || (code === 'ENOENT' && syscall === 'connect')

/** Text that PostgreSQL can't hold (a NUL, half a surrogate pair), or a number or a moment out of its range, that slipped past a schema. */
const UNSTORABLE = /^22(021|P05|003|007|008|009|P02)$/

/** What the caller is told of anything that was thrown. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const { code, syscall, statusCode } = error as { code?: string; syscall?: string; statusCode?: number }
  if (typeof code === 'string' && isDatabaseAway(code, syscall)) return errors['service.unavailable']({ retryAfter: 2 })
  if (typeof code === 'string' && UNSTORABLE.test(code)) return errors['request.malformed']()
  if (statusCode === 413) return errors['request.too-large']()
  if (statusCode === 415) return errors['request.unsupported-media-type']()
  if (statusCode === 405) return errors['request.method-not-allowed']()
  if (statusCode && statusCode < 500) return errors['request.malformed']()
  return errors['server.error']()
}

/**
 * Parses a part of a request.
 * @throws Refusal `request.invalid` naming the field and the reason in the caller's language; `data` lists every field.
 */
export function parseInput<T extends z.ZodType>(schema: T, value: unknown, language: Language): z.output<T> {
  const parsed = schema.safeParse(value, { error: reasonsIn(language) })
  if (parsed.success) return parsed.data
  const fields = parsed.error.issues
    .slice(0, 20)
    .map((issue) => ({ field: issue.path.join('.'), reason: issue.message }))
  const first = fields[0] ?? { field: '', reason: '' }
  throw errors['request.invalid']({ params: first, data: { fields } })
}
