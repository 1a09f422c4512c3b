import type { Language } from '#shared/contract/endpoint.ts'
import { formatMessage } from '#shared/rules/format-message.ts'
import type { Platform } from '../../platform/platform.ts'
import { readSettings } from '../../platform/settings.ts'
import { MessageTemplates } from './template-overrides.types.ts'
import { SHIPPED_WORDING, type TemplateName, type Wording } from './wording.rules.ts'

export type Params = Record<string, string | number>

export type Rendered = {
  subject: string
  /** Paragraphs, an empty line between them. */
  text: string
  /** The same in one line. */
  sms: string
}

/** Three forms of a message in one language: the shipped wording, or the institution's own where there is one. */
export async function renderTemplate(
  platform: Platform,
  name: TemplateName,
  language: Language,
  params: Params,
): Promise<Rendered> {
  const own = (await readSettings(platform, 'message-templates', MessageTemplates))[name]?.[language] ?? {}
  const shipped = shippedWording(name, language)
  const fill = (text: string) => formatMessage({ text }, language, 'text', params)
  return {
    subject: fill(own.subject ?? shipped.subject),
    text: fill(own.text ?? shipped.text),
    sms: fill(own.sms ?? shipped.sms),
  }
}

/** What a template is about in a few words, such as "your password was changed". */
export const templateEvent = (name: TemplateName, language: Language, params: Params): string =>
  formatMessage({ text: SHIPPED_WORDING[language].events[name] }, language, 'text', params)

/** A test goes the way of a code: that is what must arrive. A link is no code: providers take it for a notice, or not at all. */
export const templateKind = (name: TemplateName): 'code' | 'notice' =>
  name.startsWith('notice.') || name.startsWith('link.') ? 'notice' : 'code'

function shippedWording(name: TemplateName, language: Language): Wording {
  const { code, link, notice, test, own } = SHIPPED_WORDING[language]
  if (name === 'test') return test
  if (own[name]) return own[name]
  if (name.startsWith('link.')) return link
  return templateKind(name) === 'code' ? code : notice
}
