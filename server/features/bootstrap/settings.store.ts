import type { Db } from '../../platform/db.ts'

export const settingsDocuments = (db: Db, names: readonly string[]) => db<
  { name: string; value: Record<string, unknown> }[]
>`
  select name, value from settings where name = any(${names as string[]})`
