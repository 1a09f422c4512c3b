import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LightData, LightPage, PageEnvironment } from '#shared/contract/light-page.ts'
import type { LoginBlock } from '#shared/contract/login-page.ts'
import type { PreviewDraft } from '#shared/contract/themes.ts'
import { languageTag } from '#shared/rules/format-message.ts'
import type { PreviewScript } from '#shared/rules/prompt-preview.ts'
import type { ReadingChoices } from '#shared/rules/reading-choices.ts'
import { languageOf, previewLanguageOf } from '../../platform/http/client.ts'
import { pagePolicy } from '../../platform/http/headers.ts'
import type { Platform } from '../../platform/platform.ts'
import { directionMark, documentMarks, readingOf, themeColor, themeOf } from './display-choices.rules.ts'
import { escapeHtml, jsonForScript } from './escape-html.rules.ts'
import { type LightBuild, loadLightBuild, previewScriptOf } from './light-build.service.ts'
import { findLook, isSafeMode, type Look, previewHeaders } from './look.service.ts'
import { loadSurroundings, withDraft, withRefusal } from './page-surroundings.service.ts'

export type LightAnswer = {
  status?: number
  /** Registered origins that a form of this page may lead to, also by redirect. */
  formTargets?: readonly string[]
  /** Target of a language link in a browser without script; default: this request's own address, if it is a GET. */
  self?: string
  /** An unsaved draft that it shows, inert, in a frame of the back office. */
  preview?: PreviewDraft
  /** With `preview`: brings the frame into a state, and knows its texts. */
  script?: PreviewScript
}

/**
 * Answers with a light page in the caller's language and theme. Every URL in `page` must be validated already; everything else in it is
 * escaped.
 */
export async function renderLightPage(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  page: LightPage,
  { status = 200, formTargets = [], self, preview, script }: LightAnswer = {},
): Promise<FastifyReply> {
  const language = preview ? previewLanguageOf(request) : languageOf(request)
  const [build, stored, look] = await Promise.all([
    loadLightBuild(),
    loadSurroundings(platform, page.kind, language),
    findLook(platform, request, preview),
  ])
  const around = withDraft(withRefusal(platform, stored, page), preview, isSafeMode(request))
  const data: LightData = {
    page,
    surroundings: around,
    theme: themeOf(request),
    self: self ?? ownAddressOf(request, page),
  }
  const frames = framesOf(platform, page, around.setup.blocks)
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-language', languageTag(language))
    .headers(
      preview
        ? previewHeaders(look.nonce)
        : { 'content-security-policy': pagePolicy({ formTargets: unique(formTargets), frames: unique(frames) }) },
    )
    .send(
      readyDocument(build, data, {
        reading: preview ? null : readingOf(request),
        look,
        script: script ? await previewScriptOf(script) : '',
      }),
    )
}

/** What a page may frame: logout pages of applications, or vendors' pages with a code to scan, which return in their frame. */
function framesOf({ config }: Platform, page: LightPage, blocks: readonly LoginBlock[]): string[] {
  if (page.kind === 'front-logout') return page.urls.map((url) => new URL(url).origin)
  if (page.kind !== 'login' || !(blocks.includes('qr') || blocks.includes('otherMethods'))) return []
  const origins = page.otherMethods.flatMap(({ frameOrigin }) => frameOrigin ?? [])
  return origins.length > 0 ? [`${config.publicUrl}/auth_service/third_party/`, ...origins] : []
}

const unique = (origins: readonly string[]) => [...new Set(origins)]

/** Repeating the request must be harmless: null for an answer to a form, and where a ticket would be issued twice. */
function ownAddressOf(request: FastifyRequest, page: LightPage): string | null {
  if (request.method !== 'GET' || page.kind === 'post' || page.kind === 'front-logout') return null
  const [path = '', query = ''] = request.url.split('?', 2)
  if (!/^\/(auth_web|fwk_cas_service|auth_service)\//.test(path)) return null
  const kept = query.split('&').filter((pair) => pair !== '' && !/^(lang|theme)=/.test(pair))
  return kept.length > 0 ? `${path}?${kept.join('&')}` : path
}

/** Login pages that are kept for each language, of some 40 kB each: for as many addresses people come from to log in. */
const MAX_READY = 32

/** What is made of the surroundings, which are the same object until a setting or a text changes. */
type Written = { json: string; ready: Map<string, Buffer> }
const written = new WeakMap<PageEnvironment, Written>()

function writtenOf(around: PageEnvironment): Written {
  const known = written.get(around) ?? { json: jsonForScript(around), ready: new Map() }
  written.set(around, known)
  return known
}

type Around = { reading: ReadingChoices | null; look: Look; script: string }

/** The document of a page. A login page without personal content is rendered once for everybody who gets the same. */
function readyDocument(build: LightBuild, data: LightData, around: Around): Buffer {
  const { surroundings, ...own } = data
  const { json, ready } = writtenOf(surroundings)
  const ownJson = jsonForScript(own)
  const make = () => {
    const inlined = `${ownJson.slice(0, -1)},"surroundings":${json}}`
    return Buffer.from(documentOf(build, data, inlined, around))
  }
  const { page } = own
  if (page.kind !== 'login' || page.username !== '' || page.captcha || around.look.isPreview) return make()
  const { reading, look } = around
  // Together with the surroundings all that a document is made of.
  const key = [ownJson, look.head, themeColor(data.theme, reading, look.design), JSON.stringify(reading)].join(' ')
  const known = ready.get(key) ?? make()
  // The one that was not asked for longest goes first.
  ready.delete(key)
  ready.set(key, known)
  if (ready.size > MAX_READY) ready.delete(ready.keys().next().value ?? key)
  return known
}

function documentOf(build: LightBuild, data: LightData, json: string, { reading, look, script }: Around): string {
  const { title, html } = build.render(data)
  const { school, language } = data.surroundings
  const link = (href: string) => `<link rel="stylesheet" href="${href}">`
  return `<!doctype html>
<html lang="${languageTag(language)}"${directionMark(data.surroundings.direction)}${documentMarks(data.theme, reading)}>
<head>
<meta charset="utf-8">${script}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="theme-color" content="${themeColor(data.theme, reading, look.design)}">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${escapeHtml(school.pageLabelLogo)}">
${build.styles.map(link).join('')}${look.head}${reading ? build.readingStyles.map(link).join('') : ''}
${look.isStill ? '' : `<script type="module" src="${build.script}"></script>`}
</head>
<body${look.isPreview ? ' inert' : ''}>
<div id="light">${look.isPreview ? html.replaceAll(' autofocus=""', '') : html}</div>
<script type="application/json" id="light-data">${json}</script>
</body>
</html>
`
}
