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
 * What the product says, in every language: the institution's own text, else the one that ships. All of it lies in memory, so that
 * no page costs a statement for its words.
 */
export type Wording = {
  translate: Translator
  /** All that the institution has, in its order, those that are not offered too; the same object until one changes. */
  languages(): readonly InterfaceLanguage[]
  /** The codes of those that are offered, the institution's first one first. */
  offered(): readonly Language[]
  /** The language whose shipped texts a language begins with; itself for one that ships. */
  baseOf(language: Language): ShippedLanguage
  directionOf(language: Language): Direction
  /** The same object until a text of the language changes. */
  messages(language: Language): Messages
  own(language: Language): ReadonlyMap<string, OwnText>
  /** What a language says otherwise than what ships in its base. */
  differing(language: Language): Messages
  /** Names what a language says otherwise than what ships: the same texts have the same on every node. */
  version(language: Language): string
  /** Tells all nodes, as soon as the transaction of `db` is committed. */
  announce(db: Db, languages: readonly Language[]): Promise<void>
  /** Reads again, after the commit: who wrote a text finds it in the next answer of this node. */
  refresh(languages: readonly Language[]): Promise<void>
  close(): Promise<void>
}

/** @param onFailure told when the own texts can't be read; those that are known stay until the next notice or reconnection. */
export async function createWording(sql: Database, onFailure: (error: unknown) => void): Promise<Wording> {
  const editions = createEditions()
  const load = (named: readonly Language[]) => loadEditions(sql, editions, named)

  const wanted = new Set<Language>()
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null
  /** One reading at a time, and one that waits for all that ask meanwhile: the latest is never overwritten by an older one. */
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
    // After a reconnection notices may have been missed.
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
