import type { Context } from '../../platform/platform.ts'
import { transaction } from '../../platform/platform.ts'
import { deleteUsers } from '../account-verbs/index.ts'
import type { RunningTask } from '../background-tasks/index.ts'
import { recordAudit } from '../records/index.ts'
import { type RestorableRow, restoreFields } from '../user-imports/index.ts'
import { retryConcurrentWrites } from './apply.service.ts'
import { deleteLinks, listProtected, markTaken, unmarkTaken } from './links.store.ts'
import { countUndone, listUndoableRows, type UndoableRow, type UndoneRow, updateUndoneRows } from './rows.store.ts'
import { type RunRow, updateRun } from './runs.store.ts'

/** People of one step, which is all put back or not at all. */
const BATCH = 200

/** Takes back what the run did, where nobody has done anything since. Cut off, it goes on where it was. */
export async function undoPlan(ctx: Context, task: RunningTask, { run }: { run: RunRow }): Promise<void> {
  for (let rest = BATCH; rest > 0 && !task.cancelled(); ) {
    rest = await retryConcurrentWrites(() =>
      transaction(ctx, async (inner) => {
        const rows = await listUndoableRows(inner.db, run.id, BATCH)
        if (rows.length > 0) await undoRows(inner, run, rows)
        await task.advance(rows.length, inner.db)
        return rows.length
      }),
    )
  }
  await transaction(ctx, async (inner) => {
    const undo = await countUndone(inner.db, run.id)
    // Stopped, it can be asked for again and goes on where it was.
    const state = task.cancelled() ? 'done' : 'undone'
    await updateRun(inner.db, run.id, ['undoing'], { state, undo, finishedAt: inner.now() })
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
  const kept = await listProtected(
    ctx.db,
    rows.map(({ userId }) => userId),
  )
  const told = (which: readonly UndoableRow[], undo: UndoneRow['undo']) => which.map(({ row }) => ({ row, undo }))
  const gone = rows.filter(({ account }) => account === null)
  const guarded = rows.filter(({ account, userId }) => account !== null && kept.has(userId))
  const open = rows.filter((row) => row.account !== null && !kept.has(row.userId))
  const created = open.filter(({ outcome }) => outcome === 'new')
  await updateUndoneRows(ctx.db, run.id, [
    ...told(gone, 'gone'),
    ...told(guarded, 'protected'),
    ...(await removeCreated(ctx, run, created)),
    ...(await restoreChanged(ctx, run, open.flatMap(toRestorable))),
  ])
}

const toRestorable = ({ row, userId, account, before, after, outcome }: UndoableRow): RestorableRow[] =>
  outcome === 'new' || account === null || !before || !after ? [] : [{ row, userId, account, before, after }]

async function removeCreated(ctx: Context, run: RunRow, rows: readonly UndoableRow[]): Promise<UndoneRow[]> {
  const ids = rows.filter(({ isUntouched }) => isUntouched).map(({ userId }) => userId)
  const answers = await deleteUsers(ctx, ids, { power: 'edit', reason: run.syncName })
  const refused = new Set(answers.flatMap(({ id, status }) => (status === 'refused' ? [id] : [])))
  await deleteLinks(
    ctx.db,
    run.sourceId,
    ids.filter((id) => !refused.has(id)),
  )
  return rows.map(({ row, userId, isUntouched }) => ({
    row,
    undo: isUntouched ? (refused.has(userId) ? 'refused' : 'undone') : 'touched',
  }))
}

async function restoreChanged(ctx: Context, run: RunRow, rows: readonly RestorableRow[]): Promise<UndoneRow[]> {
  const restored = await restoreFields(ctx, rows, { power: 'edit', isSource: true, reason: run.syncName })
  const isBack = ({ row }: RestorableRow) => typeof restored.get(row) === 'number'
  const enabledBefore = (value: boolean) =>
    rows.filter((row) => isBack(row) && (row.before as { enabled?: boolean }).enabled === value)
  const ids = (which: readonly RestorableRow[]) => which.map(({ userId }) => userId)
  // What sync took is given back, and what it gave back is taken again: of both it knows afterwards.
  await unmarkTaken(ctx.db, run.sourceId, ids(enabledBefore(true)))
  await markTaken(ctx.db, run.sourceId, ids(enabledBefore(false)))
  return rows.map(({ row, before }) => {
    const fields = restored.get(row) ?? 0
    if (typeof fields === 'string') return { row, undo: 'refused' }
    if (fields === 0) return { row, undo: 'touched' }
    return { row, undo: fields === Object.keys(before).length ? 'undone' : 'partly' }
  })
}
