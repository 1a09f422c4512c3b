import { readFileSync } from 'node:fs'
import { type Language, SHIPPED_LANGUAGES, type ShippedLanguage } from '#shared/contract/endpoint.ts'
import { projectFile } from './project-files.ts'

export type Messages = Readonly<Record<string, string>>
/** Translates a key; an unknown key returns itself, which a test of the locale files prevents. */
export type Translator = (language: Language, key: string, params?: Record<string, string | number>) => string

const shipped = Object.fromEntries(
  SHIPPED_LANGUAGES.map((language) => {
    const read = (name: string) =>
      JSON.parse(readFileSync(projectFile(`shared/locales/${name}.json`), 'utf8')) as Messages
    // Mails and text messages have files of their own, because no browser needs them.
    return [language, { ...read(language), ...read(`messages/${language}`) }]
  }),
) as Record<ShippedLanguage, Messages>

const NONE: Messages = {}

/** The shipped wording; the institution's texts override it key by key. Nothing ships in an added language. */
export const shippedMessages = (language: Language): Messages => shipped[language as ShippedLanguage] ?? NONE
