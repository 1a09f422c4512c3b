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
/** The forms that some language has for numbers: Arabic has all that there are. */
const FORMS = pluralForms('ar')

/** What ships, and its other forms for numbers: a language may need one that no shipped language has. */
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

/** Every text that one of the institution's languages needs, in the order of the keys. */
function keysOf({ wording }: Worded): readonly string[] {
  const languages = wording.languages()
  const known =
    keys.get(languages) ?? ALL_KEYS.filter((key) => KNOWN.has(key) || languages.some(({ code }) => isUsedIn(code, key)))
  keys.set(languages, known)
  return known
}

export const keysIn = (platform: Worded, language: Language): string[] =>
  keysOf(platform).filter((key) => isUsedIn(language, key))

/** The keys of the same text in its other numbers; of a text without numbers itself alone. */
function siblingsOf(key: string): string[] {
  const plural = pluralOf(key)
  if (!plural) return [key]
  return FORMS.map((form) => `${plural.base}_${form}`).filter((one) => KNOWN.has(one))
}

const textsOf = (keys: readonly string[]): string[] =>
  keys.flatMap((key) => SHIPPED_LANGUAGES.flatMap((language) => shippedMessages(language)[key] ?? []))

/** What ships for a key and its other forms, in all languages. */
export const shippedFormsOf = (key: string): ShippedForms => ({
  texts: textsOf([KNOWN.has(key) ? key : otherOf(key)]),
  forms: textsOf(siblingsOf(key)),
  values: messageValues(key),
})

/** Null: nothing ships in this language. */
export const shippedOf = (language: Language, key: string): string | null => shippedMessages(language)[key] ?? null

const otherOf = (key: string): string => `${pluralOf(key)?.base ?? key}_other`

/** What an own text stands in place of: what ships, in the language or in the one that it falls back to. */
export function sourceOf({ wording }: Worded, language: Language, key: string): string {
  const base = shippedMessages(wording.baseOf(language))
  return base[key] ?? base[otherOf(key)] ?? ''
}

/**
 * What a language says of a text, for whoever translates it. Of a form that it has no use for: what ships for it, as its placeholders may
 * be others, unless the institution says the form for every number itself.
 */
export function saidIn({ wording }: Worded, language: Language, key: string): string {
  const said = wording.messages(language)
  const isOwn = !isUsedIn(language, key) && wording.own(language).has(otherOf(key))
  return (isOwn ? undefined : said[key]) ?? said[otherOf(key)] ?? ''
}

/** The other forms for numbers that a language needs of a text; none where it ships, as it ships complete. */
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
    source: wording.baseOf(language) === language ? null : saidIn(platform, wording.baseOf(language), key),
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

/** A text as the list shows it. The key must be a known one. */
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

/** A part of the key or of a text in any language, without regard to capitals and widths. */
function isFound({ key, texts }: WordingText, search: string): boolean {
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

/** Is there something about a text that may be a mistake, or that would be refused today? */
export function hasProblem(platform: Platform, key: string, one: TextInLanguage): boolean {
  if (one.warnings.length > 0) return true
  return one.own !== null && findTextProblem(key, one.own, shippedFormsOf(key), platform.config.publicUrl) !== null
}

/** The keys of the texts that are asked for. All of them lie in memory: a search looks at each, and no statement is made. */
export function findTextKeys(platform: Platform, { id, group, state, sort, ...query }: TextFilters): string[] {
  const search = plain(query.search)
  const inGroup = keysOf(platform).filter((key) => !group || groupOf(key) === group)
  const found = inGroup.filter((key) => {
    if (search === '' && !state) return true
    const text = textOf(platform, key)
    if (search !== '' && !isFound(text, search)) return false
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

/** The texts whose keys are like this, in the order of the keys. */
export const listTextsLike = (platform: Worded, pattern: RegExp): WordingText[] =>
  keysOf(platform)
    .filter((key) => pattern.test(key))
    .map((key) => textOf(platform, key))

export function textGroups(platform: Worded): { code: string; total: number }[] {
  const totals = new Map<string, number>()
  for (const key of keysOf(platform)) totals.set(groupOf(key), (totals.get(groupOf(key)) ?? 0) + 1)
  return [...totals].map(([code, total]) => ({ code, total })).sort((a, b) => (a.code < b.code ? -1 : 1))
}
