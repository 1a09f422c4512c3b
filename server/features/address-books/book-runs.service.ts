import { v7 } from 'uuid'
import { type BookRun, type BookSync, type bookRunDetails, isMailProvider } from '#shared/contract/address-books.ts'
import type { SyncRow, SyncRunState } from '#shared/contract/sync-runs.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import { isUndoable, UNDOABLE_STATES } from '#shared/rules/undoable-run.ts'
import { isConstraintViolation } from '../../platform/db.ts'
import type { Input } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import { type Context, callerOf, onSharedClock, transaction } from '../../platform/platform.ts'
import { startScheduledTask, startTask } from '../background-tasks/index.ts'
import { refusePaused } from '../directory-syncs/index.ts'
import { recordAudit } from '../records/index.ts'
import { describeFailure, type InterruptedRun, notifyInterrupted } from '../sync-runs/index.ts'
import { errors } from './address-books.errors.ts'
import { booksService, requireProvider } from './address-books.service.ts'
import { formatBookChanges } from './book-changes.service.ts'
import { countRows, countUndoable, pageOfRows } from './book-rows.store.ts'
import {
  type BookRunRow,
  endInterrupted,
  findRun,
  insertRun,
  isBusy,
  listRunsOf,
  settleFormerRuns,
  updateRun,
} from './book-runs.store.ts'

export const BOOK_TASK = 'book-sync.run'

const target = (id: string) => ({ targetKind: 'book-sync', targetId: id })
const OWN_PROBLEMS = ['interrupted', 'superseded']

/** The message key of why a run failed. */
export const failureKey = (problem: string): string =>
  OWN_PROBLEMS.includes(problem) ? `directory-sync-failure.${problem}` : `book-failure.${problem}`

function toRun(
  ctx: Context,
  { startedAt, finishedAt, problem, words, syncVersion: _, stateBeforeUndo: __, work, ...row }: BookRunRow,
): BookRun {
  const { state, tried, toWrite } = row
  return {
    ...row,
    progress: state === 'applying' ? { done: tried, total: toWrite } : state === 'undoing' ? work : null,
    problem: problem && describeFailure(ctx, ctx.client.language, { key: failureKey(problem), words }),
    startedAt: startedAt.toISOString(),
    finishedAt: toIso(finishedAt),
  }
}

/** @throws Refusal `book-sync.no-run`. */
async function getRun(ctx: Context, id: string, lock = false): Promise<BookRunRow> {
  const run = await findRun(ctx.db, id, lock)
  if (!run) throw errors['book-sync.no-run']()
  return run
}

/** The page of the run and the message key of its reasons, for notices. */
export const noticeLink = ({ id, vendor }: Pick<BookSync, 'id' | 'vendor'>) =>
  ({
    page: `exterPhone-sync/${id}`,
    heldKey: isMailProvider(vendor) ? 'mailbox-sync.held' : 'book-sync.held',
  }) as const

const notifyOfInterrupted = (ctx: Context, runs: readonly InterruptedRun[]): Promise<void> =>
  notifyInterrupted(ctx, runs, async (id) => {
    const sync: BookSync = await booksService.get(ctx, id)
    return { sync, ...noticeLink(sync) }
  })

/** In the caller's transaction: ends interrupted runs. */
export async function endInterruptedBooks(ctx: Context): Promise<void> {
  await notifyOfInterrupted(ctx, await endInterrupted(ctx.db, ctx.now()))
}

async function queueRun(ctx: Context, runId: string, total: number): Promise<void> {
  const start = ctx.caller ? startTask : startScheduledTask
  const taskId = await start(ctx, { kind: BOOK_TASK, input: { runId }, total })
  await updateRun(ctx.db, runId, ['reading', 'applying', 'undoing'], { taskId })
}

/** @throws Refusal `book-sync.preview-only`. */
function refusePreviewOnly({ mode }: BookSync): void {
  if (mode !== 'on') throw errors['book-sync.preview-only']()
}

/**
 * Starts a run: reading and planning, in the background.
 * @throws Refusal `resource.not-found`, `book-sync.off`, `.preview-only` unless it is a dry run, `.other-provider`, `.running`,
 * `directory-sync.paused` unless it is a dry run.
 */
export async function startBook(ctx: Context, syncId: string, dryRun: boolean): Promise<BookRun> {
  return await transaction(await onSharedClock(ctx), async (inner) => {
    if (!dryRun) await refusePaused(inner)
    const sync: BookSync = await booksService.get(inner, syncId)
    if (sync.mode === 'off') throw errors['book-sync.off']()
    if (!dryRun) refusePreviewOnly(sync)
    await requireProvider(inner, sync.vendor)
    await notifyOfInterrupted(inner, await settleFormerRuns(inner.db, { syncId, lock: syncId }, inner.now()))
    const id = v7()
    const startedBy = inner.caller?.userId ?? null
    const run = { id, syncId, dryRun, syncVersion: sync.version, startedBy, at: inner.now() }
    if (!(await insertRun(inner.db, run, {}))) throw errors['book-sync.running']()
    await queueRun(inner, id, sync.linkedPeople + sync.linkedDepartments)
    await recordAudit(inner, { action: 'book-sync.start', ...target(syncId), after: { run: id, dryRun } })
    return toRun(inner, await getRun(inner, id))
  })
}

