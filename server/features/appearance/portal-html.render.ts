import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PortalSurroundings } from '#shared/contract/appearance.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import type { HomePageSettings } from '#shared/contract/home-page.ts'
import type { PreviewDraft } from '#shared/contract/themes.ts'
import { languageTag } from '#shared/rules/format-message.ts'
import { SHIPPED_WORDING_VERSION } from '#shared/rules/own-texts.ts'
import type { PreviewScript } from '#shared/rules/prompt-preview.ts'
import { randomToken } from '../../platform/crypto.ts'
import { languageOf, previewLanguageOf } from '../../platform/http/client.ts'
import { pagePolicy } from '../../platform/http/headers.ts'
import { sendCompressed } from '../../platform/http/prepared-response.ts'
import type { Platform } from '../../platform/platform.ts'
import { offeredLanguages } from '../languages/index.ts'
import { directionMark, documentMarks, readingOf, themeColor, themeOf } from './display-choices.rules.ts'
import { escapeHtml, jsonForScript } from './escape-html.rules.ts'
import { loadPortalGateway } from './home-page.service.ts'
import { previewScriptOf } from './light-build.service.ts'
import { findLook, isSafeMode, previewHeaders } from './look.service.ts'
import { loadBrowserSettings } from './page-surroundings.service.ts'
import { loadPortalBuild } from './portal-build.service.ts'

/** Public data only. Nothing here belongs to a person: this page is requested with the cookie alone, without the session's token. */
async function loadPortalSurroundings(
  platform: Platform,
  language: Language,
  draft: HomePageSettings | 'safe' | undefined,
): Promise<PortalSurroundings> {
  const [gateway, settings] = await Promise.all([
    loadPortalGateway(platform, language, draft),
    loadBrowserSettings(platform),
  ])
  return { gateway, settings, languages: offeredLanguages(platform, language) }
}

/** The brand as the first page will show it at its top: for the back office only its name, whose logo comes with the scripts. */
const brandOf = (platform: Platform, { gateway }: PortalSurroundings, language: Language, path: string): string =>
  path.startsWith('/manage')
    ? `<span class="mark"></span><span>${escapeHtml(platform.translate(language, 'shell.manage'))}</span>`
    : `<img class="mark" src="${escapeHtml(gateway.logo ?? gateway.pageLabelLogo)}" alt=""><span>${escapeHtml(gateway.schoolName)}</span>`

/** Shown before any script runs; if the network loses the scripts, it offers to try again. */
const shellOf = (platform: Platform, around: PortalSurroundings, language: Language, path: string): string => `
    <div id="shell" class="shell">
      <div class="bar"><span class="brand">${brandOf(platform, around, language, path)}</span></div>
      <div class="page waiting"><span class="skeleton shell-still waiting-line"></span><span class="skeleton shell-still waiting-line"></span><span class="skeleton shell-still waiting-line"></span>
        <p class="shell-late">${escapeHtml(platform.translate(language, 'network.unreachable'))} <a href="">${escapeHtml(platform.translate(language, 'action.reload'))}</a></p>
      </div>
    </div>`

/** Preloads the institution's own texts together with the shipped ones, so that the first page shows them. */
function wordingMark({ wording }: Platform, language: Language, preview?: PortalPreview): string {
  if (preview?.script) return ' data-wording="preview"'
  const version = wording.version(language)
  return version === SHIPPED_WORDING_VERSION ? '' : ` data-wording="${version}"`
}

/** A page of the portal with an unsaved draft, which its router shows whatever the frame's address. */
type PortalPreview = { path: string; draft: PreviewDraft; script?: PreviewScript }

/** The back office may frame previews of our own pages, and nothing else is framed. */
const portalPolicy = ({ config }: Platform, nonce: string) =>
  pagePolicy({ nonce, frames: [`${new URL(config.publicUrl).origin}/auth_web/preview/`] })

/**
 * Answers with the portal application, whatever its route: language, theme, title and favicon are right from the first byte, and the
 * browser learns at once what the page will request. The nonce makes the content security policy allow the styles that scripts write into
 * the page.
 */
export async function renderPortalHtml(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  preview?: PortalPreview,
): Promise<FastifyReply> {
  const language = preview ? previewLanguageOf(request) : languageOf(request)
  const [build, around, look] = await Promise.all([
    loadPortalBuild(),
    loadPortalSurroundings(platform, language, isSafeMode(request) ? 'safe' : preview?.draft.homePage),
    findLook(platform, request, preview?.draft),
  ])
  const { schoolName, pageLabelLogo } = around.gateway
  const theme = themeOf(request)
  const reading = preview ? null : readingOf(request)
  const nonce = look.nonce || randomToken(24)
  const path = preview?.path ?? (request.url.split('?', 1)[0] ?? '').replace(/^\/auth_web|\/$/g, '')
  const { styles, scripts } = build.linksOf(path, platform.wording.baseOf(language))
  const head = [
    // Users with their own reading colours must not see other colours first.
    reading ? styles + build.readingStyles : `<style nonce="${nonce}">${build.firstPaint}</style>`,
    look.head,
    scripts,
    `<meta name="theme-color" content="${themeColor(theme, reading, look.design)}">`,
    `<script type="application/json" id="surroundings">${jsonForScript(around)}</script>`,
  ].join('')
  const script = preview?.script ? await previewScriptOf(preview.script) : ''
  // Replacements are functions: `$` in a name has no meaning.
  const html = build.page
    .replace(
      /<html[^>]*>/,
      () =>
        `<html lang="${languageTag(language)}"${directionMark(platform.wording.directionOf(language))}${documentMarks(theme, reading)}${wordingMark(platform, language, preview)}${preview ? ` data-preview="${preview.path}"` : ''}>`,
    )
    // Style sheets after the shell block what follows them, and the scripts, but not the shell.
    .replace('%SHELL%', () => shellOf(platform, around, language, path) + (reading ? '' : styles))
    .replace('%NONCE%', nonce)
    .replace('<body>', preview ? '<body inert>' : '<body>')
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(schoolName)}</title>`)
    .replace(/<link rel="icon"[^>]*>/, () => `<link rel="icon" href="${escapeHtml(pageLabelLogo)}">`)
    .replace('<head>', () => `<head>${script}`)
    .replace('</head>', () => `${head}</head>`)
  reply
    .header('content-language', languageTag(language))
    .headers(preview ? previewHeaders(nonce) : { 'content-security-policy': portalPolicy(platform, nonce) })
  return await sendCompressed(request, reply, 'text/html; charset=utf-8', html)
}
