import type { Language } from '#shared/contract/endpoint.ts'
import type { Db } from '../../platform/db.ts'

export const listEnabledLanguages = (db: Db) => db<{ code: Language; name: string }[]>`
  select code, name from languages where enabled order by position, code limit 20`
