import type { TEXT_SURFACES } from '#shared/contract/languages.ts'
import { pluralForms, pluralOf } from '#shared/rules/plural-forms.ts'

type Surface = (typeof TEXT_SURFACES)[number]

/** What a text belongs to: the first word of its key, of an error and a message the second too. */
export const groupOf = (key: string): string => /^(?:(?:errors|message)\.)?[^.]+/.exec(key)?.[0] ?? key

/** Groups whose texts name something that stands in a list or a filter. */
const NAMES = /^(action|audit-field|change-field|change-kind|interface|language|person-field|power|import-field)\./

export function surfaceOf(key: string): Surface {
  if (key.startsWith('errors.')) return 'error'
  if (/\.title(-[\w-]+)?$/.test(key)) return 'title'
  if (/(^|[.-])(help|hint|explain|why)([.-]|$)/.test(key)) return 'help'
  return NAMES.test(key) ? 'name' : 'text'
}

/** Does a language that is worded with these keys use this one? Chinese has one form for every number. */
export function isUsedIn(language: string, key: string): boolean {
  const plural = pluralOf(key)
  return plural === null || pluralForms(language).includes(plural.form)
}

/** The keys of all forms for numbers that a language has of a text; none of a text without numbers. */
export function formKeysOf(language: string, key: string): string[] {
  const plural = pluralOf(key)
  return plural ? pluralForms(language).map((form) => `${plural.base}_${form}`) : []
}

/**
 * The first form for numbers that a text would lack in a language that words other forms of it; null: it has all of them or none.
 * @param isSaid is a form worded in the language, own or shipped?
 */
export function findMissingForm(language: string, key: string, isSaid: (key: string) => boolean): string | null {
  const forms = formKeysOf(language, key)
  const missing = forms.find((form) => !isSaid(form))
  return missing !== undefined && forms.some(isSaid) ? (pluralOf(missing)?.form ?? null) : null
}
