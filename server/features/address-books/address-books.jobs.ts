import { z } from 'zod'
import type { SyncOutcome } from '#shared/contract/sync-runs.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import { RUN_ROWS_KEPT_DAYS, WRITTEN_OUTCOMES } from '#shared/rules/undoable-run.ts'
import { ConnectorFault } from '../../connectors/index.ts'
import { type Context, onSharedClock, type Platform, transaction } from '../../platform/platform.ts'
import { defineTask, type RunningTask, StoppedError } from '../background-tasks/index.ts'
import { judgePlan, syncSwitch } from '../directory-syncs/index.ts'
import { notifyResponsible, startDue, tryEndInterrupted } from '../sync-runs/index.ts'
import { errors } from './address-books.errors.ts'
import { booksService } from './address-books.service.ts'
import { type DueBook, lockDueSyncs, setNextRun } from './address-books.store.ts'
import { applyBook, type BookPlan, type BookStep, recordFinish } from './book-apply.service.ts'
import { type BookWorld, departmentPaths, planBook } from './book-plan.rules.ts'
import type { BookPlanRow } from './book-plan.types.ts'
import { countRows, deleteOldRows, deleteRows, insertRows } from './book-rows.store.ts'
import { BOOK_TASK, endInterruptedBooks, failureKey, noticeLink, startBook } from './book-runs.service.ts'
import { type BookRunRow, findExpectedRows, findRun, updateRun } from './book-runs.store.ts'
import { endUndo, undoBook } from './book-undo.service.ts'
import { loadWorld, openBook, seal } from './book-world.service.ts'

const TaskInput = z.object({ runId: z.uuid() })
const STEPS = { reading: planRun, applying: applyBook, undoing: undoBook } as const
const UNDER_WAY = ['reading', 'applying'] as const

/** Continues from the run's stored state, so that an interruption repeats one row at most. */
async function runBookSync(own: Context, task: RunningTask): Promise<unknown> {
  const ctx = await onSharedClock(own)
  const { runId } = TaskInput.parse(task.input)
  for (;;) {
    const run = await findRun(ctx.db, runId)
    if (!run) throw errors['book-sync.no-run']()
    if (!(run.state in STEPS)) return run.counts
    const step: BookStep = { run, sync: await booksService.get(ctx, run.syncId) }
    const isOff = run.state === 'applying' && step.sync.mode !== 'on'
    if (isOff || (task.cancelled() && run.state !== 'undoing')) {
      await endRun(ctx, task, step, { state: 'cancelled' })
      return run.counts
    }
    await takeStep(ctx, task, step)
  }
}

async function takeStep(ctx: Context, task: RunningTask, step: BookStep): Promise<void> {
  const { run } = step
  try {
    await STEPS[run.state as keyof typeof STEPS](ctx, task, step)
  } catch (error) {
    if (error instanceof ConnectorFault) return await failRun(ctx, task, step, error)
    if (!(error instanceof StoppedError)) throw error
    // An undo that is stopped while waiting for the vendor's rate limit can be requested again.
    if (run.state === 'undoing') await endUndo(ctx, task, run, run.stateBeforeUndo)
  }
}

type End = { state: 'cancelled' | 'failed'; problem?: string; words?: string }

/** Rows already written stay, and can be undone. */
async function endRun(ctx: Context, task: RunningTask, { run, sync }: BookStep, end: End): Promise<void> {
  await transaction(ctx, async (inner) => {
    const counts = await countRows(inner.db, run.id)
    if (!(await updateRun(inner.db, run.id, UNDER_WAY, { ...end, counts, finishedAt: inner.now() }))) return
    if (end.problem)
      await notifyResponsible(inner, {
        run,
        sync,
        ...noticeLink(sync),
        heldFor: [],
        failure: { key: failureKey(end.problem), words: end.words ?? '' },
      })
    await recordFinish(inner, run, end.state, counts)
    await task.progress(0, inner.db)
  })
}

async function failRun(ctx: Context, task: RunningTask, step: BookStep, fault: ConnectorFault): Promise<void> {
  const { run } = step
  ctx.log.warn({ run: run.id, reason: fault.reason, detail: fault.detail }, 'a sync of an address book failed')
  const end = { problem: fault.network === 'too-large' ? fault.network : fault.reason, words: fault.vendorCode ?? '' }
  if (run.state !== 'undoing') return await endRun(ctx, task, step, { state: 'failed', ...end })
  await endUndo(ctx, task, run, run.stateBeforeUndo, end)
}

