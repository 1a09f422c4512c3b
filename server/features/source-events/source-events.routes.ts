import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { removeSourceEvents, setUpSourceEvents, sourceEvents } from '#shared/contract/source-events.ts'
import { contextOf } from '../../platform/http/client.ts'
import { countClientFailure, rateLimitFailures } from '../../platform/http/failure-limit.ts'
import type { Api } from '../../platform/http/mount.ts'
import type { Context, Platform } from '../../platform/platform.ts'
import {
  type Answer,
  answerEcho,
  describeEvents,
  type Query,
  removeEvents,
  setUpEvents,
  takeEvent,
} from './source-events.service.ts'

const MAX_BODY_BYTES = 64 * 1024
const PATH = '/auth_service/source_events/:id'
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

export async function mountSourceEvents(api: Api, app: FastifyInstance, platform: Platform): Promise<void> {
  api.mount(sourceEvents, (ctx, { query }) => describeEvents(ctx, query.id))
  api.mount(setUpSourceEvents, (ctx, { query }) => setUpEvents(ctx, query.id))
  api.mount(removeSourceEvents, (ctx, { query }) => removeEvents(ctx, query.id))
  // In a scope of its own, with its own parser: WeCom sends XML and DingTalk JSON, whatever the content type says.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_BODY_BYTES }, (_request, body, done) =>
      done(null, body),
    )
    scope.get(PATH, (request, reply) =>
      answer(platform, request, reply, async (ctx, id, query) => {
        const text = await answerEcho(ctx, id, query)
        return text === null ? null : { type: 'text/plain', text }
      }),
    )
    scope.post(PATH, { bodyLimit: MAX_BODY_BYTES }, (request, reply) =>
      answer(platform, request, reply, (ctx, id, query) => takeEvent(ctx, id, query, bodyOf(request))),
    )
  })
}

const bodyOf = ({ body }: FastifyRequest): string => (typeof body === 'string' ? body.trim() : '')

/** Reveals nothing else to callers other than the vendor. */
async function answer(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  take: (ctx: Context, id: string, query: Query) => Promise<Answer | null>,
): Promise<FastifyReply> {
  const ctx = contextOf(platform, request)
  const { id } = request.params as { id: string }
  rateLimitFailures(ctx)
  // A repeated parameter is ignored.
  const given = Object.entries(request.query as Record<string, unknown>)
  const query = Object.fromEntries(given.filter((one): one is [string, string] => typeof one[1] === 'string'))
  const answered = UUID.test(id) ? await take(ctx, id, query) : null
  if (answered) return reply.type(answered.type).send(answered.text)
  countClientFailure(ctx)
  return reply.code(403).type('text/plain').send('')
}
