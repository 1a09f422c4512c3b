import type { Language } from '#shared/contract/endpoint.ts'
import { PALETTES, type Palette } from '#shared/rules/design-tokens.ts'
import { languageTag } from '#shared/rules/format-message.ts'
import { randomToken } from '../platform/crypto.ts'
import type { Answer } from './demo-server.ts'
import { type Html, html } from './html.ts'

/** Shared by all pages of a demo application. */
export type PageFrame = {
  language: Language
  t(key: string, params?: Record<string, string>): string
  name: string
  description: string
  icon: string
  /** The portal, for the link back. */
  portal: string
  /** Parameters to keep when the language changes. */
  query?: URLSearchParams
}

const variables = (palette: Palette) =>
  Object.entries(palette)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';')

const STYLE = `
:root{color-scheme:light dark;${variables(PALETTES.light)}}
@media (prefers-color-scheme:dark){:root{${variables(PALETTES.dark)}}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:400 16px/1.6 system-ui,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
header{background:var(--card);border-bottom:1px solid var(--hairline)}
.bar{display:flex;flex-wrap:wrap;align-items:center;gap:12px 16px;max-width:880px;margin:auto;padding:16px 24px}
.bar img{width:44px;height:44px}
.bar div{flex:1;min-width:180px}
.bar strong{display:block;font-size:20px;font-weight:650;line-height:1.3}
.bar span{color:var(--muted);font-size:14px}
main{max-width:880px;margin:auto;padding:40px 24px 32px}
h1{margin:0 0 4px;font-size:28px;font-weight:650;line-height:1.3;overflow-wrap:anywhere}
h2{margin:0 0 12px;font-size:18px;font-weight:650}
p{margin:0 0 16px}
.muted{color:var(--muted)}
.card{margin-top:24px;padding:24px;background:var(--card);border:1px solid var(--hairline);border-radius:12px}
dl{display:grid;grid-template-columns:minmax(120px,max-content) 1fr;margin:0}
dt,dd{padding:10px 0;border-top:1px solid var(--hairline)}
dl>:nth-child(-n+2){border-top:0}
dt{padding-right:24px;color:var(--muted)}
dd{margin:0;overflow-wrap:anywhere}
code{color:var(--muted);font-size:13px}
a{color:var(--primary)}
.button{display:inline-block;min-height:44px;padding:9px 20px;border:1px solid var(--primary);border-radius:8px;background:var(--primary);color:var(--onPrimary);font:inherit;font-weight:600;text-decoration:none;cursor:pointer}
.button:hover{background:var(--primaryHover);border-color:var(--primaryHover)}
.note{margin-top:24px;padding:16px 20px;background:var(--tint);border-radius:12px}
.note p{margin:0}
footer{display:flex;flex-wrap:wrap;gap:4px 16px;max-width:880px;margin:auto;padding:0 24px 48px;color:var(--muted);font-size:14px}
:focus-visible{outline:3px solid var(--focus);outline-offset:1px}
@media (max-width:520px){dl{grid-template-columns:1fr}dt{padding-bottom:0}dd{padding-top:0;border-top:0}dl>:nth-child(2){border:0}}
`

const LANGUAGES = [
  ['zh_CN', '简体中文'],
  ['zh_TW', '繁體中文'],
  ['en', 'English'],
] as const

/** An HTML answer in the common look of the demo applications; only our own style sheet and icon are allowed. */
export function pageAnswer(
  frame: PageFrame,
  status: number,
  content: Html,
  extra: Record<string, string> = {},
): Answer {
  const { language, t, name, description, icon, portal, query } = frame
  const addressIn = (lang: string) => `?${new URLSearchParams({ ...Object.fromEntries(query ?? []), lang })}`
  const nonce = randomToken(22)
  const languages = LANGUAGES.filter(([code]) => code !== language).map(
    ([code, label]) => html` <a href="${addressIn(code)}" lang="${languageTag(code)}">${label}</a>`,
  )
  const page = html`<!doctype html>
<html lang="${languageTag(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
<link rel="icon" href="${icon}">
<style nonce="${nonce}">${{ html: STYLE }}</style>
</head>
<body>
<header><div class="bar"><img src="${icon}" alt=""><div><strong>${name}</strong><span>${description}</span></div><a href="${portal}">${t('demo.back')}</a></div></header>
<main>
${content}
</main>
<footer>${t('demo.what')}${languages}</footer>
</body>
</html>
`
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': [
        "default-src 'none'",
        `style-src 'nonce-${nonce}'`,
        "img-src 'self'",
        // The logout form is answered with a redirect to the portal, to which browsers apply this list too.
        `form-action 'self' ${new URL(portal).origin}`,
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ].join('; '),
      ...extra,
    },
    body: page.html,
  }
}
