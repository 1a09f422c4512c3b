import type { Language } from '#shared/contract/endpoint.ts'
import { formatMessage } from '#shared/rules/format-message.ts'
import type { Platform } from '../../platform/platform.ts'
import { readSettings } from '../../platform/settings.ts'
import { MessageTemplates } from './template-overrides.types.ts'
import type { TemplateName } from './wording.rules.ts'

export type Params = Record<string, string | number>

export type Rendered = {
  subject: string
  /** Paragraphs, an empty line between them. */
  text: string
  /** The same in one line. */
  sms: string
}

/**
 * Three forms of a message in one language: of the settings document, where the institution worded this template, else the text that
 * templates of its kind share.
 */
export async function renderTemplate(
  platform: Platform,
  name: TemplateName,
  language: Language,
  params: Params,
): Promise<Rendered> {
  const own = (await readSettings(platform, 'message-templates', MessageTemplates))[name]?.[language] ?? {}
  const base = wordedAs(platform, name, language)
  const say = (part: keyof Rendered) => {
    const text = own[part]
    if (text === undefined) return platform.translate(language, `message.${base}.${part}`, params)
    return formatMessage({ text }, language, 'text', params)
  }
  return { subject: say('subject'), text: say('text'), sms: say('sms') }
}

/** What a template is about in a few words, such as "your password was changed". */
export const templateEvent = (
  { translate }: Pick<Platform, 'translate'>,
  name: TemplateName,
  language: Language,
  params: Params,
): string => translate(language, `message.event.${name}`, params)

/** A test goes the way of a code: that is what must arrive. A link is no code: providers take it for a notice, or not at all. */
export const templateKind = (name: TemplateName): 'code' | 'notice' =>
  name.startsWith('notice.') || name.startsWith('link.') ? 'notice' : 'code'

/** Its own texts, where the one for all does not fit, else those of its kind. */
function wordedAs({ wording }: Pick<Platform, 'wording'>, name: TemplateName, language: Language): string {
  if (wording.messages(language)[`message.${name}.text`] !== undefined) return name
  if (name.startsWith('link.')) return 'link'
  return templateKind(name) === 'code' ? 'code' : 'notice'
}