/** Plans only from complete data: if reading fails, nothing is planned. */
async function planRun(ctx: Context, task: RunningTask, { run, sync }: BookStep): Promise<void> {
  const world = await loadWorld(ctx, sync, await openBook(ctx, sync, task), task)
  const rows = planBook(world, sync)
  const pathOf = departmentPaths(world.departments)
  await transaction(ctx, async (inner) => {
    await deleteRows(inner.db, run.id)
    await insertRows(
      inner.db,
      run.id,
      rows.map((row, at) => toStored(inner, row, { number: at + 1, pathOf })),
    )
    const counts = await countRows(inner.db, run.id)
    const heldFor = judgePlan(await figuresOf(inner, run, { rows, world, counts }), sync.thresholds)
    const { isPaused } = await syncSwitch(inner)
    const state = heldFor.length > 0 ? 'held' : run.dryRun || isPaused ? 'planned' : 'applying'
    const toWrite = rows.filter(({ outcome }) => WRITTEN_OUTCOMES.includes(outcome)).length
    await updateRun(inner.db, run.id, ['reading'], {
      state,
      counts,
      heldFor,
      toWrite,
      rowsRead: presentOf(rows).length,
    })
    if (state === 'held') await notifyResponsible(inner, { run, sync, ...noticeLink(sync), heldFor })
    await task.progress(0, inner.db)
  })
}

const isGone = ({ outcome }: BookPlanRow) => outcome === 'missing' || outcome === 'leaver'
const presentOf = (rows: readonly BookPlanRow[]) => rows.filter((row) => !isGone(row))

type Planned = { rows: readonly BookPlanRow[]; world: BookWorld; counts: Partial<Record<SyncOutcome, number>> }

async function figuresOf(ctx: Context, run: BookRunRow, { rows, world, counts }: Planned) {
  const known = new Set(world.links.filter(({ isMissing }) => isMissing).map(({ localId }) => localId))
  const changed = rows.filter(({ outcome }) => outcome === 'changed' || outcome === 'moved')
  const names = changed.flatMap(({ after }) => fieldNames(after))
  const byName = Map.groupBy(names, (name) => name)
  return {
    rowsRead: presentOf(rows).length,
    expectedRows: await findExpectedRows(ctx.db, run.syncId, ctx.now()),
    linked: world.links.length,
    counts: { ...counts, changed: changed.length },
    newlyMissing: rows.filter((row) => isGone(row) && !known.has(row.localId)).length,
    fields: [...byName].map(([field, some]) => ({ field, count: some.length })),
  }
}

/** The fields that change, by the names that reports use. */
const fieldNames = (after: BookPlanRow['after']): string[] =>
  Object.keys(after ?? {}).flatMap((name) => (name === 'kept' ? [] : [NAMES[name] ?? name]))
const NAMES: Readonly<Record<string, string>> = {
  mobile: 'phone',
  email: 'mailbox',
  isDisabled: 'enabled',
  isDeleted: 'enabled',
}

const toStored = (
  ctx: Context,
  { kind, localId, externalId, outcome, before, after, problem }: BookPlanRow,
  { number, pathOf }: { number: number; pathOf: ReturnType<typeof departmentPaths> },
) => {
  const paths = Object.fromEntries(before?.departments?.map((id) => [id, pathOf(id)]) ?? [])
  return {
    ...{ row: number, kind, localId, externalId, outcome, problem },
    fields: fieldNames(after),
    plan: after && seal(ctx, { before, after, paths } satisfies BookPlan),
  }
}

export const bookSyncTask = defineTask({ kind: BOOK_TASK, run: runBookSync, waitsForOthers: true })

/** Nightly: deletes what was planned a month ago. */
export async function forgetBookRows({ sql, now }: Platform): Promise<void> {
  await deleteOldRows(sql, new Date(now().getTime() - RUN_ROWS_KEPT_DAYS * DAY_MS))
}

/** Each minute: ends interrupted runs, and starts the syncs that are due. */
export async function startDueBooks(platform: Platform): Promise<void> {
  await tryEndInterrupted(platform, endInterruptedBooks)
  await startDue<DueBook>(platform, {
    lockDue: lockDueSyncs,
    setNext: setNextRun,
    start: (ctx, { id, mode }) => startBook(ctx, id, mode === 'preview'),
    busyCode: errors['book-sync.running']().code,
  })
}
