import type { Language } from '#shared/contract/endpoint.ts'
import type { Db } from '../../platform/db.ts'

/** Locks the texts of a language until the end of the transaction. */
export const lockTexts = (db: Db, language: Language) =>
  db`select pg_advisory_xact_lock(hashtextextended(${`texts ${language}`}, 0))`

export type StoredText = { key: string; text: string; version: number }

/** Unchanged texts have no row. */
export async function findOwnTexts(
  db: Db,
  language: Language,
  keys: readonly string[],
): Promise<ReadonlyMap<string, StoredText>> {
  const rows = await db<StoredText[]>`
    select key, text, version from text_overrides where language = ${language} and key = any(${keys as string[]}::text[])`
  return new Map(rows.map((row) => [row.key, row]))
}

export type NewText = { key: string; text: string; source: string }

export async function writeOwnTexts(db: Db, language: Language, texts: readonly NewText[], at: Date): Promise<void> {
  if (texts.length === 0) return
  await db`
    insert into text_overrides (language, key, text, source, updated_at)
    select ${language}, key, text, source, ${at}
    from jsonb_to_recordset(${JSON.stringify(texts)}::text::jsonb) as given(key text, text text, source text)
    on conflict (language, key) do update
      set text = excluded.text, source = excluded.source, version = excluded.version, updated_at = excluded.updated_at`
}

export async function deleteOwnTexts(db: Db, language: Language, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await db`delete from text_overrides where language = ${language} and key = any(${keys as string[]}::text[])`
}
