import { type Language, SHIPPED_LANGUAGES } from '#shared/contract/endpoint.ts'
import { languageFromHeader } from '#shared/rules/format-message.ts'
import { demoApplications } from '../features/demo/index.ts'
import type { Platform } from '../platform/platform.ts'
import { type PageFrame, pageAnswer } from './demo-page.ts'
import type { Answer, Visit } from './demo-server.ts'
import { type Html, html } from './html.ts'

/** What the pages of every demo application need to know about it. */
export type DemoApplication = { platform: Platform; appId: string }

/** The same language cookie as the portal's: cookies ignore ports. */
const LANGUAGE_COOKIE = 'gatehouse_language'

export const cookieName = (appId: string) => `demo_${appId}`

export const redirect = (location: string, headers: Record<string, string> = {}): Answer => ({
  status: 302,
  headers: { location, ...headers },
})

export const cookie = ({ appId }: DemoApplication, value: string, seconds: number) =>
  `${cookieName(appId)}=${value}; Path=/${appId}/; HttpOnly; SameSite=Lax; Max-Age=${seconds}`

export function frameOf({ platform, appId }: DemoApplication, visit: Visit): PageFrame {
  const chosen = [visit.query.get('lang'), visit.cookies.get(LANGUAGE_COOKIE)]
  const language =
    SHIPPED_LANGUAGES.find((code) => chosen.includes(code)) ??
    languageFromHeader(visit.acceptLanguage, SHIPPED_LANGUAGES) ??
    'zh_CN'
  const texts = textsOf(appId, language)
  return {
    ...texts,
    language,
    t: (key, params) => platform.translate(language, key, params),
    icon: `/${appId}/icon.svg`,
    portal: `${platform.config.publicUrl}/auth_web/my-apps`,
  }
}

function textsOf(appId: string, language: Language): { name: string; description: string } {
  const application = demoApplications({ library: '', learning: '', vendors: {}, mailboxes: {} }).find(
    (one) => one.appId === appId,
  )
  if (!application) return { name: appId, description: '' }
  if (language === 'zh_CN') return { name: application.name, description: application.description }
  const known = language === 'zh_TW' ? 'zh_TW' : 'en'
  return { name: application.names[known], description: application.descriptions[known] }
}

/** Attributes with a label of their own; others are shown by their name. */
const LABELLED = new Set(['account', 'name', 'mailbox', 'organization', 'category', 'roles'])
export function row(t: PageFrame['t'], name: string, values: readonly string[]): Html {
  const label = LABELLED.has(name)
    ? html`${t(`demo.attribute.${name}`)} <code>${name}</code>`
    : html`<code>${name}</code>`
  return html`<dt>${label}</dt><dd>${values.join(', ')}</dd>`
}

export const message = (frame: PageFrame, status: number, name: 'goodbye' | 'failed', action: string): Answer =>
  pageAnswer(
    frame,
    status,
    html`<h1>${frame.t(`demo.${name}.title`)}</h1>
<p>${frame.t(`demo.${name}.text`)}</p>
<p><a class="button" href="${action}">${frame.t(`demo.${name}.again`)}</a></p>`,
  )
