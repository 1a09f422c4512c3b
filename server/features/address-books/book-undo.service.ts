import { type BookSync, isMailProvider } from '#shared/contract/address-books.ts'
import type { SyncUndoOutcome } from '#shared/contract/sync-runs.ts'
import type { UndoableState } from '#shared/rules/undoable-run.ts'
import type { BookPersonFields, OpenAddressBook } from '../../connectors/index.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import type { RunningTask } from '../background-tasks/index.ts'
import { loadTree } from '../organizations/index.ts'
import {
  type BookPlan,
  type BookStep,
  departmentBefore,
  matchesDepartment,
  matchesPerson,
  mergeSent,
  type RemotePerson,
  recordFinish,
} from './book-apply.service.ts'
import { retryLostCalls, rowRefusalCode } from './book-calls.rules.ts'
import { deleteLink, saveLink } from './book-links.store.ts'
import { type BookRow, countUndone, listUndoable, markUndoAttempted, markUndone } from './book-rows.store.ts'
import { updateRun } from './book-runs.store.ts'
import { departmentIdsOf, openBook, unseal } from './book-world.service.ts'

/** Undoes a run's changes in the address book, the last first, where nothing has changed since. Resumable. */
export async function undoBook(ctx: Context, task: RunningTask, { run, sync }: BookStep): Promise<void> {
  const book = await openBook(ctx, sync, task)
  const departmentIds = await departmentIdsOf(ctx, sync, await loadTree(ctx, false))
  for (;;) {
    const [row] = task.cancelled() ? [] : await listUndoable(ctx.db, run.id, 1)
    if (!row) break
    const plan = unseal<BookPlan>(ctx, row.plan ?? '')
    const attempt = () => markUndoAttempted(ctx.db, run.id, row.row)
    const undo = await tryUndo({ book, departmentIds, attempt }, row, plan)
    await transaction(ctx, async (inner) => {
      await markUndone(inner.db, run.id, row.row, undo)
      // If the node died after deleting one that the run created, it is gone too.
      const isOver = ENDED.includes(undo) || (undo === 'gone' && row.outcome === 'new')
      if (isOver) await revertLink(inner, sync, row, plan)
      await task.advance(1, inner.db)
    })
  }
  // A stopped undo can be requested again and continues.
  await endUndo(ctx, task, run, task.cancelled() ? run.stateBeforeUndo : 'undone')
}

/** Nothing of the row is left there. */
const ENDED: readonly SyncUndoOutcome[] = ['undone', 'removed', 'disabled']

type Failure = { problem?: string; words?: string }

/** With any state other than `undone`, the rest can be undone later. */
export async function endUndo(
  ctx: Context,
  task: RunningTask,
  run: BookStep['run'],
  state: UndoableState | 'undone',
  failure: Failure = {},
): Promise<void> {
  await transaction(ctx, async (inner) => {
    const undo = await countUndone(inner.db, run.id)
    await updateRun(inner.db, run.id, ['undoing'], { ...failure, state, undo, finishedAt: inner.now() })
    await recordFinish(inner, run, state, undo)
    await task.advance(0, inner.db)
  })
}

type Undoing = {
  book: OpenAddressBook
  departmentIds: ReadonlyMap<string, number>
  attempt: () => PromiseLike<unknown>
}

const tryUndo = (undoing: Undoing, row: BookRow, plan: BookPlan) =>
  retryLostCalls<SyncUndoOutcome>(
    (tries) =>
      row.kind === 'department'
        ? undoDepartment(undoing, row, plan)
        : undoPerson(undoing, { ...row, isUndoAttempted: row.isUndoAttempted || tries > 1 }, plan),
    (error) => (rowRefusalCode(error) === null ? null : 'refused'),
  )

async function undoDepartment(
  { book, departmentIds }: Undoing,
  { externalId, outcome }: BookRow,
  { before, after }: BookPlan,
): Promise<SyncUndoOutcome> {
  const id = Number(externalId)
  const now = await book.department(id)
  if (!now) return 'gone'
  const written = departmentWritten(after, departmentIds)
  const former = departmentBefore(before)
  if (outcome !== 'new' && matchesDepartment(now, former)) return 'undone'
  if (!matchesDepartment(now, written)) return 'touched'
  // The vendor refuses to delete one that isn't empty.
  if (outcome === 'new') {
    await book.deleteDepartment(id)
    return 'removed'
  }
  await book.updateDepartment(id, former)
  return 'undone'
}

function departmentWritten(after: BookPlan['after'], departmentIds: ReadonlyMap<string, number>) {
  const { name, organizationId } = after ?? {}
  const parentId = departmentIds.get(organizationId ?? '')
  return { ...(name !== undefined && { name }), ...(parentId !== undefined && { parentId }) }
}

async function undoPerson(
  undoing: Undoing,
  { externalId, outcome, isUndoAttempted }: BookRow,
  { before, after }: BookPlan,
): Promise<SyncUndoOutcome> {
  const { book, departmentIds, attempt } = undoing
  const id = externalId ?? ''
  const now = await book.person(id)
  if (!now || after?.isDeleted) return 'gone'
  const { isDeleted: _, organizationId: __, kept: ___, ...former } = before ?? {}
  if (outcome === 'new')
    return await undoNew(undoing, { now, written: personWritten(after, departmentIds), isUndoAttempted })
  // Where somebody else has disabled it, the next run must not enable it.
  if (matchesPerson(now, former)) return former.isDisabled && !isUndoAttempted ? 'touched' : 'undone'
  if (!matchesPerson(now, personWritten(after, departmentIds))) return 'touched'
  await attempt()
  await book.updatePerson(id, former)
  return 'undone'
}

async function undoNew(
  { book, attempt }: Undoing,
  { now, written, isUndoAttempted }: { now: RemotePerson; written: BookPersonFields; isUndoAttempted: boolean },
): Promise<SyncUndoOutcome> {
  // Mail may have arrived since: nobody gets it back from a mailbox that was deleted.
  const isKept = book.mailboxes !== undefined
  if (isKept && now.isDisabled) return isUndoAttempted ? 'disabled' : 'touched'
  if (!matchesPerson(now, written) || now.hasJoined) return 'touched'
  await attempt()
  if (isKept) await book.updatePerson(now.id, { isDisabled: true })
  else await book.deletePerson(now.id)
  return isKept ? 'disabled' : 'removed'
}

function personWritten(after: BookPlan['after'], departmentIds: ReadonlyMap<string, number>) {
  const { isDeleted: _, organizationId, kept = [], ...fields } = after ?? {}
  const department = departmentIds.get(organizationId ?? '')
  return { ...fields, ...(department !== undefined && { departments: [department, ...kept] }) }
}

/** Removes the links of people the run created, or marks their mailboxes as disabled; restores the others to their state before it. */
async function revertLink(ctx: Context, sync: BookSync, row: BookRow, { before, after }: BookPlan): Promise<void> {
  const { kind, localId, externalId, outcome } = row
  const { id: syncId, vendor } = sync
  if (externalId === null) return
  if (outcome === 'new' && isMailProvider(vendor)) {
    const sent = await mergeSent(ctx, syncId, localId, after)
    return void (await saveLink(ctx.db, syncId, { kind, localId, externalId, sent, isDisabled: true }))
  }
  if (outcome === 'new') return void (await deleteLink(ctx.db, syncId, kind, localId))
  const sent = kind === 'person' ? await mergeSent(ctx, syncId, localId, before) : null
  await saveLink(ctx.db, syncId, { kind, localId, externalId, sent, isDisabled: before?.isDisabled === true })
}
