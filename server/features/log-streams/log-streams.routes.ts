import { logStreams, moveLogStream, testLogStream } from '#shared/contract/log-streams.ts'
import type { Api } from '../../platform/http/mount.ts'
import { describeStream, moveStream, pageStreams, streamsService } from './log-streams.service.ts'
import { testStream } from './stream-delivery.service.ts'

export function mountLogStreams(api: Api): void {
  api.mount(logStreams.list, (ctx, { query }) => pageStreams(ctx, query))
  api.mount(logStreams.details, async (ctx, { query }) => describeStream(ctx, await streamsService.get(ctx, query.id)))
  api.mount(logStreams.create, async (ctx, { body }) => describeStream(ctx, await streamsService.create(ctx, body)))
  api.mount(logStreams.update, async (ctx, { query, body }) =>
    describeStream(ctx, await streamsService.update(ctx, query.id, body)),
  )
  api.mount(logStreams.remove, (ctx, { query, body }) => streamsService.remove(ctx, query.id, body.version))
  api.mount(testLogStream, (ctx, { query }) => testStream(ctx, query.id))
  api.mount(moveLogStream, (ctx, { query, body }) => moveStream(ctx, query.id, body))
}
