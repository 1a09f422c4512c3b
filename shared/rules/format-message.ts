import type { Language } from '../contract/endpoint.ts'

/** BCP 47 tag of an interface language, for `lang` attributes and Intl. */
export const languageTag = (language: Language): string => ({ zh_CN: 'zh-CN', zh_TW: 'zh-TW', en: 'en' })[language]

const rules = new Map<Language, Intl.PluralRules>()

/** Kept, because making one costs more than rendering half a page. */
function pluralRules(language: Language): Intl.PluralRules {
  const known = rules.get(language) ?? new Intl.PluralRules(languageTag(language))
  rules.set(language, known)
  return known
}

/**
 * The text of `key` with `{{name}}` or `{{ name }}` replaced from `params`. With a numeric `count`, `key_one` / `key_other` win where they
 * exist, by the plural rule of the language. The same format as i18next's, which the portal uses on these files.
 */
export function formatMessage(
  messages: Readonly<Record<string, string>>,
  language: Language,
  key: string,
  params: Record<string, string | number> = {},
): string {
  const form = typeof params['count'] === 'number' ? `${key}_${pluralRules(language).select(params['count'])}` : key
  const text = messages[form] ?? messages[key] ?? key
  return text.replace(/\{\{\s*([\w-]+)\s*\}\}/g, (_, name: string) => String(params[name] ?? ''))
}

/** The best interface language for an Accept-Language header; null when none fits. */
export function languageFromHeader(header: string): Language | null {
  for (const part of header.slice(0, 200).toLowerCase().split(',')) {
    const tag = (part.split(';')[0] ?? '').trim()
    if (/^zh(-hant|-tw|-hk|-mo)/.test(tag)) return 'zh_TW'
    if (/^zh(-|$)/.test(tag)) return 'zh_CN'
    if (/^en(-|$)/.test(tag)) return 'en'
  }
  return null
}
