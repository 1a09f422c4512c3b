import i18next, { type FormatterModule } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { type Language, SHIPPED_LANGUAGES, type ShippedLanguage } from '#shared/contract/endpoint.ts'
import type { OfferedLanguage } from '#shared/contract/languages.ts'
import type en from '#shared/locales/en.json'
import { languageFromHeader, languageTag } from '#shared/rules/format-message.ts'
import { type OwnTextsFile, ownTextsAddress, SHIPPED_WORDING_VERSION } from '#shared/rules/own-texts.ts'
import { readCookie, STORAGE_KEYS, writeCookie } from './browser-storage.ts'
import { numberFormat } from './format-number.ts'
import { loadChunk } from './load-chunk.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    keySeparator: false
    nsSeparator: false
    resources: { translation: typeof en }
  }
}

export type MessageKey = keyof typeof en

/** People's own pages; the back office; pages that connect other systems; messages whose page is unknown. */
type Area = 'own' | 'office' | 'integrations' | 'rest'
type LoadMessages = () => Promise<{ messages: Record<string, string> }>

/** The shipped texts: one file per language and area, cached by browsers for good. */
const SHIPPED_MESSAGES: Record<Area, Record<ShippedLanguage, LoadMessages>> = {
  own: {
    en: () => import('#shared/locales/en.json?own'),
    zh_CN: () => import('#shared/locales/zh_CN.json?own'),
    zh_TW: () => import('#shared/locales/zh_TW.json?own'),
  },
  office: {
    en: () => import('#shared/locales/en.json?office'),
    zh_CN: () => import('#shared/locales/zh_CN.json?office'),
    zh_TW: () => import('#shared/locales/zh_TW.json?office'),
  },
  integrations: {
    en: () => import('#shared/locales/en.json?integrations'),
    zh_CN: () => import('#shared/locales/zh_CN.json?integrations'),
    zh_TW: () => import('#shared/locales/zh_TW.json?integrations'),
  },
  rest: {
    en: () => import('#shared/locales/en.json?rest'),
    zh_CN: () => import('#shared/locales/zh_CN.json?rest'),
    zh_TW: () => import('#shared/locales/zh_TW.json?rest'),
  },
}

/** The areas this page uses, in any language. */
const areas = new Set<Area>([location.pathname.startsWith('/auth_web/manage') ? 'office' : 'own'])

async function loadShipped(language: Language): Promise<Record<string, string>> {
  const base = baseOf(language)
  const files = await Promise.all([...areas].map((area) => SHIPPED_MESSAGES[area][base]()))
  return Object.assign({}, ...files.map(({ messages }) => messages))
}

/** The available languages, which the server wrote into the page. */
let offered: readonly OfferedLanguage[] = SHIPPED_LANGUAGES.map((code) => ({
  code,
  name: code,
  direction: 'ltr',
  fallback: null,
}))
export function setOfferedLanguages(languages: readonly OfferedLanguage[]): void {
  if (languages.length > 0) offered = languages
}
export const offeredLanguages = (): readonly OfferedLanguage[] => offered
const directionOf = (language: Language) => offered.find(({ code }) => code === language)?.direction ?? 'ltr'
const codes = (): Language[] => offered.map(({ code }) => code)

const isLanguage = (value: unknown): value is Language => codes().includes(value as Language)
/** The language whose shipped texts a language begins with. */
export const baseOf = (language: Language): ShippedLanguage =>
  offered.find(({ code }) => code === language)?.fallback ??
  SHIPPED_LANGUAGES.find((code) => code === language) ??
  SHIPPED_LANGUAGES[0]

/** The language in a preview's address, whatever its editor chose. Null: not a preview. */
export const previewLanguage = (): string | null =>
  document.documentElement.dataset['preview'] === undefined ? null : new URLSearchParams(location.search).get('lang')

/** The initial language: chosen, else the browser's, else the institution's first; the server has the same rule. */
export function startLanguage(): Language {
  const chosen = previewLanguage() ?? readCookie(STORAGE_KEYS.language)
  if (isLanguage(chosen)) return chosen
  return languageFromHeader(navigator.languages.join(','), codes()) ?? codes()[0] ?? 'zh_CN'
}

export const currentLanguage = (): Language =>
  isLanguage(i18next.language) ? i18next.language : (codes()[0] ?? 'zh_CN')

/** The shipped language behind the current one. */
export const shippedLanguage = (): ShippedLanguage => baseOf(currentLanguage())

