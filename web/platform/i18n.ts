import i18next, { type FormatterModule } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { LANGUAGES, type Language } from '#shared/contract/endpoint.ts'
import type en from '#shared/locales/en.json'
import { languageFromHeader, languageTag } from '#shared/rules/format-message.ts'
import { readCookie, STORAGE_KEYS, writeCookie } from './browser-storage.ts'
import { numberFormat } from './format-number.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    keySeparator: false
    nsSeparator: false
    resources: { translation: typeof en }
  }
}

export type MessageKey = keyof typeof en

const BUNDLED_MESSAGES: Record<Language, () => Promise<{ default: Record<string, string> }>> = {
  en: () => import('#shared/locales/en.json'),
  zh_CN: () => import('#shared/locales/zh_CN.json'),
  zh_TW: () => import('#shared/locales/zh_TW.json'),
}

const isLanguage = (value: unknown): value is Language => LANGUAGES.includes(value as Language)

/** The language to start in: chosen, else the browser's, else zh_CN; the same rule as the server's. */
export function startLanguage(): Language {
  const chosen = readCookie(STORAGE_KEYS.language)
  if (isLanguage(chosen)) return chosen
  return languageFromHeader(navigator.languages.join(',')) ?? 'zh_CN'
}

export const currentLanguage = (): Language => (isLanguage(i18next.language) ? i18next.language : 'zh_CN')

/** Whatever a sentence counts stands there as the language writes it, as in the lists: 2,000. */
const numberFormatter: FormatterModule = {
  type: 'formatter',
  init: () => {},
  add: () => {},
  addCached: () => {},
  format: (value: unknown, _format, language) =>
    typeof value === 'number' && isLanguage(language) ? numberFormat(language).format(value) : (value as string),
}

export async function startTranslation(): Promise<void> {
  const language = startLanguage()
  const { default: messages } = await BUNDLED_MESSAGES[language]()
  await i18next
    .use(numberFormatter)
    .use(initReactI18next)
    .init({
      lng: language,
      fallbackLng: false,
      keySeparator: false,
      nsSeparator: false,
      // React escapes; doing it twice would show &amp; to people.
      interpolation: { escapeValue: false, alwaysFormat: true },
      // The institution's wording arrives after the first paint.
      react: { bindI18nStore: 'added' },
      resources: { [language]: { translation: messages } },
    })
  markDocument(language)
}

/** Switches the language in place: what has been typed stays. */
export async function changeLanguage(language: Language): Promise<void> {
  const { default: messages } = await BUNDLED_MESSAGES[language]()
  // Not over what the institution changed.
  if (!i18next.hasResourceBundle(language, 'translation')) i18next.addResourceBundle(language, 'translation', messages)
  writeCookie(STORAGE_KEYS.language, language)
  await i18next.changeLanguage(language)
  markDocument(language)
}

/** Lays the institution's own wording over what was shipped. */
export function addMessages(language: Language, messages: Record<string, string>): void {
  i18next.addResourceBundle(language, 'translation', messages, true, true)
}

function markDocument(language: Language): void {
  document.documentElement.lang = languageTag(language)
}

/** The message of a word that comes from the server, which may be newer than this page; otherwise a neutral one. */
export const translateOr = (key: string, neutral: MessageKey): string =>
  i18next.t(i18next.exists(key) ? (key as MessageKey) : neutral)
