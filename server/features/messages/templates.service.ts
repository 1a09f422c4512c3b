import type { Language } from '#shared/contract/endpoint.ts'
import { formatMessage } from '#shared/rules/format-message.ts'
import { type MessagePart, type TemplateName, templateKind } from '#shared/rules/message-templates.ts'
import type { Platform } from '../../platform/platform.ts'
import { readSettings } from '../../platform/settings.ts'
import { shippedMessages } from '../../platform/translate.ts'
import { MessageTemplates } from './template-overrides.types.ts'

export type Params = Record<string, string | number>

/** `text` has paragraphs, separated by empty lines; `sms` says the same in one line. */
export type Rendered = Record<MessagePart, string>

/**
 * The three forms of a message in one language: from the settings document, if the institution worded this template, else the text shared
 * by templates of its kind.
 */
export async function renderTemplate(
  platform: Platform,
  name: TemplateName,
  language: Language,
  params: Params,
): Promise<Rendered> {
  const own = (await readSettings(platform, 'message-templates', MessageTemplates))[name]?.[language] ?? {}
  const say = (part: MessagePart) => {
    const text = own[part]
    if (text === undefined) return platform.translate(language, templateTextKey(name, part), params)
    return formatMessage({ text }, language, 'text', params)
  }
  return { subject: say('subject'), text: say('text'), sms: say('sms') }
}

/** A short phrase for a template's event, such as "your password was changed". */
export const templateEvent = (
  { translate }: Pick<Platform, 'translate'>,
  name: TemplateName,
  language: Language,
  params: Params,
): string => translate(language, `message.event.${name}`, params)

/** The key of one of its texts: its own, if the shared one does not fit, else that of its kind. */
export const templateTextKey = (name: TemplateName, part: MessagePart): string =>
  `message.${Object.hasOwn(shippedMessages('en'), `message.${name}.${part}`) ? name : kindOf(name)}.${part}`

const kindOf = (name: TemplateName): string => (name.startsWith('link.') ? 'link' : templateKind(name))
