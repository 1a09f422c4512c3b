import type { FastifyRequest } from 'fastify'
import { languageTag } from '#shared/rules/format-message.ts'
import type { Refusal } from '../errors.ts'
import type { Platform } from '../platform.ts'
import { languageOf } from './client.ts'
import { styleHash } from './headers.ts'

/** True for what a browser opens as a page; scripts of our pages accept JSON or anything. */
export const acceptsHtml = (request: FastifyRequest): boolean => {
  const accept = request.headers.accept ?? ''
  return accept.includes('text/html') && !accept.includes('application/json')
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeText = (text: string) => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? '')

const STYLE = `body{margin:0;font:16px/1.6 system-ui,sans-serif;color:#1b2433;background:#f6f5f1}
main{box-sizing:border-box;max-width:35rem;margin:12vh auto 2rem;padding:2rem;border:1px solid #e3e1da;border-radius:12px;background:#fff}
@media(max-width:37rem){main{margin:1rem}}
h1{margin:0 0 1rem;font-size:1.5rem;line-height:1.35}
a{color:#1f4b99}small{color:#5b6472;overflow-wrap:anywhere}
@media(prefers-color-scheme:dark){body{color:#e8eaf0;background:#12161f}main{border-color:#2c3444;background:#1b2130}a{color:#8fb2f5}small{color:#a3acbb}}`

/** Allows the one style of the plain page, and nothing else. */
export const PLAIN_PAGE_STYLE = styleHash(STYLE)

/** An error page for a person who opened an address: without database, settings and script, so that it works when nothing else does. */
export function renderPlainPage(platform: Platform, request: FastifyRequest, refusal: Refusal): string {
  const language = languageOf(request)
  const text = (key: string) =>
    escapeText(platform.translate(language, key, { ...refusal.params, requestId: request.id }))
  return `<!doctype html>
<html lang="${languageTag(language)}" dir="${platform.wording.directionOf(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><title>${text(`errors.${refusal.code}`)}</title>
<style>${STYLE}</style></head>
<body><main><h1>${text(`errors.${refusal.code}`)}</h1><p><a href="/auth_web/">${text('notice.to-portal')}</a></p>
<p><small>${text('page.request-id')}</small></p></main></body></html>
`
}
