import { isColumnOf, MANAGE_TABLES, queryTable, saveTable, type TableKey } from '#shared/contract/tables.ts'
import { errors } from '../../platform/errors.ts'
import type { Api } from '../../platform/http/mount.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { isAdministrator } from '../access/index.ts'
import { findChoices, saveChoices } from './table-choices.store.ts'

/** A person's choices for lists: only known tables, only for that person. */
export function mountTableChoices(api: Api): void {
  api.mount(queryTable, async (ctx, { query: { tableKey } }) => {
    const { userId } = requireTableAccess(ctx, tableKey)
    const [chosen] = await findChoices(ctx.db, userId, tableKey)
    // A column removed in a newer version is dropped; with none left all are shown.
    const columns = chosen?.columns.filter((name) => isColumnOf(tableKey, name)) ?? []
    return { tableKey, columns: columns.length > 0 ? columns : null, density: chosen?.density ?? 'comfortable' }
  })

  api.mount(saveTable, async (ctx, { body: { tableKey, columns, density } }) => {
    const { userId } = requireTableAccess(ctx, tableKey)
    await saveChoices(ctx.db, { userId, tableKey, columns, density, at: ctx.now() })
    return null
  })
}

function requireTableAccess(ctx: Context, tableKey: TableKey) {
  const caller = callerOf(ctx)
  if (MANAGE_TABLES.includes(tableKey) && !isAdministrator(caller)) throw errors['permission.denied']()
  return caller
}
