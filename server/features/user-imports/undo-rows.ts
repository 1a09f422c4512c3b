import type { Context } from '../../platform/platform.ts'
import { deleteUsersIn, type PersonFields, type PersonInput, saveUsers } from '../users/index.ts'
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

/** Puts those fields back that still are what the import made of them. */
async function putBack(ctx: Context, rows: readonly Changed[], reason: string): Promise<Undone[]> {
  if (rows.length === 0) return []
  const input = ({ account, userId }: Changed, fields: Fields): PersonInput => ({
    ...(fields as PersonFields),
    account,
    id: userId,
  })
  const options = { mode: 'update', power: 'import' } as const
  // A sealed number can't be compared or written back as if it were typed.
  const asImported = rows.map((row) => input(row, without(row.after as Fields, ['idNumber'])))
  const seen = await saveUsers(ctx, asImported, { ...options, dryRun: true })
  const plans = rows.map((row, at) => {
    const touched = Object.keys(seen[at]?.before ?? {})
    const fields = without(row.before as Fields, [...touched, 'idNumber'])
    const left = Object.keys(row.before).length - Object.keys(fields).length
    return { row, fields, left, refused: seen[at]?.status === 'refused' }
  })
  const good = plans.filter(({ fields, refused }) => !refused && Object.keys(fields).length > 0)
  const outcomes = await saveUsers(
    ctx,
    good.map(({ row, fields }) => input(row, fields)),
    { ...options, reason },
  )
  const byRow = new Map(good.map(({ row }, at) => [row.row, outcomes[at]]))
  return plans.map(({ row, left }) => {
    const outcome = byRow.get(row.row)
    if (!outcome) return { row: row.row, undo: 'import-undo.touched' }
    if (outcome.status === 'refused') return { row: row.row, undo: 'import-undo.refused' }
    return { row: row.row, undo: left > 0 ? 'partly' : 'undone' }
  })
}

const without = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
