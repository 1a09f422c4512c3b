import type { Language, ShippedLanguage } from '#shared/contract/endpoint.ts'
import { SHIPPED_LANGUAGES } from '#shared/contract/endpoint.ts'
import { formatMessage } from '#shared/rules/format-message.ts'
import { type Database, type Db, stopListening } from './db.ts'
import type { Messages, Translator } from './translate.ts'
import {
  baseOf,
  createEditions,
  type Direction,
  editionIn,
  type InterfaceLanguage,
  loadEditions,
  NO_TEXTS,
  type OwnText,
} from './wording-editions.ts'

const CHANNEL = 'gatehouse_wording'

/**
 * All texts of the product, in every language: the institution's own, else the shipped one. Everything is in memory, so that no page costs
 * a statement for its texts.
 */
export type Wording = {
  translate: Translator
  /** All languages of the institution in its order, also those not offered; the same object until one changes. */
  languages(): readonly InterfaceLanguage[]
  /** The codes of the offered ones, the institution's first one first. */
  offered(): readonly Language[]
  /** The shipped language that a language is based on; itself for one that ships. */
  baseOf(language: Language): ShippedLanguage
  directionOf(language: Language): Direction
  /** The same object until a text of the language changes. */
  messages(language: Language): Messages
  own(language: Language): ReadonlyMap<string, OwnText>
  /** The texts of a language that differ from those shipped in its base. */
  differing(language: Language): Messages
  /** Identifies those differing texts: the same on every node. */
  version(language: Language): string
  /** Notifies all nodes as soon as the transaction of `db` is committed. */
  announce(db: Db, languages: readonly Language[]): Promise<void>
  /** Reads again after the commit, so that whoever changed a text finds it in this node's next answer. */
  refresh(languages: readonly Language[]): Promise<void>
  close(): Promise<void>
}

/** @param onFailure called if the custom texts can't be read; the known ones stay until the next notification or reconnect */
export async function createWording(sql: Database, onFailure: (error: unknown) => void): Promise<Wording> {
  const editions = createEditions()
  const load = (named: readonly Language[]) => loadEditions(sql, editions, named)

  const wanted = new Set<Language>()
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null
  /** One read at a time, and one more for all that ask meanwhile: a newer result is never overwritten by an older one. */
  const refresh = (languages: readonly Language[]): Promise<void> => {
    for (const language of languages) wanted.add(language)
    next ??= running
      .catch(() => {})
      .then(() => {
        const now = [...wanted]
        wanted.clear()
        next = null
        running = load(now)
        return running
      })
    return next
  }

  const allCodes = () => [...editions.byCode.keys()]
  const subscription = await sql.listen(
    CHANNEL,
    (names) => void refresh(names.split(' ').filter(Boolean)).catch(onFailure),
    // After a reconnect notifications may have been missed.
    () => void refresh(allCodes()).catch(onFailure),
  )
  await refresh(SHIPPED_LANGUAGES)

  return {
    translate: (language, key, params = {}) =>
      formatMessage(editionIn(editions, language).messages, language, key, params),
    languages: () => editions.languages,
    offered: () => editions.offered,
    baseOf: (language) => baseOf(editions, language),
    directionOf: (language) => editions.languages.find(({ code }) => code === language)?.direction ?? 'ltr',
    messages: (language) => editionIn(editions, language).messages,
    differing: (language) => editionIn(editions, language).differing,
    own: (language) => editions.byCode.get(language)?.own ?? NO_TEXTS,
    version: (language) => editionIn(editions, language).version,
    async announce(db, languages) {
      await db`select pg_notify(${CHANNEL}, ${languages.join(' ')})`
    },
    refresh,
    async close() {
      await stopListening(subscription)
    },
  }
}
