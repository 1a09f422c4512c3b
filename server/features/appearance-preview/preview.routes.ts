import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { keepPreview, type PreviewDraft } from '#shared/contract/themes.ts'
import type { Api } from '../../platform/http/mount.ts'
import type { Platform } from '../../platform/platform.ts'
import { buildLoginPage, renderLightPage, renderPortalHtml } from '../appearance/index.ts'
import { findPreviewDraft, keepPreviewDraft } from './preview.service.ts'
import { samplePage } from './preview-samples.rules.ts'

/** Portal pages that a frame may show, with the viewer's session. */
const PORTAL_PAGES = ['my-apps', 'account-security', 'forgot-password', 'activation']

/**
 * The real pages with an unsaved draft, for a frame of the back office: `/auth_web/preview/<token>/login`, `/second-factor`, `/session-limit`,
 * `/consent`, `/confirm`, `/device`, `/<name of a notice>`, and of the portal `/my-apps`, `/account-security`, `/forgot-password`,
 * `/activation`. `lang=` and `theme=` choose as on any page and are not stored; with `still=1` a light page comes without its script, for
 * thumbnails.
 *
 * `POST /login_config/preview/` (super users only) stores the draft and returns the token, which is valid only in that browser session;
 * posting another draft with the same token and reloading the frame shows that one. A draft is a `PreviewDraft`
 * (`shared/contract/themes.ts`): a theme, texts by language and key. Such pages are inert: nothing takes the focus, no form is submitted,
 * and only our own pages may frame them.
 */
export function mountPreview(api: Api, app: FastifyInstance, platform: Platform): void {
  api.mount(keepPreview, (ctx, { body }, { request }) => keepPreviewDraft(ctx, request, body))
  app.get<{ Params: { token: string; page: string } }>('/auth_web/preview/:token/:page', async (request, reply) => {
    const draft = await findPreviewDraft(platform, request, request.params.token)
    return (draft && (await renderPreview(platform, request, reply, draft))) ?? reply.code(404).send()
  })
}

async function renderPreview(
  platform: Platform,
  request: FastifyRequest<{ Params: { page: string } }>,
  reply: FastifyReply,
  preview: PreviewDraft,
): Promise<FastifyReply | null> {
  const { page } = request.params
  if (PORTAL_PAGES.includes(page))
    return renderPortalHtml(platform, request, reply, { path: `/${page}`, draft: preview })
  const sample =
    page === 'login'
      ? await buildLoginPage(platform, request, { service: null }, null, preview.loginPage)
      : samplePage(page)
  return sample && renderLightPage(platform, request, reply, sample, { preview, self: '#' })
}
