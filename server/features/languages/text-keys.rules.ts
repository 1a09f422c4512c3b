import type { TEXT_SURFACES } from '#shared/contract/languages.ts'
import { pluralForms, pluralOf } from '#shared/rules/plural-forms.ts'

type Surface = (typeof TEXT_SURFACES)[number]

/** The group of a text: the first word of its key; for errors and messages the second too. */
export const groupOf = (key: string): string => /^(?:(?:errors|message)\.)?[^.]+/.exec(key)?.[0] ?? key

/** Groups of names that appear in a list or filter. */
const NAMES = /^(action|audit-field|change-field|change-kind|interface|language|person-field|permission|import-field)\./

export function surfaceOf(key: string): Surface {
  if (key.startsWith('errors.')) return 'error'
  if (/\.title(-[\w-]+)?$/.test(key)) return 'title'
  if (/(^|[.-])(help|hint|explain|why)([.-]|$)/.test(key)) return 'help'
  return NAMES.test(key) ? 'name' : 'text'
}

/** Does a language use this key? Chinese has a single plural form. */
export function isUsedIn(language: string, key: string): boolean {
  const plural = pluralOf(key)
  return plural === null || pluralForms(language).includes(plural.form)
}

/** The keys of all plural forms of a text in a language; none for a text without them. */
export function formKeysOf(language: string, key: string): string[] {
  const plural = pluralOf(key)
  return plural ? pluralForms(language).map((form) => `${plural.base}_${form}`) : []
}

/**
 * The first plural form that a language needs and lacks, if it has others; null: it has all or none.
 * @param isTranslated is a form translated in the language, own or shipped?
 */
export function findMissingForm(language: string, key: string, isTranslated: (key: string) => boolean): string | null {
  const forms = formKeysOf(language, key)
  const missing = forms.find((form) => !isTranslated(form))
  return missing !== undefined && forms.some(isTranslated) ? (pluralOf(missing)?.form ?? null) : null
}
