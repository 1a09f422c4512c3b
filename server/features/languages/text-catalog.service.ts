import { type Language, SHIPPED_LANGUAGES } from '#shared/contract/endpoint.ts'
import type { listTexts, TextInLanguage, WordingText } from '#shared/contract/languages.ts'
import { messageValues } from '#shared/rules/message-templates.ts'
import { pluralForms, pluralOf } from '#shared/rules/plural-forms.ts'
import type { Input } from '../../platform/http/mount.ts'
import type { Platform } from '../../platform/platform.ts'
import { shippedMessages } from '../../platform/translate.ts'
import { findTextProblem, placeholdersOf, type ShippedForms } from './text-checks.rules.ts'
import { formKeysOf, groupOf, isUsedIn, surfaceOf } from './text-keys.rules.ts'
import { warningsOf } from './text-warnings.rules.ts'

const KNOWN = new Set(Object.keys(shippedMessages('en')))
/** All plural forms that exist: Arabic has every one. */
const FORMS = pluralForms('ar')

/** The shipped keys with all their plural forms: a language may need one that no shipped language has. */
const ALL_KEYS: readonly string[] = [
  ...new Set(
    [...KNOWN].flatMap((key) => {
      const plural = pluralOf(key)
      return plural && KNOWN.has(`${plural.base}_other`) ? FORMS.map((form) => `${plural.base}_${form}`) : [key]
    }),
  ),
].sort()
const ALL = new Set(ALL_KEYS)

export const isTextKey = (key: string): boolean => ALL.has(key)

type Worded = Pick<Platform, 'wording'>

const keys = new WeakMap<object, readonly string[]>()

/** Every key that one of the institution's languages needs, sorted. */
function keysOf({ wording }: Worded): readonly string[] {
  const languages = wording.languages()
  const known =
    keys.get(languages) ?? ALL_KEYS.filter((key) => KNOWN.has(key) || languages.some(({ code }) => isUsedIn(code, key)))
  keys.set(languages, known)
  return known
}

export const keysIn = (platform: Worded, language: Language): string[] =>
  keysOf(platform).filter((key) => isUsedIn(language, key))

/** The keys of a text's plural forms; of a text without them only its own. */
function siblingsOf(key: string): string[] {
  const plural = pluralOf(key)
  if (!plural) return [key]
  return FORMS.map((form) => `${plural.base}_${form}`).filter((one) => KNOWN.has(one))
}

const textsOf = (keys: readonly string[]): string[] =>
  keys.flatMap((key) => SHIPPED_LANGUAGES.flatMap((language) => shippedMessages(language)[key] ?? []))

/** The shipped texts of a key and its plural forms, in all languages. */
export const shippedFormsOf = (key: string): ShippedForms => ({
  texts: textsOf([KNOWN.has(key) ? key : otherOf(key)]),
  forms: textsOf(siblingsOf(key)),
  values: messageValues(key),
})

/** Null: none is shipped in this language. */
export const shippedOf = (language: Language, key: string): string | null => shippedMessages(language)[key] ?? null

const otherOf = (key: string): string => `${pluralOf(key)?.base ?? key}_other`

/** The text that an own text replaces: the shipped one, of the language or its fallback. */
export function sourceOf({ wording }: Worded, language: Language, key: string): string {
  const base = shippedMessages(wording.baseOf(language))
  return base[key] ?? base[otherOf(key)] ?? ''
}

/**
 * A text in a source language, for translators. For a plural form that the source doesn't use: the shipped text, whose placeholders may
 * differ, unless the institution has its own text for the general form.
 */
export function sourceText({ wording }: Worded, language: Language, key: string): string {
  const messages = wording.messages(language)
  const isOwn = !isUsedIn(language, key) && wording.own(language).has(otherOf(key))
  return (isOwn ? undefined : messages[key]) ?? messages[otherOf(key)] ?? ''
}

/** The other plural forms that a language needs of a text; none for shipped languages, which are complete. */
function formsIn({ wording }: Worded, language: Language, key: string): TextInLanguage['forms'] {
  if (wording.baseOf(language) === language) return []
  return formKeysOf(language, key)
    .filter((one) => one !== key)
    .map((one) => {
      const own = wording.own(language).get(one)
      const text = own?.text ?? wording.messages(language)[one] ?? sourceOf({ wording }, language, one)
      return { key: one, own: own?.text ?? null, text, version: own?.version ?? 0 }
    })
}

