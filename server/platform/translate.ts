import { readFileSync } from 'node:fs'
import { LANGUAGES, type Language } from '#shared/contract/endpoint.ts'
import { formatMessage } from '#shared/rules/format-message.ts'

export type Messages = Readonly<Record<string, string>>
export type Translator = (language: Language, key: string, params?: Record<string, string | number>) => string

const shipped = Object.fromEntries(
  LANGUAGES.map((language) => {
    const file = new URL(`../../shared/locales/${language}.json`, import.meta.url)
    return [language, JSON.parse(readFileSync(file, 'utf8')) as Messages]
  }),
) as Record<Language, Messages>

/** The wording that ships with the product; the institution's own wording overrides it key by key. */
export const shippedMessages = (language: Language): Messages => shipped[language]

/** Translates a key; an unknown key answers itself, which a test of the locale files keeps from happening. */
export const translate: Translator = (language, key, params = {}) =>
  formatMessage(shipped[language], language, key, params)
