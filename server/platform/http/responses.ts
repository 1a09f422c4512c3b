import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Envelope, Language } from '#shared/contract/endpoint.ts'
import { WORDING_HEADER } from '#shared/rules/own-texts.ts'
import { isOutage } from '../db.ts'
import { errors, Refusal } from '../errors.ts'
import type { Platform } from '../platform.ts'
import { languageOf } from './client.ts'
import { fieldLabel } from './field-labels.ts'
import { DATA_POLICY } from './headers.ts'
import { acceptsHtml, PLAIN_PAGE_STYLE, renderPlainPage } from './plain-page.render.ts'
import { validationMessages } from './validation-messages.ts'

/** Answers with the envelope of the API. A page of a list also carries its `total` at the top level, as callers expect. */
export function sendData(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  data: unknown,
): FastifyReply {
  const language = languageOf(request)
  const total = (data as { total?: unknown } | null)?.total
  const body: Envelope<unknown> = {
    state: 200,
    message: platform.translate(language, 'ok'),
    data: data ?? null,
    ...(typeof total === 'number' && { total }),
  }
  // A page opened before a text changed learns about it with its next call.
  reply.header(WORDING_HEADER, `${language} ${platform.wording.version(language)}`)
  return reply.code(200).send(body)
}

function messageOf({ translate }: Platform, request: FastifyRequest, { code, params }: Refusal): string {
  const language = languageOf(request)
  const { field } = params
  const named =
    code === 'request.invalid' && typeof field === 'string'
      ? { ...params, field: fieldLabel(translate, language, field, request.url) }
      : params
  return translate(language, `errors.${code}`, named)
}

function sendRefusal(platform: Platform, request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  const body: Envelope<unknown> = {
    state: refusal.status,
    message: messageOf(platform, request, refusal),
    data: refusal.data,
    code: refusal.code,
    requestId: request.id,
  }
  if (refusal.retryAfter !== undefined) reply.header('retry-after', String(Math.ceil(refusal.retryAfter)))
  if (acceptsHtml(request)) {
    return reply
      .code(refusal.status)
      .type('text/html; charset=utf-8')
      .header('content-security-policy', `${DATA_POLICY}; style-src ${PLAIN_PAGE_STYLE}`)
      .send(renderPlainPage(platform, request, refusal))
  }
  return reply.code(refusal.status).send(body)
}

/** Converts any thrown value into one shape: no stack, SQL, path or host is ever exposed. */
export function sendError(
  platform: Platform,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = toRefusal(error)
  logFailure(platform, request, error, 'request failed')
  return sendRefusal(platform, request, reply, refusal)
}

export const sendNotFound = (platform: Platform, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  sendRefusal(platform, request, reply, errors['request.not-found']())

/** Text that PostgreSQL can't store (NUL, half a surrogate pair), or a number or timestamp out of its range, that slipped past a schema. */
const UNSTORABLE = /^22(021|P05|003|007|008|009|P02)$/

/** What the caller is told about anything that was thrown. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const { code, syscall, statusCode } = error as { code?: string; syscall?: string; statusCode?: number }
  if (typeof code === 'string' && isOutage(code, syscall)) return errors['service.unavailable']({ retryAfter: 2 })
  if (typeof code === 'string' && UNSTORABLE.test(code)) return errors['request.malformed']()
  if (statusCode === 413) return errors['request.too-large']()
  if (statusCode === 415) return errors['request.unsupported-media-type']()
  if (statusCode === 405) return errors['request.method-not-allowed']()
  if (statusCode && statusCode < 500) return errors['request.malformed']()
  return errors['server.error']()
}

/** Logs what ended a request: a defect with its stack, an outage at most once a second, because every request meets it. */
export function logFailure(
  { log }: Pick<Platform, 'log'>,
  request: FastifyRequest,
  error: unknown,
  what: string,
): void {
  const { status } = toRefusal(error)
  if (status === 503) logOutage(log, error)
  else if (status >= 500) request.log.error({ err: error }, what)
}

const OUTAGE_LOG_INTERVAL_MS = 1000

/** Errors since the last line, and the reason of the latest. */
type Outage = { refused: number; code: string | undefined; reason: string | undefined }
const outages = new WeakMap<object, Outage>()

/** The first line is written at once; what follows within the second is counted in the line at its end. */
function logOutage(log: FastifyBaseLogger, error: unknown): void {
  const { code, message: reason } = error as { code?: string; message?: string }
  const known = outages.get(log)
  // What began as too many logins may continue as an unavailable database.
  if (known) return void Object.assign(known, { refused: known.refused + 1, code, reason })
  log.error({ code, reason, refused: 1 }, 'unavailable')
  const outage: Outage = { refused: 0, code, reason }
  outages.set(log, outage)
  const timer = setInterval(() => {
    if (outage.refused > 0) {
      log.error({ ...outage }, 'unavailable')
      outage.refused = 0
      return
    }
    clearInterval(timer)
    outages.delete(log)
  }, OUTAGE_LOG_INTERVAL_MS).unref()
}

/**
 * Parses a part of a request.
 * @throws Refusal `request.invalid` naming the field and the reason in the caller's language; `data` lists every field.
 */
export function parseInput<T extends z.ZodType>(
  schema: T,
  value: unknown,
  { translate }: Pick<Platform, 'translate'>,
  language: Language,
): z.output<T> {
  const parsed = schema.safeParse(value, { error: validationMessages(translate, language) })
  if (parsed.success) return parsed.data
  // A body that is a list or a plain value has no field to name.
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw errors['request.malformed']()
  const fields = parsed.error.issues
    .slice(0, 20)
    .map((issue) => ({ field: issue.path.join('.'), reason: issue.message }))
  const first = fields[0] ?? { field: '', reason: '' }
  throw errors['request.invalid']({ params: first, data: { fields } })
}

/**
 * Refuses text that the database can't store as it was sent: NUL, which PostgreSQL rejects, and half a surrogate pair, which UTF-8
 * replaces.
 * @throws Refusal `request.invalid` naming the field, as a path within `value`.
 */
export function requireStorableText(
  value: unknown,
  { translate }: Pick<Platform, 'translate'>,
  language: Language,
): void {
  for (const [field, text] of textsIn(value)) {
    if (!text.includes('\0') && text.isWellFormed()) continue
    const params = { field, reason: translate(language, 'reason.unstorable') }
    throw errors['request.invalid']({ params, data: { fields: [params] } })
  }
}

/** The texts in a value with their paths; without recursion, because a body may be nested as deeply as its bytes allow. */
function* textsIn(value: unknown): Generator<[path: string, text: string]> {
  const pending: [string, unknown][] = [['', value]]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [path, part] = next
    if (typeof part === 'string') yield [path, part]
    if (typeof part !== 'object' || part === null) continue
    for (const [key, held] of Object.entries(part)) pending.push([path === '' ? key : `${path}.${key}`, held])
  }
}
