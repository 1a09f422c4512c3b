import type { Language } from '../contract/endpoint.ts'
import { languageTag } from './format-message.ts'

const PLURAL = /_(zero|one|two|few|many|other)$/

/** A text that differs by number: its key without the form, and the form; null for every other text. */
export function pluralOf(key: string): { base: string; form: Intl.LDMLPluralRule } | null {
  const form = PLURAL.exec(key)?.[1] as Intl.LDMLPluralRule | undefined
  return form ? { base: key.replace(PLURAL, ''), form } : null
}

/** The forms that a language has for numbers, by the CLDR as the runtime knows it. */
export function pluralForms(language: Language): readonly Intl.LDMLPluralRule[] {
  const known = formsOf.get(language) ?? new Intl.PluralRules(languageTag(language)).resolvedOptions().pluralCategories
  formsOf.set(language, known)
  return known
}

/** Kept: asked for every text of a list. Bounded by the languages that an institution has. */
const formsOf = new Map<Language, readonly Intl.LDMLPluralRule[]>()
