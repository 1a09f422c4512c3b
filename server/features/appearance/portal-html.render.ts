import { readFile } from 'node:fs/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { PALETTES } from '#shared/rules/design-tokens.ts'
import { languageTag } from '#shared/rules/format-message.ts'
import { randomToken } from '../../platform/crypto.ts'
import { languageOf } from '../../platform/http/client.ts'
import { pagePolicy } from '../../platform/http/headers.ts'
import type { Platform } from '../../platform/platform.ts'
import { themeOf } from './choices.ts'
import { escapeHtml } from './escape-html.ts'
import { schoolGateway } from './surroundings.service.ts'

const TEMPLATE = new URL('../../../dist/portal/index.html', import.meta.url)

let template: Promise<string> | null = null

/** The portal's built page. @throws Error when it was not built. */
function portalTemplate(): Promise<string> {
  template ??= readFile(TEMPLATE, 'utf8').catch((error: unknown) => {
    template = null
    throw error
  })
  return template
}

/**
 * Answers with the portal application, whatever its route: language, theme, title and favicon are right from the first
 * byte. The nonce opens the content policy for the styles that antd writes into the page.
 */
export async function renderPortalHtml(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const language = languageOf(request)
  const [page, school] = await Promise.all([portalTemplate(), schoolGateway(platform, language)])
  const theme = themeOf(request)
  const nonce = randomToken(24)
  // Replacements are functions: `$` in a name means nothing.
  const html = page
    .replace(/<html[^>]*>/, () => `<html lang="${languageTag(language)}"${theme ? ` data-theme="${theme}"` : ''}>`)
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(school.schoolName)}</title>`)
    .replace(/<link rel="icon"[^>]*>/, () => `<link rel="icon" href="${escapeHtml(school.pageLabelLogo)}">`)
    .replace('</head>', () => `<meta name="theme-color" content="${PALETTES[theme ?? 'light'].card}"></head>`)
    .replaceAll('%NONCE%', nonce)
  return reply
    .type('text/html; charset=utf-8')
    .header('content-language', languageTag(language))
    .header('content-security-policy', pagePolicy({ nonce }))
    .send(html)
}
