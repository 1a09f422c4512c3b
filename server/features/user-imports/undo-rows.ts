import { type Context, callerOf } from '../../platform/platform.ts'
import { deleteUsersIn, type PersonFields, type PersonInput, saveUsers } from '../users/index.ts'
import { putRolesBack, type RoleChange } from './import-roles.ts'
import { type RunRow, saveUndone, type UndoableRow, undoableRows } from './user-imports.store.ts'

type Undone = { row: number; undo: string }
type Changed = UndoableRow & { account: string; before: object; after: object }

/** One step of undoing: what cannot be taken back is told, row by row. @returns how many rows were looked at. */
export async function undoRows(ctx: Context, run: RunRow, most: number): Promise<number> {
  const rows = await undoableRows(ctx.db, run.id, most)
  if (rows.length === 0) return 0
  const gone = rows.filter(({ account }) => account === null).map(({ row }) => ({ row, undo: 'import-undo.gone' }))
  const present = rows.filter(({ account }) => account !== null)
  const created = present.filter(({ outcome }) => outcome === 'new')
  const changed = present.filter((row): row is Changed => row.outcome === 'changed' && row.after !== null)
  await saveUndone(ctx.db, run.id, [
    ...gone,
    ...(await removeCreated(ctx, created, run.fileName)),
    ...(await putBack(ctx, changed, run.fileName)),
  ])
  return rows.length
}

async function removeCreated(ctx: Context, rows: readonly UndoableRow[], reason: string): Promise<Undone[]> {
  const touched = rows
    .filter(({ isUntouched }) => !isUntouched)
    .map(({ row }) => ({ row, undo: 'import-undo.touched' }))
  const untouched = rows.filter(({ isUntouched }) => isUntouched)
  if (untouched.length === 0) return touched
  const ids = untouched.map(({ userId }) => userId)
  const answers = await deleteUsersIn(ctx, ids, { power: 'import', reason })
  const refused = new Map(answers.map(({ id, code }) => [id, code]))
  const removed = untouched.map(({ row, userId }) => {
    const code = refused.get(userId)
    return { row, undo: code ? `errors.${code}` : 'undone' }
  })
  return [...touched, ...removed]
}

type Fields = Record<string, unknown>

/** Roles go their own way. */
const APART = ['roleIds']

/** As they were typed: the number of an identity document is kept sealed. One whose key is gone stays as it is. */
function typed({ secrets }: Context, fields: Fields): Fields {
  const { idNumber, ...others } = fields
  if (typeof idNumber !== 'string') return fields
  try {
    return { ...others, idNumber: secrets.open(idNumber) }
  } catch {
    return others
  }
}

/** Puts those fields back that still are what the import made of them. */
async function putBack(ctx: Context, rows: readonly Changed[], reason: string): Promise<Undone[]> {
  const withRoles = rows.flatMap(({ userId, before, after }) => {
    const roles = { before: (before as Fields)['roleIds'], after: (after as Fields)['roleIds'] }
    return roles.before ? [{ userId, roles: roles as RoleChange }] : []
  })
  // Whoever imported them may have been a super user then.
  const roles = callerOf(ctx).isSuperUser ? await putRolesBack(ctx, withRoles) : new Set<string>()
  const saved = await putFieldsBack(ctx, rows, reason)
  return rows.map((row) => {
    const fields = saved.get(row.row) ?? 0
    const done = (fields === 'refused' ? 0 : fields) + (roles.has(row.userId) ? 1 : 0)
    if (done === Object.keys(row.before).length) return { row: row.row, undo: 'undone' }
    if (done > 0) return { row: row.row, undo: 'partly' }
    return { row: row.row, undo: fields === 'refused' ? 'import-undo.refused' : 'import-undo.touched' }
  })
}

/** @returns by row how many fields went back. */
async function putFieldsBack(ctx: Context, rows: readonly Changed[], reason: string) {
  const input = ({ account, userId }: Changed, fields: Fields): PersonInput => ({
    ...(fields as PersonFields),
    account,
    id: userId,
  })
  const options = { mode: 'update', power: 'import' } as const
  const asImported = rows.map((row) => input(row, without(typed(ctx, row.after as Fields), APART)))
  // What a save of the imported values would change now is what somebody has changed since.
  const seen = await saveUsers(ctx, asImported, { ...options, dryRun: true })
  const plans = rows.map((row, at) => {
    const touched = Object.keys(seen[at]?.before ?? {})
    const before = typed(ctx, row.before as Fields)
    const unreadable = Object.keys(row.after).filter((name) => !(name in (asImported[at] ?? {})))
    const fields = seen[at]?.status === 'refused' ? {} : without(before, [...touched, ...unreadable, ...APART])
    return { row, fields, count: Object.keys(fields).length }
  })
  const good = plans.filter(({ count }) => count > 0)
  const outcomes = await saveUsers(
    ctx,
    good.map(({ row, fields }) => input(row, fields)),
    { ...options, reason },
  )
  return new Map(
    good.map(({ row, count }, at) => [row.row, outcomes[at]?.status === 'refused' ? ('refused' as const) : count]),
  )
}

const without = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
