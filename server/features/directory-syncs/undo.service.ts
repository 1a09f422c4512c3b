import { forceCustomPlan } from '../../platform/list.ts'
import type { Context } from '../../platform/platform.ts'
import { transaction } from '../../platform/platform.ts'
import { deleteUsers, freezeUsers } from '../account-verbs/index.ts'
import type { RunningTask } from '../background-tasks/index.ts'
import { retryConcurrentWrites } from '../people-save/index.ts'
import { recordAudit } from '../records/index.ts'
import { type RestorableRow, restoreFields } from '../user-imports/index.ts'
import { setCursor } from './directory-syncs.store.ts'
import type { LeaverFields } from './leavers.rules.ts'
import { deleteLinks, listProtected, listStates, markTaken, unmarkTaken } from './links.store.ts'
import { countUndone, listUndoableRows, type UndoableRow, type UndoneRow, updateUndoneRows } from './rows.store.ts'
import { type RunRow, updateRun } from './runs.store.ts'

/** People per transaction. */
const BATCH = 200

const MAX_ROW = 2 ** 31 - 1

/** Undoes a run's changes where nothing has changed since. Resumable. */
export async function undoPlan(ctx: Context, task: RunningTask, { run }: { run: RunRow }): Promise<void> {
  for (let before: number | null = MAX_ROW; before !== null && !task.cancelled(); ) {
    const from: number = before
    before = await retryConcurrentWrites(() =>
      transaction(ctx, async (inner) => {
        await forceCustomPlan(inner.db)
        const rows = await listUndoableRows(inner.db, run.id, { before: from, most: BATCH })
        if (rows.length > 0) await undoRows(inner, run, rows)
        await task.advance(rows.length, inner.db)
        return rows.at(-1)?.row ?? null
      }),
    )
  }
  await transaction(ctx, async (inner) => {
    const undo = await countUndone(inner.db, run.id)
    // A stopped undo can be requested again and continues.
    const state = task.cancelled() ? run.stateBeforeUndo : 'undone'
    await updateRun(inner.db, run.id, ['undoing'], { state, undo, finishedAt: inner.now() })
    // Only a full run brings back what was undone.
    await setCursor(inner.db, run.syncId, '', null)
    const after = { run: run.id, state, ...undo }
    await recordAudit(inner, {
      action: 'directory-sync.finish',
      targetKind: 'directory-sync',
      targetId: run.syncId,
      after,
    })
    await task.advance(0, inner.db)
  })
}

async function undoRows(ctx: Context, run: RunRow, rows: readonly UndoableRow[]): Promise<void> {
  const protectedIds = await listProtected(
    ctx.db,
    rows.map(({ userId }) => userId),
  )
  const marks = (which: readonly UndoableRow[], undo: UndoneRow['undo']) => which.map(({ row }) => ({ row, undo }))
  const gone = rows.filter(({ account }) => account === null)
  const guarded = rows.filter(({ account, userId }) => account !== null && protectedIds.has(userId))
  const open = rows.filter((row) => row.account !== null && !protectedIds.has(row.userId))
  const created = open.filter(({ outcome }) => outcome === 'new')
  await updateUndoneRows(ctx.db, run.id, [
    ...marks(gone, 'gone'),
    ...marks(guarded, 'protected'),
    ...(await removeCreated(ctx, run, created)),
    ...(await restoreChanged(ctx, run, open.flatMap(toRestorable))),
  ])
}

type ChangedRow = RestorableRow & Pick<UndoableRow, 'outcome' | 'taken'>

const toRestorable = ({ row, userId, account, before, after, outcome, taken }: UndoableRow): ChangedRow[] =>
  outcome === 'new' || account === null || !before || !after
    ? []
    : [{ row, userId, account, before, after, outcome, taken }]

async function removeCreated(ctx: Context, run: RunRow, rows: readonly UndoableRow[]): Promise<UndoneRow[]> {
  const ids = rows.filter(({ isUntouched }) => isUntouched).map(({ userId }) => userId)
  const answers = await deleteUsers(ctx, ids, { permission: 'edit', reason: run.syncName })
  const refused = new Set(answers.flatMap(({ id, status }) => (status === 'refused' ? [id] : [])))
  await deleteLinks(
    ctx.db,
    run.syncId,
    ids.filter((id) => !refused.has(id)),
  )
  return rows.map(({ row, userId, isUntouched }) => ({
    row,
    undo: isUntouched ? (refused.has(userId) ? 'refused' : 'removed') : 'touched',
  }))
}

async function restoreChanged(ctx: Context, run: RunRow, rows: readonly ChangedRow[]): Promise<UndoneRow[]> {
  const how = { permission: 'edit', isSource: true, leavesOwned: true, reason: run.syncName } as const
  const restored = await restoreFields(ctx, rows.map(withoutFrozen), how)
  const refrozen = await restoreFreezes(ctx, run, rows)
  const count = ({ row }: ChangedRow): number => {
    const fields = restored.get(row) ?? 0
    return (typeof fields === 'number' ? fields : 0) + (refrozen.has(row) ? 1 : 0)
  }
  // The links must record both: what was given back, and what was taken again.
  const back = rows.filter((row) => count(row) > 0)
  const given = back.filter(({ outcome }) => outcome === 'leaver').map(({ userId }) => userId)
  await unmarkTaken(ctx.db, run.syncId, given)
  await markTaken(
    ctx.db,
    run.syncId,
    back.flatMap(({ userId, outcome, taken }) => (taken && outcome !== 'leaver' ? [{ userId, taken }] : [])),
  )
  return rows.map((row) => {
    const done = count(row)
    if (done === 0) return { row: row.row, undo: typeof restored.get(row.row) === 'string' ? 'refused' : 'touched' }
    return { row: row.row, undo: done === Object.keys(row.before).length ? 'undone' : 'partly' }
  })
}

/** Freezing is not written with the fields. */
function withoutFrozen(row: ChangedRow): RestorableRow {
  const fields = (values: LeaverFields) => {
    const { frozen: _, ...others } = values
    return others
  }
  return { ...row, before: fields(row.before), after: fields(row.after) }
}

/** Thaws whom the run froze if the freeze is still its own, and freezes whom it thawed. @returns the rows that were undone. */
async function restoreFreezes(ctx: Context, run: RunRow, rows: readonly ChangedRow[]): Promise<Set<number>> {
  const some = rows.filter(({ after }) => 'frozen' in after)
  if (some.length === 0) return new Set()
  const ids = some.map(({ userId }) => userId)
  const states = await listStates(ctx.db, run.syncId, ids, ctx.now())
  const done = new Set<number>()
  for (const frozen of [true, false]) {
    const open = some.filter(({ userId, before }) => {
      const state = states.get(userId)
      return (before as LeaverFields).frozen === frozen && (frozen ? state?.isFrozen === false : state?.isFrozenBySync)
    })
    const answers = await freezeUsers(
      ctx,
      open.map(({ userId }) => userId),
      { frozen, reason: run.syncName },
    )
    const changed = new Set(answers.flatMap(({ id, status }) => (status === 'changed' ? [id] : [])))
    for (const { row, userId } of open) if (changed.has(userId)) done.add(row)
  }
  return done
}
