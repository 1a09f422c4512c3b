import { setImmediate as giveWay } from 'node:timers/promises'
import type { Endpoint, Language, ShippedLanguage } from '#shared/contract/endpoint.ts'
import { FONTS, PALETTES, type Palette, type Scheme, SIZES } from '#shared/rules/design-tokens.ts'
import { languageTag } from '#shared/rules/format-message.ts'
import { declaredErrors } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { escapeHtml } from '../appearance/index.ts'
import { errorsOf, type Operation, type Paths } from './open-api.render.ts'

type DocsPage = { platform: Platform; language: Language }

/** An entry as the page shows it, and the text that a search looks in. */
type Entry = { text: string; html: string }
export type DocsEntries = { calls: readonly Entry[]; codes: readonly Entry[] }

/** What the page shows in a language, calls by path; yields to other work, because there are hundreds. */
export async function renderEntries(
  page: DocsPage,
  endpoints: readonly Endpoint[],
  paths: Paths,
): Promise<DocsEntries> {
  const t = translatorOf(page)
  const calls: Entry[] = []
  for (const endpoint of [...endpoints].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    calls.push({ text: textOf(endpoint), html: renderCall(paths, endpoint, t) })
    await giveWay()
  }
  const codes = [...declaredErrors()].sort().map(([code, status]) => ({
    text: code,
    html: `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${t(`errors.${code}`)}</td></tr>`,
  }))
  return { calls, codes }
}

/** Search results shown: every search is answered without a cache, so it must stay cheap. */
const MAX_FOUND = 40

/** The API as one page without script: calls fold open, a form filters them, light or dark by the system's setting. */
export function renderDocsPage(page: DocsPage, entries: DocsEntries, search: string): string {
  const t = translatorOf(page)
  const wanted = search.toLowerCase()
  const matching = (all: readonly Entry[]) => all.filter(({ text }) => text.includes(wanted)).map(({ html }) => html)
  const [found, codes] = [matching(entries.calls), matching(entries.codes)]
  const shown = wanted === '' ? Number.POSITIVE_INFINITY : MAX_FOUND
  const list = found.slice(0, shown).join('\n') || `<p>${t('api-docs.none')}</p>`
  const more = Math.max(found.length, codes.length) > shown ? `<p>${t('api-docs.first', { count: shown })}</p>` : ''
  return `<!doctype html>
<html lang="${languageTag(page.language)}" dir="${page.platform.wording.directionOf(page.language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${t('api-docs.title')}</title><link rel="icon" href="/auth_web/favicon.svg"><style>${styleOf(page.language)}</style></head><body>
<header><h1>${t('api-docs.title')}</h1><nav aria-label="${t('api-docs.language')}">${languagesOf(page, search)}</nav></header>
<main><p>${t('api-docs.introduction')}</p>
<dl><dt>token</dt><dd>${t('api-docs.token')}</dd><dt>timestamp</dt><dd>${t('api-docs.timestamp')}</dd>
<dt>uuids</dt><dd>${t('api-docs.uuids')}</dd><dt>sign</dt><dd>${t('api-docs.sign')}</dd></dl>
<p><a href="/auth_service/openapi.json">openapi.json</a></p>
<form role="search"><input type="hidden" name="lang" value="${page.language}"><label>${t('api-docs.search')}
<input type="search" name="search" maxlength="100" value="${escapeHtml(search)}"></label><button>${t('api-docs.find')}</button></form>
<h2>${t('api-docs.calls', { count: found.length })}</h2>${more}${list}
<h2>${t('api-docs.codes', { count: codes.length })}</h2>${renderCodes(codes.slice(0, shown), t)}</main></body></html>`
}

type Text = (key: string, params?: Record<string, string | number>) => string

const translatorOf =
  ({ platform, language }: DocsPage): Text =>
  (key, params) =>
    escapeHtml(platform.translate(language, key, params))

const textOf = (endpoint: Endpoint): string =>
  [endpoint.method, endpoint.path, endpoint.summary, ...errorsOf(endpoint)].join(' ').toLowerCase()

const languagesOf = ({ platform, language }: DocsPage, search: string): string =>
  platform.wording
    .languages()
    .filter(({ enabled }) => enabled)
    .map(({ code: other, name }) => {
      const query = escapeHtml(new URLSearchParams({ lang: other, search }).toString())
      const current = other === language ? ' aria-current="true"' : ''
      return `<a href="?${query}" lang="${languageTag(other)}"${current}>${escapeHtml(name)}</a>`
    })
    .join(' ')

