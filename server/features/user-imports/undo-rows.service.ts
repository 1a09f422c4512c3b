import type { Context } from '../../platform/platform.ts'
import { inScope } from '../access/index.ts'
import { deleteUsers } from '../account-verbs/index.ts'
import { lockTreeShared } from '../organizations/index.ts'
import {
  type PersonFields,
  type PersonInput,
  type SaveOptions,
  type SaveOutcome,
  saveUsers,
} from '../people-save/index.ts'
import { mayImport } from './import-roles.rules.ts'
import { type RolesChange, restoreRoles } from './import-roles.service.ts'
import { listUndoableRows, type RunRow, type UndoableRow, updateUndoneRows } from './user-imports.store.ts'

type UndoneRow = { row: number; undo: string }
/** A person changed by a step, with the changed fields before and after it. */
export type RestorableRow = { row: number; userId: string; account: string; before: object; after: object }
type ChangedRow = UndoableRow & RestorableRow

/** One undo step: what cannot be undone is reported row by row. @returns how many rows were processed. */
export async function undoRows(ctx: Context, run: RunRow, most: number): Promise<number> {
  await lockTreeShared(ctx.db)
  const rows = await listUndoableRows(ctx.db, run.id, most, inScope(ctx, ctx.db`u.organization_id`))
  if (rows.length === 0) return 0
  const gone = rows.filter(({ account }) => account === null).map(({ row }) => ({ row, undo: 'import-undo.gone' }))
  const present = rows.filter(({ account }) => account !== null)
  const created = present.filter(({ outcome }) => outcome === 'new')
  const changed = present.filter((row): row is ChangedRow => row.outcome === 'changed' && row.after !== null)
  await updateUndoneRows(ctx.db, run.id, [
    ...gone,
    ...(await removeCreated(ctx, created, run.fileName)),
    ...(await restoreRows(ctx, changed, run.fileName)),
  ])
  return rows.length
}

async function removeCreated(ctx: Context, rows: readonly UndoableRow[], reason: string): Promise<UndoneRow[]> {
  const touched = rows
    .filter(({ isUntouched }) => !isUntouched)
    .map(({ row }) => ({ row, undo: 'import-undo.touched' }))
  const untouched = rows.filter(({ isUntouched }) => isUntouched)
  if (untouched.length === 0) return touched
  const ids = untouched.map(({ userId }) => userId)
  const answers = await deleteUsers(ctx, ids, { permission: 'import', reason })
  const refused = new Map(answers.map(({ id, code }) => [id, code]))
  const removed = untouched.map(({ row, userId }) => {
    const code = refused.get(userId)
    return { row, undo: code ? `errors.${code}` : 'undone' }
  })
  return [...touched, ...removed]
}

type Fields = Record<string, unknown>

/** Roles are restored separately. */
const ROLE_FIELDS = ['roleIds']

/** As typed: the number of an identity document is stored sealed. One whose key is gone stays as it is. */
function unsealValues({ secrets }: Context, fields: Fields): Fields {
  const { idNumber, ...others } = fields
  if (typeof idNumber !== 'string') return fields
  try {
    return { ...others, idNumber: secrets.open(idNumber) }
  } catch {
    return others
  }
}

/** Restores the fields that are still as the import set them. */
async function restoreRows(ctx: Context, rows: readonly ChangedRow[], reason: string): Promise<UndoneRow[]> {
  const withRoles = rows.flatMap(({ userId, before, after }) => {
    const roles = { before: (before as Fields)['roleIds'], after: (after as Fields)['roleIds'] }
    return roles.before ? [{ userId, roles: roles as RolesChange }] : []
  })
  // Whoever imported them may have been a super user then.
  const roles = mayImport(ctx, 'roles') ? await restoreRoles(ctx, withRoles) : new Set<string>()
  const saved = await restoreFields(ctx, rows, { permission: 'import', reason })
  return rows.map((row) => {
    const fields = saved.get(row.row) ?? 0
    const done = (typeof fields === 'string' ? 0 : fields) + (roles.has(row.userId) ? 1 : 0)
    if (done === Object.keys(row.before).length) return { row: row.row, undo: 'undone' }
    if (done > 0) return { row: row.row, undo: 'partly' }
    return { row: row.row, undo: `import-undo.${typeof fields === 'string' ? fields : 'touched'}` }
  })
}

/** Why nothing of a row was restored; message `import-undo.<name>`. */
const undoRefusal = ({ problems }: SaveOutcome) =>
  problems.some(({ problem }) => problem === 'gains') ? ('gains' as const) : ('refused' as const)

/**
 * Restores the former values of fields that are still as they were set.
 * @returns by row how many fields were restored, or why none; a missing row has none left to restore.
 */
export async function restoreFields(
  ctx: Context,
  rows: readonly RestorableRow[],
  how: Pick<SaveOptions, 'permission' | 'reason' | 'isSource' | 'leavesOwned'>,
): Promise<Map<number, number | 'gains' | 'refused'>> {
  const input = ({ account, userId }: RestorableRow, fields: Fields): PersonInput => ({
    ...(fields as PersonFields),
    account,
    id: userId,
  })
  const options = { ...how, mode: 'update' } as const
  const asImported = rows.map((row) => input(row, omitFields(unsealValues(ctx, row.after as Fields), ROLE_FIELDS)))
  // What saving the imported values would change now is what somebody has changed since.
  const seen = await saveUsers(ctx, asImported, { ...options, dryRun: true })
  const plans = rows.map((row, at) => {
    const touched = Object.keys(seen[at]?.before ?? {})
    const before = unsealValues(ctx, row.before as Fields)
    const unreadable = Object.keys(row.after).filter((name) => !(name in (asImported[at] ?? {})))
    const fields = seen[at]?.status === 'refused' ? {} : omitFields(before, [...touched, ...unreadable, ...ROLE_FIELDS])
    return { row, fields, count: Object.keys(fields).length }
  })
  const good = plans.filter(({ count }) => count > 0)
  const outcomes = await saveUsers(
    ctx,
    good.map(({ row, fields }) => input(row, fields)),
    options,
  )
  return new Map(
    good.map(({ row, count }, at) => {
      const outcome = outcomes[at]
      return [row.row, outcome?.status === 'refused' ? undoRefusal(outcome) : count]
    }),
  )
}

const omitFields = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
