import type { Language, ShippedLanguage } from '#shared/contract/endpoint.ts'
import type { Db } from '../../platform/db.ts'
import { type InterfaceLanguage, MAX_LANGUAGES } from '../../platform/wording-editions.ts'

/** Locks the languages until the end of the transaction. */
export const lockLanguages = (db: Db) => db`select pg_advisory_xact_lock(hashtextextended('languages', 0))`

/** As stored, in the institution's order; pages read them from memory (`platform/wording`). */
export const listStoredLanguages = async (db: Db): Promise<InterfaceLanguage[]> => [
  ...(await db<InterfaceLanguage[]>`
    select code, name, direction, fallback, enabled, position, version from languages
    order by position, code limit ${MAX_LANGUAGES}`),
]

type StoredFields = {
  name: string
  direction: 'ltr' | 'rtl'
  fallback: ShippedLanguage | null
  enabled: boolean
}

export const insertLanguage = (db: Db, code: Language, fields: StoredFields, at: Date) => db`
  insert into languages ${db({ ...fields, code, position: MAX_LANGUAGES + 1, updated_at: at })}`

export const updateLanguage = (db: Db, code: Language, fields: StoredFields, at: Date) => db`
  update languages set ${db(fields)}, version = nextval('language_versions'), updated_at = ${at} where code = ${code}`

/** Numbers the languages in this order, from 1. */
export const orderLanguages = (db: Db, codes: readonly Language[]) => db`
  update languages l set position = given.position
  from unnest(${codes as Language[]}::text[]) with ordinality as given(code, position)
  where l.code = given.code and l.position is distinct from given.position`

export const removeLanguage = (db: Db, code: Language) => db`delete from languages where code = ${code}`
