import { getApiDocs, getOpenApi } from '#shared/contract/api-docs.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import { pagePolicy, styleHash } from '../../platform/http/headers.ts'
import { type Api, REPLY_SENT } from '../../platform/http/mount.ts'
import { type PreparedResponse, prepareResponse, sendPreparedResponse } from '../../platform/http/prepared-response.ts'
import type { Platform } from '../../platform/platform.ts'
import { type DocsEntries, renderDocsPage, renderEntries, styleOf } from './api-docs.render.ts'
import { type Paths, renderOpenApi } from './open-api.render.ts'

type Page = { entries: DocsEntries; whole: PreparedResponse; policy: string }

/** Documents whatever is mounted on `api`, before or after this. */
export function mountApiDocs(api: Api): void {
  // Built at the first request, when everything is mounted; nothing in it changes afterwards.
  const documentFor = memoize(async (platform: Platform) => {
    const document = await renderOpenApi(platform, api.endpoints)
    const answer = await prepareResponse(JSON.stringify(document), 'application/json; charset=utf-8')
    return { answer, paths: document['paths'] as Paths }
  })
  const pages = new Map<Language, (platform: Platform) => Promise<Page>>()
  const pageFor = (language: Language) => {
    const known = pages.get(language)
    if (known) return known
    const make = memoize(async (platform: Platform) => {
      const { paths } = await documentFor(platform)
      const entries = await renderEntries({ platform, language }, api.endpoints, paths)
      const whole = await prepareResponse(renderDocsPage({ platform, language }, entries, ''), HTML)
      return { entries, whole, policy: pagePolicy({ style: styleHash(styleOf(language)) }) }
    })
    pages.set(language, make)
    return make
  }
  api.mount(getOpenApi, async (ctx, _input, { request, reply }) => {
    const { answer } = await documentFor(ctx)
    sendPreparedResponse(request, reply, answer)
    return REPLY_SENT
  })
  api.mount(getApiDocs, async (ctx, { query: { search } }, { request, reply }) => {
    const { language } = ctx.client
    const { entries, whole, policy } = await pageFor(language)(ctx)
    reply.header('content-security-policy', policy)
    if (search === '') sendPreparedResponse(request, reply, whole)
    else reply.type(HTML).send(renderDocsPage({ platform: ctx, language }, entries, search))
    return REPLY_SENT
  })
}

const HTML = 'text/html; charset=utf-8'

/** Concurrent callers wait for the same result. */
function memoize<T>(make: (platform: Platform) => Promise<T>): (platform: Platform) => Promise<T> {
  let made: Promise<T> | undefined
  return (platform) => {
    made ??= make(platform)
    return made
  }
}
