import { v7 } from 'uuid'
import type { Db } from '../../platform/db.ts'
import { saveCategories } from '../application-manage/index.ts'
import { saveEntries } from '../reference-data/index.ts'
import { saveRoleNames } from '../roles/index.ts'
import type { NamedEntry } from './bootstrap-document.types.ts'
import { addToPlan, emptyPlan, mergeGiven, type RowPlan } from './bootstrap-plan.rules.ts'
import { listNames, type NameRow, type NameTable } from './names.store.ts'

/** Roles, user categories and application categories: a code with a name. */
export type NamePlan = RowPlan<NameRow> & { table: NameTable; idByCode: ReadonlyMap<string, string> }

export async function planNames(db: Db, table: NameTable, entries: readonly NamedEntry[]): Promise<NamePlan> {
  const before = new Map((await listNames(db, table)).map((row) => [row.code, row]))
  const plan = emptyPlan<NameRow>()
  const idByCode = new Map([...before].map(([code, { id }]) => [code, id]))
  for (const [at, { code, name, names, position }] of entries.entries()) {
    const existing = before.get(code)
    const row = mergeGiven<NameRow>(existing ?? { id: v7(), code, name, names: {}, position: at }, {
      name,
      names,
      position,
    })
    idByCode.set(code, row.id)
    addToPlan(plan, existing, row)
  }
  return { ...plan, table, idByCode }
}

export async function writeNames(db: Db, { table, inserted, updated }: NamePlan): Promise<void> {
  const rows = [...inserted, ...updated]
  if (rows.length === 0) return
  if (table === 'roles') await saveRoleNames(db, rows)
  else if (table === 'application_categories') await saveCategories(db, rows)
  else await saveEntries(db, table, rows)
}
