import type { TFunction } from 'i18next'
import { type Language, SHIPPED_LANGUAGES } from '#shared/contract/endpoint.ts'
import { offeredLanguages } from '../platform/i18n.ts'

/** The languages in which the institution words what is its own: those that ship, and those that it offers besides. */
export const wordingLanguages = (): Language[] => [
  ...new Set<Language>([...SHIPPED_LANGUAGES, ...offeredLanguages().map(({ code }) => code)]),
]

/** What a language is called in a label: one that ships by the word for it, one that was added by what it calls itself. */
export function languageLabel(t: TFunction, language: Language): string {
  const shipped = SHIPPED_LANGUAGES.find((code) => code === language)
  if (shipped) return t(`preview.language.${shipped}`)
  return offeredLanguages().find(({ code }) => code === language)?.name ?? language
}
