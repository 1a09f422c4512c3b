import { LANGUAGES, type Language } from '#shared/contract/endpoint.ts'
import type { listTexts, TextInLanguage, WordingText } from '#shared/contract/languages.ts'
import type { Input } from '../../platform/http/mount.ts'
import type { Platform } from '../../platform/platform.ts'
import { shippedMessages } from '../../platform/translate.ts'
import { findTextProblem, placeholdersOf, type ShippedForms } from './text-checks.rules.ts'
import { groupOf, isUsedIn, pluralForms, pluralOf, surfaceOf } from './text-keys.rules.ts'
import { warningsOf } from './text-warnings.rules.ts'

/** Every text there is, in the order of the keys. */
const KEYS: readonly string[] = Object.keys(shippedMessages('en')).sort()
const KNOWN = new Set(KEYS)

export const isTextKey = (key: string): boolean => KNOWN.has(key)

/** The keys of the same text in its other numbers; of a text without numbers itself alone. */
function siblingsOf(key: string): string[] {
  const plural = pluralOf(key)
  if (!plural) return [key]
  return pluralForms('ar')
    .map((form) => `${plural.base}_${form}`)
    .filter(isTextKey)
}

const textsOf = (keys: readonly string[]): string[] =>
  keys.flatMap((key) => LANGUAGES.flatMap((language) => shippedMessages(language)[key] ?? []))

/** What ships for a key and its other forms, in all languages. */
export const shippedFormsOf = (key: string): ShippedForms => ({
  texts: textsOf([key]),
  forms: textsOf(siblingsOf(key)),
})

/** Null: nothing ships in this language. */
export const shippedOf = (language: Language, key: string): string | null => shippedMessages(language)[key] ?? null

/** What an own text stands in place of. */
export const sourceOf = (language: Language, key: string): string => shippedOf(language, key) ?? ''

function textIn({ wording }: Pick<Platform, 'wording'>, language: Language, key: string): TextInLanguage {
  const own = wording.own(language).get(key)
  const shipped = shippedMessages(language)[key] ?? null
  const source = sourceOf(language, key)
  const formerlyShipped = own && own.source !== source ? own.source : null
  const text = own?.text ?? shipped
  return {
    language,
    own: own?.text ?? null,
    shipped,
    text: text ?? source,
    formerlyShipped,
    version: own?.version ?? 0,
    warnings: warningsOf({
      language,
      text,
      isOwn: own !== undefined,
      source,
      formerSource: formerlyShipped,
      shipped: textsOf([key]),
    }),
  }
}

/** A text as the list shows it. The key must be a known one. */
export const textOf = (platform: Pick<Platform, 'wording'>, key: string): WordingText => ({
  key,
  group: groupOf(key),
  surface: surfaceOf(key),
  placeholders: [...new Set(textsOf([key]).flatMap(placeholdersOf))],
  texts: LANGUAGES.filter((language) => isUsedIn(language, key)).map((language) => textIn(platform, language, key)),
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
  if (one.warnings.length > 0) return true
  return one.own !== null && findTextProblem(key, one.own, shippedFormsOf(key), platform.config.publicUrl) !== null
}

/** The keys of the texts that are asked for. All of them lie in memory: a search looks at each, and no statement is made. */
export function findTextKeys(platform: Platform, { id, group, state, sort, ...query }: TextFilters): string[] {
  const search = plain(query.search)
  const inGroup = KEYS.filter((key) => !group || groupOf(key) === group)
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

export function textGroups(): { code: string; total: number }[] {
  const totals = new Map<string, number>()
  for (const key of KEYS) totals.set(groupOf(key), (totals.get(groupOf(key)) ?? 0) + 1)
  return [...totals].map(([code, total]) => ({ code, total })).sort((a, b) => (a.code < b.code ? -1 : 1))
}
