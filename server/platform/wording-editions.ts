import { createHash } from 'node:crypto'
import { type Language, SHIPPED_LANGUAGES, type ShippedLanguage } from '#shared/contract/endpoint.ts'
import { SHIPPED_WORDING_VERSION } from '#shared/rules/own-texts.ts'
import { pluralForms, pluralOf } from '#shared/rules/plural-forms.ts'
import type { Database, Db } from './db.ts'
import { type Messages, shippedMessages } from './translate.ts'

/** A text by which the institution replaces a shipped one. */
export type OwnText = {
  text: string
  /** The shipped text at that time. */
  source: string
  version: number
  updatedAt: Date
}

export type Direction = 'ltr' | 'rtl'

/** A language of the institution; the fallback is a shipped language, or null for a language that ships itself. */
export type InterfaceLanguage = {
  code: Language
  name: string
  direction: Direction
  fallback: ShippedLanguage | null
  enabled: boolean
  position: number
  version: number
}

export type Edition = { base: ShippedLanguage; own: OwnTexts; messages: Messages; differing: Messages; version: string }
type OwnTexts = ReadonlyMap<string, OwnText>

type OwnRow = OwnText & { language: Language; key: string }

const listOwnTexts = (db: Db, languages: readonly Language[]) => db<OwnRow[]>`
  select language, key, text, source, version, updated_at from text_overrides
  where language = any(${languages as Language[]}::text[]) order by key`

/** Far more than an institution has. */
export const MAX_LANGUAGES = 40

const listLanguages = (db: Db) => db<InterfaceLanguage[]>`
  select code, name, direction, fallback, enabled, position, version from languages
  order by position, code limit ${MAX_LANGUAGES}`

export const NO_TEXTS: OwnTexts = new Map()

const isShipped = (language: Language): language is ShippedLanguage =>
  (SHIPPED_LANGUAGES as readonly string[]).includes(language)

/** Custom texts of existing keys: an older or newer version may know others. */
const textsOf = (own: OwnTexts, base: Messages): [string, string][] =>
  [...own].flatMap(([key, { text }]) => {
    const plural = pluralOf(key)
    return Object.hasOwn(base, key) || (plural && Object.hasOwn(base, `${plural.base}_other`)) ? [[key, text]] : []
  })

/**
 * A language may have more plural forms than the one it falls back to, and custom texts for some of them only: missing forms use the text
 * of the form for every number.
 */
function pluralsOf(language: Language, messages: Messages, own: OwnTexts): [string, string][] {
  const forms = pluralForms(language)
  return Object.keys(messages).flatMap((key) => {
    const plural = pluralOf(key)
    if (plural?.form !== 'other') return []
    const missing = forms.map((form) => `${plural.base}_${form}`).filter((one) => !own.has(one))
    return missing.flatMap((one): [string, string][] =>
      own.has(key) || messages[one] === undefined ? [[one, messages[key] ?? '']] : [],
    )
  })
}

/** @param fallback used where the language has no text */
function editionOf(language: ShippedLanguage, own: OwnTexts): Edition
function editionOf(language: Language, own: OwnTexts, fallback: Edition): Edition
function editionOf(language: Language, own: OwnTexts, fallback?: Edition): Edition {
  const base = fallback?.base ?? (language as ShippedLanguage)
  const begun = fallback ? fallback.messages : shippedMessages(language)
  const texts = { ...fallback?.differing, ...Object.fromEntries(textsOf(own, begun)) }
  // The usual case, without a copy of all messages.
  if (!fallback && Object.keys(texts).length === 0)
    return { base, own, messages: begun, differing: texts, version: SHIPPED_WORDING_VERSION }
  const said = { ...begun, ...texts }
  const plurals = fallback ? Object.fromEntries(pluralsOf(language, said, own)) : {}
  const differing = { ...texts, ...plurals }
  if (Object.keys(differing).length === 0)
    return { base, own, messages: begun, differing, version: SHIPPED_WORDING_VERSION }
  const version = createHash('sha256')
    .update(JSON.stringify(Object.entries(differing).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('hex')
    .slice(0, 16)
  return { base, own, messages: { ...said, ...plurals }, differing, version }
}

/** What is in memory: the languages as stored, and the texts of each. */
export type Editions = {
  languages: readonly InterfaceLanguage[]
  offered: readonly Language[]
  byCode: Map<Language, Edition>
}

export const createEditions = (): Editions => ({
  languages: [],
  offered: SHIPPED_LANGUAGES,
  byCode: new Map(SHIPPED_LANGUAGES.map((language) => [language, editionOf(language, NO_TEXTS)])),
})

/** The shipped language that a language is based on. */
export const baseOf = ({ languages }: Editions, language: Language): ShippedLanguage =>
  isShipped(language) ? language : (languages.find(({ code }) => code === language)?.fallback ?? 'zh_CN')

/** The edition of a language; for a deleted one that of its fallback. */
export const editionIn = (editions: Editions, language: Language): Edition =>
  editions.byCode.get(language) ?? (editions.byCode.get(baseOf(editions, language)) as Edition)

async function readOwnTexts(sql: Database, codes: readonly Language[]): Promise<ReadonlyMap<Language, OwnTexts>> {
  const byCode = Map.groupBy(await listOwnTexts(sql, codes), ({ language }) => language)
  return new Map(
    codes.map((code) => [code, new Map(byCode.get(code)?.map(({ language: _, key, ...text }) => [key, text]))]),
  )
}

/** Reads the languages, and the texts of the named and of the unknown ones. */
export async function loadEditions(sql: Database, editions: Editions, named: readonly Language[]): Promise<void> {
  const { byCode } = editions
  const now = [...(await listLanguages(sql))]
  const unknown = now.flatMap(({ code }) => (byCode.has(code) ? [] : [code]))
  const read = await readOwnTexts(sql, [...new Set([...named, ...unknown])])
  const ownIn = (code: Language) => read.get(code) ?? byCode.get(code)?.own ?? NO_TEXTS
  for (const code of SHIPPED_LANGUAGES) keep(byCode, code, editionOf(code, ownIn(code)))
  for (const { code, fallback } of now) {
    if (fallback) keep(byCode, code, editionOf(code, ownIn(code), byCode.get(fallback) as Edition))
  }
  const known = new Set<Language>([...SHIPPED_LANGUAGES, ...now.map(({ code }) => code)])
  for (const code of byCode.keys()) if (!known.has(code)) byCode.delete(code)
  if (JSON.stringify(now) === JSON.stringify(editions.languages)) return
  editions.languages = now
  editions.offered = now.filter(({ enabled }) => enabled).map(({ code }) => code)
}

/** Keeps the same object while the texts are unchanged, so that caches keyed by it stay valid. */
function keep(byCode: Editions['byCode'], code: Language, next: Edition): void {
  const before = byCode.get(code)
  const isSame = before?.version === next.version && before.base === next.base
  byCode.set(code, isSame ? { ...before, own: next.own } : next)
}
