import type { Language } from '#shared/contract/endpoint.ts'
import type { Db, SqlFragment } from './db.ts'

/** SQL value: the name of a row in a language, from a table with `name` and `names`; `name` if it has none in that language. */
export const localized = (db: Db, alias: string, language: Language): SqlFragment =>
  db`coalesce(${db(alias)}.names->>${language}, ${db(alias)}.name)`
