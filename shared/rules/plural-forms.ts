import type { Language } from '../contract/endpoint.ts'
import { languageTag } from './format-message.ts'

const PLURAL = /_(zero|one|two|few|many|other)$/

/** The base key and the form of a text with plural forms; null for any other text. */
export function pluralOf(key: string): { base: string; form: Intl.LDMLPluralRule } | null {
  const form = PLURAL.exec(key)?.[1] as Intl.LDMLPluralRule | undefined
  return form ? { base: key.replace(PLURAL, ''), form } : null
}

/** The plural forms of a language, by the runtime's CLDR data. */
export function pluralForms(language: Language): readonly Intl.LDMLPluralRule[] {
  const known = formsOf.get(language) ?? new Intl.PluralRules(languageTag(language)).resolvedOptions().pluralCategories
  formsOf.set(language, known)
  return known
}

/** Cached, because every text of a list needs it. Bounded by the institution's languages. */
const formsOf = new Map<Language, readonly Intl.LDMLPluralRule[]>()
