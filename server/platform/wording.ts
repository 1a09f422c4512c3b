import { createHash } from 'node:crypto'
import { LANGUAGES, type Language } from '#shared/contract/endpoint.ts'
import { formatMessage } from '#shared/rules/format-message.ts'
import { SHIPPED_WORDING_VERSION } from '#shared/rules/own-texts.ts'
import { type Database, type Db, stopListening } from './db.ts'
import { type Messages, shippedMessages, type Translator } from './translate.ts'

const CHANNEL = 'gatehouse_wording'

/** A text that the institution wrote in place of the shipped one. */
export type OwnText = {
  text: string
  /** The shipped text that it was written in place of. */
  source: string
  version: number
  updatedAt: Date
}

/**
 * What the product says, in every language: the institution's own text, else the one that ships. All of it lies in memory, so that
 * no page costs a statement for its words.
 */
export type Wording = {
  translate: Translator
  /** The same object until a text of the language changes. */
  messages(language: Language): Messages
  own(language: Language): ReadonlyMap<string, OwnText>
  /** Names the own texts of a language as they are: the same texts have the same on every node. */
  version(language: Language): string
  /** Tells all nodes, as soon as the transaction of `db` is committed. */
  announce(db: Db, languages: readonly Language[]): Promise<void>
  /** Reads again, after the commit: who wrote a text finds it in the next answer of this node. */
  refresh(languages: readonly Language[]): Promise<void>
  close(): Promise<void>
}

type Edition = { own: ReadonlyMap<string, OwnText>; messages: Messages; version: string }

type OwnRow = OwnText & { language: Language; key: string }

const listOwnTexts = (db: Db, languages: readonly Language[]) => db<OwnRow[]>`
  select language, key, text, source, version, updated_at as "updatedAt" from text_overrides
  where language = any(${languages as Language[]}::text[]) order by key`

const NONE: ReadonlyMap<string, OwnText> = new Map()

function editionOf(language: Language, own: ReadonlyMap<string, OwnText>): Edition {
  const shipped = shippedMessages(language)
  if (own.size === 0) return { own, messages: shipped, version: SHIPPED_WORDING_VERSION }
  const texts = [...own].flatMap(([key, { text }]) => (Object.hasOwn(shipped, key) ? [[key, text] as const] : []))
  const version = createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 16)
  return { own, messages: { ...shipped, ...Object.fromEntries(texts) }, version }
}

/** @param onFailure told when the own texts can't be read; those that are known stay until the next notice or reconnection. */
export async function createWording(sql: Database, onFailure: (error: unknown) => void): Promise<Wording> {
  const editions = new Map<Language, Edition>(LANGUAGES.map((language) => [language, editionOf(language, NONE)]))
  const editionIn = (language: Language) => editions.get(language) ?? editionOf(language, NONE)

  const load = async (languages: readonly Language[]) => {
    const rows = await listOwnTexts(sql, languages)
    for (const language of languages) {
      const own = rows.flatMap(({ language: code, key, ...text }) => (code === language ? [[key, text] as const] : []))
      editions.set(language, editionOf(language, new Map(own)))
    }
  }

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

  const isKnown = (name: string): name is Language => (LANGUAGES as readonly string[]).includes(name)
  const subscription = await sql.listen(
    CHANNEL,
    (names) => void refresh(names.split(' ').filter(isKnown)).catch(onFailure),
    // After a reconnection notices may have been missed.
    () => void refresh(LANGUAGES).catch(onFailure),
  )
  await refresh(LANGUAGES)

  return {
    translate: (language, key, params = {}) => formatMessage(editionIn(language).messages, language, key, params),
    messages: (language) => editionIn(language).messages,
    own: (language) => editionIn(language).own,
    version: (language) => editionIn(language).version,
    async announce(db, languages) {
      await db`select pg_notify(${CHANNEL}, ${languages.join(' ')})`
    },
    refresh,
    async close() {
      await stopListening(subscription)
    },
  }
}
