import { readFile } from 'node:fs/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { languageTag } from '#shared/rules/format-message.ts'
import { randomToken } from '../../platform/crypto.ts'
import { languageOf } from '../../platform/http/client.ts'
import { pagePolicy } from '../../platform/http/headers.ts'
import type { Platform } from '../../platform/platform.ts'
import { documentMarks, readingOf, themeColor, themeOf } from './display-choices.rules.ts'
import { escapeHtml } from './escape-html.rules.ts'
import { loadSchoolGateway } from './page-surroundings.service.ts'

const DIST = new URL('../../../dist/portal/', import.meta.url)
const READING = 'reading/ReadingBar.tsx'

type Template = { page: string; readingStyles: string }

let template: Promise<Template> | null = null

async function load(): Promise<Template> {
  const [page, manifest] = await Promise.all([
    readFile(new URL('index.html', DIST), 'utf8'),
    readFile(new URL('.vite/manifest.json', DIST), 'utf8'),
  ])
  const { css = [] } = (JSON.parse(manifest) as Record<string, { css?: string[] }>)[READING] ?? {}
  return { page, readingStyles: css.map((file) => `<link rel="stylesheet" href="/auth_web/${file}">`).join('') }
}

/** The portal's built page. @throws Error when it was not built. */
function portalTemplate(): Promise<Template> {
  template ??= load().catch((error: unknown) => {
    template = null
    throw error
  })
  return template
}

/**
 * Answers with the portal application, whatever its route: language, theme, title and favicon are right from the first
 * byte. The nonce opens the content policy for the styles that scripts write into the page.
 */
export async function renderPortalHtml(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const language = languageOf(request)
  const [{ page, readingStyles }, school] = await Promise.all([portalTemplate(), loadSchoolGateway(platform, language)])
  const theme = themeOf(request)
  const reading = readingOf(request)
  const nonce = randomToken(24)
  // Replacements are functions: `$` in a name means nothing.
  const html = page
    .replace(/<html[^>]*>/, () => `<html lang="${languageTag(language)}"${documentMarks(theme, reading)}>`)
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(school.schoolName)}</title>`)
    .replace(/<link rel="icon"[^>]*>/, () => `<link rel="icon" href="${escapeHtml(school.pageLabelLogo)}">`)
    .replace(
      '</head>',
      () => `<meta name="theme-color" content="${themeColor(theme, reading)}">${reading ? readingStyles : ''}</head>`,
    )
    .replaceAll('%NONCE%', nonce)
  return reply
    .type('text/html; charset=utf-8')
    .header('content-language', languageTag(language))
    .header('content-security-policy', pagePolicy({ nonce }))
    .send(html)
}
