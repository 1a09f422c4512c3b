import type { FastifyInstance } from 'fastify'
import { queryOutbox } from '#shared/contract/outbox.ts'
import type { Api } from '../../platform/http/mount.ts'
import type { Platform } from '../../platform/platform.ts'
import { showOutbox } from './outbox.service.ts'

export function mountOutbox(api: Api, app: FastifyInstance, platform: Platform): void {
  api.mount(queryOutbox, (ctx, { query: { key } }, { request }) => showOutbox(ctx, { key, host: request.hostname }))
  if (platform.config.demo) return
  app.get('/auth_web/outbox', (_request, reply) => reply.callNotFound())
}
