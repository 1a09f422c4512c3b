import { type BookSync, isMailProvider } from '#shared/contract/address-books.ts'
import type { SyncUndoOutcome } from '#shared/contract/directory-syncs.ts'
import type { UndoableState } from '#shared/rules/undoable-run.ts'
import type { BookPersonFields, OpenAddressBook } from '../../connectors/index.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import type { RunningTask } from '../background-tasks/index.ts'
import { loadTree } from '../organizations/index.ts'
import {
  type BookPlan,
  type BookStep,
  departmentBefore,
  isAs,
  isDepartment,
  mergeSent,
  recordFinish,
  refusedWith,
  untilSure,
} from './book-apply.service.ts'
import { deleteLink, saveLink } from './book-links.store.ts'
import { type BookRow, countUndone, listUndoable, markUndone } from './book-rows.store.ts'
import { updateRun } from './book-runs.store.ts'
import { openBook, placesOf, unseal } from './book-world.service.ts'

/** Takes back there what the run did, the last first, where nobody has done anything since. Cut off, it goes on where it was. */
export async function undoBook(ctx: Context, task: RunningTask, { run, sync }: BookStep): Promise<void> {
  const book = await openBook(ctx, sync, task)
  const places = await placesOf(ctx, sync, await loadTree(ctx, false))
  for (;;) {
    const [row] = task.cancelled() ? [] : await listUndoable(ctx.db, run.id, 1)
    if (!row) break
    const plan = unseal<BookPlan>(ctx, row.plan ?? '')
    const undo = await tryUndo(book, row, plan, places)
    await transaction(ctx, async (inner) => {
      await markUndone(inner.db, run.id, row.row, undo)
      // One that was deleted before a node died is gone as well.
      const isOver = undo === 'undone' || (undo === 'gone' && row.outcome === 'new')
      if (isOver) await settleLink(inner, sync, row, plan)
      await task.advance(1, inner.db)
    })
  }
  // Stopped, it can be asked for again and goes on where it was.
  await endUndo(ctx, task, run, task.cancelled() ? run.stateBeforeUndo : 'undone')
}

type Failure = { problem?: string; words?: string }

/** Any other state than `undone`: the rest of it can be asked for again. */
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

const tryUndo = (book: OpenAddressBook, row: BookRow, plan: BookPlan, places: ReadonlyMap<string, number>) =>
  untilSure<SyncUndoOutcome>(
    () => (row.kind === 'department' ? undoDepartment : undoPerson)(book, row, plan, places),
    (error) => (refusedWith(error) === null ? null : 'refused'),
  )

async function undoDepartment(
  book: OpenAddressBook,
  { externalId, outcome }: BookRow,
  { before, after }: BookPlan,
  places: ReadonlyMap<string, number>,
): Promise<SyncUndoOutcome> {
  const id = Number(externalId)
  const now = await book.department(id)
  if (!now) return 'gone'
  const written = departmentWritten(after, places)
  const former = departmentBefore(before)
  if (outcome !== 'new' && isDepartment(now, former)) return 'undone'
  if (!isDepartment(now, written)) return 'touched'
  // The vendor refuses one that somebody or something is in.
  if (outcome === 'new') await book.deleteDepartment(id)
  else await book.updateDepartment(id, former)
  return 'undone'
}

function departmentWritten(after: BookPlan['after'], places: ReadonlyMap<string, number>) {
  const { name, place } = after ?? {}
  const parentId = places.get(place ?? '')
  return { ...(name !== undefined && { name }), ...(parentId !== undefined && { parentId }) }
}

async function undoPerson(
  book: OpenAddressBook,
  { externalId, outcome }: BookRow,
  { before, after }: BookPlan,
  places: ReadonlyMap<string, number>,
): Promise<SyncUndoOutcome> {
  const id = externalId ?? ''
  const now = await book.person(id)
  if (!now || after?.isDeleted) return 'gone'
  const { isDeleted: _, place: __, kept: ___, ...former } = before ?? {}
  if (outcome !== 'new' && isAs(now, former)) return 'undone'
  if (outcome === 'new') return await undoNew(book, now, personWritten(after, places))
  if (!isAs(now, personWritten(after, places))) return 'touched'
  await book.updatePerson(id, former)
  return 'undone'
}

type There = NonNullable<Awaited<ReturnType<OpenAddressBook['person']>>>

async function undoNew(book: OpenAddressBook, now: There, written: BookPersonFields): Promise<SyncUndoOutcome> {
  // Mail may have arrived since: nobody gets it back from a mailbox that was deleted.
  const isKept = book.mailboxes !== undefined
  if (isKept && now.isDisabled) return 'undone'
  if (!isAs(now, written) || now.hasJoined) return 'touched'
  if (isKept) await book.updatePerson(now.id, { isDisabled: true })
  else await book.deletePerson(now.id)
  return 'undone'
}

function personWritten(after: BookPlan['after'], places: ReadonlyMap<string, number>) {
  const { isDeleted: _, place, kept = [], ...fields } = after ?? {}
  const department = places.get(place ?? '')
  return { ...fields, ...(department !== undefined && { departments: [department, ...kept] }) }
}

/** Whom the run created is nobody there any more, or has a disabled mailbox; whom it disabled or enabled stands as before. */
async function settleLink(ctx: Context, sync: BookSync, row: BookRow, { before, after }: BookPlan): Promise<void> {
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
