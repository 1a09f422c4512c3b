import { useTranslation } from 'react-i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import { languageTag } from '#shared/rules/format-message.ts'

// Creating a format costs far more than using it, and lists format a number in every row.
const formats = new Map<Language, Intl.NumberFormat>()

export function numberFormat(language: Language): Intl.NumberFormat {
  const known = formats.get(language) ?? new Intl.NumberFormat(languageTag(language))
  formats.set(language, known)
  return known
}

/** Formats counts in the person's language: "1,234", or "10,000+" for a lower bound. */
export function useCount(): (count: number, isLowerBound?: boolean) => string {
  const { i18n } = useTranslation()
  const format = numberFormat(i18n.language as Language)
  return (count, isLowerBound = false) => `${format.format(count)}${isLowerBound ? '+' : ''}`
}