export async function listBooksRuns(ctx: Context, syncId: string): Promise<{ records: BookRun[] }> {
  await booksService.get(ctx, syncId)
  return { records: (await listRunsOf(ctx.db, syncId)).map((row) => toRun(ctx, row)) }
}

const ROWS_SHOWN = 100

/** @throws Refusal `book-sync.no-run`. */
export async function getBookRun(ctx: Context, query: Input<typeof bookRunDetails>['query']) {
  const { id, outcome = null, undo = null, after } = query
  const run = await getRun(ctx, id)
  const rows = await pageOfRows(ctx.db, { runId: id, outcome, undo, after, most: ROWS_SHOWN })
  const changes = await formatBookChanges(ctx, await booksService.get(ctx, run.syncId), rows)
  return { run: toRun(ctx, run), rows: rows.map((row) => toRow(ctx, row, changes.get(row.row) ?? [])) }
}

function toRow(
  ctx: Context,
  stored: Awaited<ReturnType<typeof pageOfRows>>[number],
  changes: SyncRow['changes'],
): SyncRow {
  const { row, localId, externalId, outcome, isApplied, undo, problem, account, person, code, department } = stored
  return {
    ...{ row, outcome, isApplied, undo, changes, newName: null },
    externalId: externalId ?? '',
    person: account === null ? null : { id: localId, account, name: person ?? '' },
    department: code === null ? null : { id: localId, code, name: department ?? '' },
    problems: problem ? [ctx.translate(ctx.client.language, problem.key, problem.params)] : [],
  }
}

/** An older plan must be read again. */
const MAX_PLAN_DAYS = 2

/**
 * Approves exactly the plan that was reviewed.
 * @throws Refusal `book-sync.no-run`, `.not-waiting`, `.too-old`, `.preview-only`, `.changed`, `.running`, `directory-sync.paused`.
 */
export async function approveBook(ctx: Context, id: string, reason: string): Promise<BookRun> {
  return await transaction(await onSharedClock(ctx), async (inner) => {
    await refusePaused(inner)
    const run = await getRun(inner, id, true)
    if (run.state !== 'held' && run.state !== 'planned') throw errors['book-sync.not-waiting']()
    if (inner.now().getTime() - run.startedAt.getTime() > MAX_PLAN_DAYS * DAY_MS) throw errors['book-sync.too-old']()
    // Other roots, fields or leavers would give another plan.
    const sync: BookSync = await booksService.get(inner, run.syncId)
    refusePreviewOnly(sync)
    if (sync.version !== run.syncVersion) throw errors['book-sync.changed']()
    const change = { state: 'applying', reason, decidedBy: callerOf(inner).userId } as const
    await resume(inner, run, ['held', 'planned'], change)
    const after = { run: id, ...run.counts }
    await recordAudit(inner, { action: 'book-sync.approve', ...target(run.syncId), reason, after })
    return toRun(inner, await getRun(inner, id))
  })
}

/** A unique index decides between two runs of a sync that start at once. @throws Refusal `book-sync.running`. */
async function resume(
  ctx: Context,
  run: BookRunRow,
  from: readonly SyncRunState[],
  change: Parameters<typeof updateRun>[3],
): Promise<void> {
  try {
    await updateRun(ctx.db, run.id, from, change)
  } catch (error) {
    if (isConstraintViolation(error, 'unique', 'book_runs_one')) throw errors['book-sync.running']()
    throw error
  }
  await queueRun(ctx, run.id, change.state === 'undoing' ? await countUndoable(ctx.db, run.id) : run.toWrite)
}

/** @throws Refusal `book-sync.no-run`, `book-sync.not-waiting`. */
export async function discardBook(ctx: Context, id: string): Promise<null> {
  return await transaction(await onSharedClock(ctx), async (inner) => {
    const { syncId } = await getRun(inner, id, true)
    const change = { state: 'discarded' as const, decidedBy: callerOf(inner).userId, finishedAt: inner.now() }
    if (!(await updateRun(inner.db, id, ['held', 'planned'], change))) throw errors['book-sync.not-waiting']()
    await recordAudit(inner, { action: 'book-sync.discard', ...target(syncId), after: { run: id } })
    return null
  })
}

/**
 * Undoes what a run changed in the address book, in the background.
 * @throws Refusal `book-sync.no-run`, `book-sync.not-done`, `book-sync.forgotten`, `book-sync.running`, `directory-sync.paused`.
 */
export async function undoBookRunOf(ctx: Context, id: string, reason: string): Promise<BookRun> {
  return await transaction(await onSharedClock(ctx), async (inner) => {
    await refusePaused(inner)
    const run = await getRun(inner, id, true)
    if (!isUndoable(run)) throw errors['book-sync.not-done']()
    if (Object.keys(await countRows(inner.db, id)).length === 0) throw errors['book-sync.forgotten']()
    const former = { syncId: run.syncId, lock: run.syncId }
    await notifyOfInterrupted(inner, await settleFormerRuns(inner.db, former, inner.now()))
    if (await isBusy(inner.db, run.syncId)) throw errors['book-sync.running']()
    const undo = { undoReason: reason, undoneBy: callerOf(inner).userId }
    await resume(inner, run, UNDOABLE_STATES, { state: 'undoing', stateBeforeUndo: run.state, ...undo })
    await recordAudit(inner, { action: 'book-sync.undo', ...target(run.syncId), reason, after: { run: id } })
    return toRun(inner, await getRun(inner, id))
  })
}
