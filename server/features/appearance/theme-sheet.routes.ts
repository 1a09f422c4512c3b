import type { FastifyInstance } from 'fastify'
import { sendPreparedResponse } from '../../platform/http/prepared-response.ts'
import type { Platform } from '../../platform/platform.ts'
import { findShownTheme } from './shown-theme.service.ts'

/** The style sheet of the theme by its hash. A page that is older than the theme gets the current one, not shared by caches. */
export function mountThemeSheet(app: FastifyInstance, platform: Platform): void {
  app.get<{ Params: { file: string } }>('/auth_web/theme/:file', async (request, reply) => {
    const { sheet } = await findShownTheme(platform)
    if (!sheet) return reply.type('text/css; charset=utf-8').header('cache-control', 'no-store').send('')
    const isExact = sheet.href.endsWith(`/${request.params.file}`)
    return sendPreparedResponse(
      request,
      reply,
      sheet.answer,
      isExact ? 'public, max-age=31536000, immutable' : undefined,
    )
  })
}