export function textIn(platform: Worded, language: Language, key: string): TextInLanguage {
  const { wording } = platform
  const own = wording.own(language).get(key)
  const shipped = shippedMessages(language)[key] ?? null
  const source = sourceOf(platform, language, key)
  const formerlyShipped = own && own.source !== source ? own.source : null
  const text = own?.text ?? shipped
  return {
    language,
    own: own?.text ?? null,
    shipped,
    text: text ?? wording.messages(language)[key] ?? source,
    source: wording.baseOf(language) === language ? null : sourceText(platform, wording.baseOf(language), key),
    formerlyShipped,
    version: own?.version ?? 0,
    warnings: warningsOf({
      language,
      text,
      isOwn: own !== undefined,
      source,
      formerSource: formerlyShipped,
      shipped: shippedFormsOf(key).texts,
    }),
    forms: formsIn(platform, language, key),
  }
}

/** A text as the list shows it, by a known key. */
export const textOf = (platform: Worded, key: string): WordingText => ({
  key,
  group: groupOf(key),
  surface: surfaceOf(key),
  placeholders: [...new Set([...shippedFormsOf(key).texts.flatMap(placeholdersOf), ...messageValues(key)])],
  texts: platform.wording
    .languages()
    .filter(({ code }) => isUsedIn(code, key))
    .map(({ code }) => textIn(platform, code, key)),
})

export type TextFilters = Omit<Input<typeof listTexts>['query'], 'pageIndex' | 'pageSize'>

/** Does the key or a text in any language contain the search text? Ignores case and width. */
function matchesSearch({ key, texts }: WordingText, search: string): boolean {
  const holds = (text: string | null) => text !== null && plain(text).includes(search)
  return key.toLowerCase().includes(search) || texts.some(({ text, shipped }) => holds(text) || holds(shipped))
}

const plain = (text: string): string => text.normalize('NFKC').toLowerCase()

function hasState(platform: Platform, key: string, one: TextInLanguage, state: TextFilters['state']): boolean {
  if (state === 'missing') return one.own === null && one.shipped === null
  if (state === 'own') return one.own !== null
  if (state === 'outdated') return one.formerlyShipped !== null
  return hasProblem(platform, key, one)
}

/** Does a text have warnings, or would it be refused today? */
export function hasProblem(platform: Platform, key: string, one: TextInLanguage): boolean {
  if (one.warnings.length > 0) return true
  return one.own !== null && findTextProblem(key, one.own, shippedFormsOf(key), platform.config.publicUrl) !== null
}

/** The keys that match the filters. All texts are in memory, so a search takes no SQL statement. */
export function findTextKeys(platform: Platform, { id, group, state, sort, ...query }: TextFilters): string[] {
  const search = plain(query.search)
  const inGroup = keysOf(platform).filter((key) => !group || groupOf(key) === group)
  const found = inGroup.filter((key) => {
    if (search === '' && !state) return true
    const text = textOf(platform, key)
    if (search !== '' && !matchesSearch(text, search)) return false
    if (!state) return true
    return text.texts.some((one) => (id === 'all' || one.language === id) && hasState(platform, key, one, state))
  })
  return sort === '-key' ? found.toReversed() : found
}

export function textsPage(
  platform: Platform,
  { pageIndex, pageSize, ...filters }: Input<typeof listTexts>['query'],
): { records: WordingText[]; total: number } {
  const found = findTextKeys(platform, filters)
  const from = (pageIndex - 1) * pageSize
  return { records: found.slice(from, from + pageSize).map((key) => textOf(platform, key)), total: found.length }
}

/** The texts whose keys match, in the order of the keys. */
export const listTextsLike = (platform: Worded, pattern: RegExp): WordingText[] =>
  keysOf(platform)
    .filter((key) => pattern.test(key))
    .map((key) => textOf(platform, key))

export function textGroups(platform: Worded): { code: string; total: number }[] {
  const totals = new Map<string, number>()
  for (const key of keysOf(platform)) totals.set(groupOf(key), (totals.get(groupOf(key)) ?? 0) + 1)
  return [...totals].map(([code, total]) => ({ code, total })).sort((a, b) => (a.code < b.code ? -1 : 1))
}
