import type { Db } from '../../platform/db.ts'
import type { ReferenceTable } from '../reference-data/index.ts'

export type NameTable = 'roles' | 'application_categories' | ReferenceTable

/** `position` is 0 for roles, which have none. */
export type NameRow = { id: string; code: string; name: string; names: Record<string, string>; position: number }

const MAX_NAMES = 10_000

export const listNames = (db: Db, table: NameTable) => db<NameRow[]>`
  select id, code, name, names, ${table === 'roles' ? db`0` : db`position`} as position
  from ${db(table)} order by code limit ${MAX_NAMES}`
