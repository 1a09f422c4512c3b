import type { FastifyInstance } from 'fastify'
import { findPromptPage, PromptPageName } from '#shared/contract/prompt-pages.ts'
import { previewLanguageOf } from '../../platform/http/client.ts'
import type { Api } from '../../platform/http/mount.ts'
import type { Platform } from '../../platform/platform.ts'
import { renderLightPage, renderPortalHtml } from '../appearance/index.ts'
import { findPreviewDraft } from '../appearance-preview/index.ts'
import { buildScreen, describePromptPage } from './prompt-pages.service.ts'

type Address = { Params: { token: string; page: string; screen: string }; Querystring: { key?: unknown } }

/**
 * Screens of the pages below `/manage/tip-edit`, each in the state that shows certain texts, for a frame in the back office:
 * `/auth_web/preview/<token>/tip-edit/<page>/<screen>`, where `key` shows an error. As with every preview, a super user has uploaded the
 * draft and only their session may open the frame. It also serves languages that are not offered yet, and answers the screen's calls with
 * samples.
 */
export function mountPromptPages(api: Api, app: FastifyInstance, platform: Platform): void {
  api.mount(findPromptPage, async (ctx, { query }) => describePromptPage(ctx, query))
  app.get<Address>('/auth_web/preview/:token/tip-edit/:page/:screen', async (request, reply) => {
    const { params, query } = request
    const page = PromptPageName.safeParse(params.page)
    const draft = await findPreviewDraft(platform, request, params.token)
    if (!page.success || !draft) return reply.code(404).send()
    const key = typeof query.key === 'string' ? query.key : undefined
    const wanted = { page: page.data, screen: params.screen, key, language: previewLanguageOf(request), draft }
    const frame = buildScreen(platform, wanted)
    if (!frame) return reply.code(404).send()
    const { light, path, script } = frame
    return light
      ? renderLightPage(platform, request, reply, light, { preview: frame.draft, self: '#', script })
      : renderPortalHtml(platform, request, reply, { path, draft: frame.draft, script })
  })
}
