import type { Language } from '../contract/endpoint.ts'

/** BCP 47 tag of an interface language, for `lang` attributes and Intl. */
export const languageTag = (language: Language): string => language.replaceAll('_', '-')

const rules = new Map<Language, Intl.PluralRules>()

/** Cached, because creating one costs more than rendering half a page. */
function pluralRules(language: Language): Intl.PluralRules {
  const known = rules.get(language) ?? new Intl.PluralRules(languageTag(language))
  rules.set(language, known)
  return known
}

/**
 * The text of `key` with `{{name}}` or `{{ name }}` replaced from `params`. With a numeric `count`, `key_one` /
 * `key_other` win where they exist, by the plural rule of the language. The same format as i18next's, which the portal
 * uses on these files.
 */
export function formatMessage(
  messages: Readonly<Record<string, string>>,
  language: Language,
  key: string,
  params: Record<string, string | number> = {},
): string {
  const form = typeof params['count'] === 'number' ? `${key}_${pluralRules(language).select(params['count'])}` : key
  const text = messages[form] ?? messages[key] ?? messages[`${key}_other`] ?? key
  return text.replace(/\{\{\s*([\w-]+)\s*\}\}/g, (_, name: string) => String(params[name] ?? ''))
}

/** The best available language for an Accept-Language header; null if none matches. */
export function languageFromHeader<L extends Language>(header: string, offered: readonly L[]): L | null {
  for (const part of header.slice(0, 200).toLowerCase().split(',')) {
    const found = bestOf((part.split(';')[0] ?? '').trim(), offered)
    if (found) return found
  }
  return null
}

function bestOf<L extends Language>(tag: string, offered: readonly L[]): L | undefined {
  const exact = offered.find((language) => languageTag(language).toLowerCase() === tag)
  if (exact) return exact
  const chinese = /^zh(-hant|-tw|-hk|-mo)/.test(tag) ? 'zh_TW' : 'zh_CN'
  const base = tag.split('-', 1)[0]
  const alike = offered.filter((language) => language.split('_', 1)[0] === base)
  return alike.find((language) => language === chinese) ?? alike[0]
}
