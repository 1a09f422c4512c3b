import type { TFunction } from 'i18next'
import { type Language, SHIPPED_LANGUAGES } from '#shared/contract/endpoint.ts'
import { offeredLanguages } from '../platform/i18n.ts'

/** The languages of the institution's own names: the shipped ones, and further available ones. */
export const wordingLanguages = (): Language[] => [
  ...new Set<Language>([...SHIPPED_LANGUAGES, ...offeredLanguages().map(({ code }) => code)]),
]

/** A language's label: shipped ones by name, added ones by their own name. */
export function languageLabel(t: TFunction, language: Language): string {
  const shipped = SHIPPED_LANGUAGES.find((code) => code === language)
  if (shipped) return t(`preview.language.${shipped}`)
  return offeredLanguages().find(({ code }) => code === language)?.name ?? language
}