const FIRST_STRONG = '\u2068'
const END = '\u2069'

/**
 * Whatever a sentence counts stands there as the language writes it, as in the lists: 2,000. In a sentence from right to left a value keeps
 * its own direction: 138****1234 would be read from its other end.
 */
const numberFormatter: FormatterModule = {
  type: 'formatter',
  init: () => {},
  add: () => {},
  addCached: () => {},
  format: (value: unknown, _format, language) => {
    if (typeof value === 'number' && isLanguage(language)) return numberFormat(language).format(value)
    const isIsolated = typeof value === 'string' && value !== '' && directionOf(language as Language) === 'rtl'
    return isIsolated ? `${FIRST_STRONG}${value}${END}` : (value as string)
  },
}

export async function startTranslation(): Promise<void> {
  const language = startLanguage()
  const version = document.documentElement.dataset['wording']
  const [shipped, own] = await Promise.all([loadShipped(language), version && fetchOwnTexts(language, version)])
  if (own) ownTexts.set(language, own)
  const messages = { ...shipped, ...(own || NO_OWN_TEXTS).messages }
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
      // Show changed texts on open pages.
      react: { bindI18nStore: 'added' },
      resources: { [language]: { translation: messages } },
      saveMissing: true,
      // A key of another area, or from a newer server: load it late rather than never.
      missingKeyHandler: () => void Promise.allSettled((['office', 'integrations', 'rest'] as const).map(loadMessages)),
    })
  markDocument(language)
}

/** Loads an area's texts before the pages that use them are shown. */
export async function loadMessages(area: Area): Promise<void> {
  if (areas.has(area)) return
  areas.add(area)
  try {
    await loadChunk(() => showWording(currentLanguage()))
  } catch (error) {
    areas.delete(area)
    throw error
  }
}

let choices = 0

/**
 * Switches the language in place and keeps the input.
 * @returns whether it did: not if another one was chosen while its texts were loading.
 */
export async function changeLanguage(language: Language): Promise<boolean> {
  choices += 1
  const choice = choices
  await loadChunk(() => showWording(language))
  if (choice !== choices) return false
  writeCookie(STORAGE_KEYS.language, language)
  await i18next.changeLanguage(language)
  markDocument(language)
  return true
}

/** The shipped texts of all areas in use, overlaid by the institution's own. */
async function showWording(language: Language): Promise<void> {
  const shipped = await loadShipped(language)
  // Remove texts that were reset.
  i18next.removeResourceBundle(language, 'translation')
  i18next.addResourceBundle(language, 'translation', { ...shipped, ...ownTexts.get(language)?.messages })
}

/** The institution's own texts, overlaid on the shipped ones; a language without an entry shows the shipped ones. */
const ownTexts = new Map<Language, OwnTextsFile>()
const NO_OWN_TEXTS: OwnTextsFile = { version: SHIPPED_WORDING_VERSION, messages: {} }
/** The version being fetched, so that several answers at once cause one request. */
let fetching = ''

/** Null when unavailable; the server's next answer triggers another attempt. */
async function fetchOwnTexts(language: Language, version: string): Promise<OwnTextsFile | null> {
  try {
    const answer = await fetch(ownTextsAddress(language, version))
    return answer.ok ? ((await answer.json()) as OwnTextsFile) : null
  } catch {
    return null
  }
}

/**
 * Reads the version of the texts in an answer: if the institution has changed a text since this page was opened,
 * reloads and shows its texts.
 */
export function noteWording(header: string | null): void {
  const [language, version = ''] = header?.split(' ') ?? []
  if (!isLanguage(language) || language !== i18next.language || header === fetching) return
  if (version === (ownTexts.get(language) ?? NO_OWN_TEXTS).version) return
  fetching = header ?? ''
  void layOwnTexts(language, version).finally(() => {
    fetching = ''
  })
}

async function layOwnTexts(language: Language, version: string): Promise<void> {
  const file = version === SHIPPED_WORDING_VERSION ? NO_OWN_TEXTS : await fetchOwnTexts(language, version)
  if (!file) return
  ownTexts.set(language, file)
  await showWording(language)
}

function markDocument(language: Language): void {
  document.documentElement.lang = languageTag(language)
  document.documentElement.dir = directionOf(language)
}

/** The message of a key that the server sent and that may be newer than this page; otherwise a neutral one. */
export const translateOr = (key: string, neutral: MessageKey): string =>
  i18next.t(i18next.exists(key) ? (key as MessageKey) : neutral)