function renderCall(paths: Paths, endpoint: Endpoint, t: Text): string {
  const { method, path, access, signed, summary } = endpoint
  const operation = paths[path]?.[method.toLowerCase()]
  const parts: [string, unknown][] = [
    ['api-docs.body', operation?.requestBody?.content],
    ['api-docs.answer', operation?.responses['200']?.['content']],
  ]
  const shown = parts.filter(([, value]) => value && Object.keys(value).length > 0)
  const blocks = shown.map(
    ([key, value]) => `<h3>${t(key)}</h3><pre tabindex="0">${escapeHtml(JSON.stringify(value, null, 2))}</pre>`,
  )
  const codes = errorsOf(endpoint).map((code) => `<li><a href="#${code}"><code>${code}</code></a></li>`)
  return `<details id="${method}-${escapeHtml(path)}"><summary><b class="${method}">${method}</b> <code>${escapeHtml(path)}</code> <span>${escapeHtml(summary)}</span></summary>
<p>${t(`api-docs.access.${access.split(':')[0]}`)} ${t(signed ? 'api-docs.signed' : 'api-docs.unsigned')}</p>${renderParameters(operation, t)}${blocks.join('')}
<h3>${t('api-docs.refusals')}</h3><ul>${codes.join('')}</ul></details>`
}

function renderParameters(operation: Operation | undefined, t: Text): string {
  const own = operation?.parameters?.filter((parameter) => 'name' in parameter) ?? []
  if (own.length === 0) return ''
  const rows = own.map(({ name, in: place, required, schema }) => {
    const need = t(required ? 'api-docs.required' : 'api-docs.optional')
    return `<dt>${escapeHtml(String(name))}</dt><dd>${place} · ${need} · <code>${escapeHtml(JSON.stringify(schema))}</code></dd>`
  })
  return `<h3>${t('api-docs.parameters')}</h3><dl>${rows.join('')}</dl>`
}

function renderCodes(rows: string[], t: Text): string {
  if (rows.length === 0) return `<p>${t('api-docs.none')}</p>`
  return `<table><thead><tr><th scope="col">${t('api-docs.code')}</th><th scope="col">${t('api-docs.status')}</th><th scope="col">${t('api-docs.message')}</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

const colours = (scheme: Scheme): string =>
  (Object.entries(PALETTES[scheme]) as [keyof Palette, string][]).map(([name, value]) => `--${name}:${value}`).join(';')

/** The one style element of the page. */
export const styleOf = (language: Language): string => `
:root{color-scheme:light dark;${colours('light')}}@media(prefers-color-scheme:dark){:root{${colours('dark')}}}
*{box-sizing:border-box}body{margin:0;background:var(--ground);color:var(--ink);font:${SIZES.textPortal}px/${SIZES.lineHeight} ${FONTS[language as ShippedLanguage] ?? FONTS.en}}
header,main{max-width:${SIZES.contentWidth}px;margin:auto;padding:16px 24px}header{display:flex;flex-wrap:wrap;gap:8px 24px;align-items:baseline;justify-content:space-between}
h1{font-size:26px;font-weight:650;margin:8px 0}h2{font-size:20px;font-weight:650;margin:32px 0 12px}h3{font-size:15px;margin:12px 0 4px}
a{color:var(--primary)}nav{display:flex;gap:12px}nav a[aria-current]{color:var(--ink);text-decoration:none;font-weight:600}
:focus-visible{outline:3px solid var(--focus);outline-offset:1px;border-radius:4px}
dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 16px}dt{font-weight:600;font-family:ui-monospace,monospace}dd{margin:0;color:var(--muted);overflow-wrap:anywhere}
form{display:flex;flex-wrap:wrap;gap:12px;align-items:end}label{display:grid;gap:4px;font-weight:600;flex:1 1 240px}
input,button{font:inherit;height:${SIZES.controlPortal}px;border-radius:${SIZES.radiusControl}px;padding:0 14px}input{border:1px solid var(--fieldBorder);background:var(--card);color:var(--ink)}
button{border:0;background:var(--primary);color:var(--onPrimary);font-weight:600;cursor:pointer}
details{background:var(--card);border:1px solid var(--hairline);border-radius:${SIZES.radiusCard}px;margin:0 0 8px;padding:0 16px}details[open]{padding-bottom:12px}
summary{cursor:pointer;padding:10px 0;overflow-wrap:anywhere}summary span{color:var(--muted);margin-left:8px}summary b{display:inline-block;min-width:44px;color:var(--well)}summary b.POST{color:var(--primary)}
pre{background:var(--ground);border-radius:8px;padding:12px;overflow:auto;max-height:480px;margin:0;font-size:13px;line-height:1.5}
ul{margin:0;padding:0;list-style:none;display:flex;flex-wrap:wrap;gap:4px 16px}table{width:100%;border-collapse:collapse;background:var(--card);border:1px solid var(--hairline)}
th,td{text-align:left;padding:8px 12px;border-bottom:1px solid var(--hairline);vertical-align:top;overflow-wrap:anywhere}th{color:var(--muted)}tr:target{background:var(--tint)}`
