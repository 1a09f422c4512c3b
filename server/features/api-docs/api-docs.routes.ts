import { getApiDocs, getOpenApi } from '#shared/contract/api-docs.ts'
import { randomToken } from '../../platform/crypto.ts'
import { pagePolicy } from '../../platform/http/headers.ts'
import { ANSWERED, type Api } from '../../platform/http/mount.ts'
import type { Platform } from '../../platform/platform.ts'
import { docsPageOf } from './api-docs.page.ts'
import { openApiOf } from './open-api.ts'

/** Documents whatever is mounted on `api`, before or after this. */
export function mountApiDocs(api: Api): void {
  let document: ReturnType<typeof openApiOf> | undefined
  // Made at the first question, when everything is mounted; nothing in it changes afterwards.
  const openApi = (platform: Platform) => {
    document ??= openApiOf(platform, api.endpoints)
    return document
  }
  api.mount(getOpenApi, async (ctx, _input, { reply }) => {
    reply.type('application/json; charset=utf-8').send(JSON.stringify(openApi(ctx)))
    return ANSWERED
  })
  api.mount(getApiDocs, async (ctx, { query }, { reply }) => {
    const nonce = randomToken(24)
    const { paths } = openApi(ctx) as Pick<Parameters<typeof docsPageOf>[0], 'paths'>
    const { language } = ctx.client
    const page = { platform: ctx, language, nonce, search: query.search, endpoints: api.endpoints, paths }
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', pagePolicy({ nonce }))
      .send(docsPageOf(page))
    return ANSWERED
  })
}
