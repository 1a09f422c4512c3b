import type { Language } from '#shared/contract/endpoint.ts'
import type { Db } from '../../platform/db.ts'
import type { Platform } from '../../platform/platform.ts'

export const listEnabledLanguages = (db: Db) => db<{ code: Language; name: string }[]>`
  select code, name from languages where enabled order by position, code limit 20`

/** The same from memory, for what every page needs. */
export const findLanguages = ({ cache, sql }: Platform) =>
  cache.read('languages', 'enabled', async () => [...(await listEnabledLanguages(sql))])
