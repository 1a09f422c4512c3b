import type { SyncRun, syncRunDetails } from '#shared/contract/directory-syncs.ts'
import type { SyncRow, SyncRunState } from '#shared/contract/sync-runs.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import { isUndoable, UNDOABLE_STATES, WRITTEN_OUTCOMES } from '#shared/rules/undoable-run.ts'
import { isConstraintViolation } from '../../platform/db.ts'
import type { Input } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import { type Context, callerOf, onSharedClock, transaction } from '../../platform/platform.ts'
import { sourceVersion } from '../data-sources/index.ts'
import { recordAudit } from '../records/index.ts'
import { describeFailure, loadFieldNames } from '../sync-runs/index.ts'
import { cursorKey } from './cursor.rules.ts'
import { errors } from './directory-syncs.errors.ts'
import { syncsService } from './directory-syncs.service.ts'
import { setCursor } from './directory-syncs.store.ts'
import { settleInterrupted } from './interrupted.service.ts'
import { deleteMatchesOf } from './matches.store.ts'
import { problemKey } from './problem-key.rules.ts'
import { formatRowChanges } from './row-changes.service.ts'
import { describeProblem } from './row-problems.service.ts'
import { countStaged, countUndoable, type Problem, pageOfRows } from './rows.store.ts'
import { beginRun, queueRun, syncTarget } from './run-start.service.ts'
import { findRun, isSourceBusy, listRunsOf, type RunRow, settleFormerRuns, updateRun } from './runs.store.ts'
import { refusePaused } from './sync-switch.service.ts'

type Working = Pick<RunRow, 'objects' | 'state' | 'counts' | 'work'>

/** How far it is with writing or undoing people; departments are written all at once. */
function progressOf({ objects, state, counts, work }: Working): SyncRun['progress'] {
  if (!work || objects === 'departments') return null
  if (state === 'undoing') return work
  if (state !== 'applying') return null
  const total = WRITTEN_OUTCOMES.reduce((sum, outcome) => sum + (counts[outcome] ?? 0), 0)
  return { done: Math.min(work.done, total), total }
}

function toRun(ctx: Context, { startedAt, finishedAt, problem, words, ...row }: RunRow): SyncRun {
  const { syncVersion, sourceVersion: _, sourceId, stateBeforeUndo: __, eventsUntil, work, ...shared } = row
  return {
    ...shared,
    progress: progressOf(row),
    problem: problem && describeFailure(ctx, ctx.client.language, { key: problemKey(problem), words }),
    startedAt: startedAt.toISOString(),
    finishedAt: toIso(finishedAt),
  }
}

/** Makes the next run a full one. @throws Refusal `resource.not-found`. */
export async function resetCursor(ctx: Context, syncId: string): Promise<null> {
  return await transaction(ctx, async (inner) => {
    const { table, cursorColumn, cursor } = await syncsService.get(inner, syncId)
    await setCursor(inner.db, syncId, cursorKey(table, cursorColumn ?? ''), null)
    const lines = { before: { cursor }, after: { cursor: null } }
    await recordAudit(inner, { action: 'directory-sync.reset-cursor', ...syncTarget(syncId), ...lines })
    return null
  })
}

/** @throws Refusal `directory-sync.no-run`. */
async function getRun(ctx: Context, id: string, lock = false): Promise<RunRow> {
  const run = await findRun(ctx.db, id, lock)
  if (!run) throw errors['directory-sync.no-run']()
  return run
}

/**
 * Starts a run: reading and planning, in the background.
 * @throws Refusal `resource.not-found`, `directory-sync.running`, `directory-sync.paused` unless it is a dry run.
 */
export async function startRun(
  ctx: Context,
  syncId: string,
  { dryRun, incremental, eventsUntil = null }: { dryRun: boolean; incremental: boolean; eventsUntil?: string | null },
): Promise<SyncRun> {
  return await transaction(await onSharedClock(ctx), async (inner) => {
    if (!dryRun) await refusePaused(inner)
    const sync = await syncsService.get(inner, syncId)
    await settleInterrupted(inner, await settleFormerRuns(inner.db, { syncId, lock: sync.sourceId }, inner.now()))
    const id = await beginRun(inner, sync, {
      // Events read by name are about people.
      objects: sync.objects === 'people' || eventsUntil !== null ? 'people' : 'departments',
      dryRun,
      incremental,
      eventsUntil,
    })
    if (!id) throw errors['directory-sync.running']()
    return toRun(inner, await getRun(inner, id))
  })
}

export async function listRuns(ctx: Context, syncId: string): Promise<{ records: SyncRun[] }> {
  const rows = await listRunsOf(ctx.db, syncId)
  // Pages that watch a run ask each second, and the sync counts its people.
  if (rows.length === 0) await syncsService.get(ctx, syncId)
  return { records: rows.map((row) => toRun(ctx, row)) }
}

const ROWS_SHOWN = 100

/** @throws Refusal `directory-sync.no-run`. */
export async function getRunDetails(
  ctx: Context,
  { id, outcome, undo, after }: Input<typeof syncRunDetails>['query'],
): Promise<{ run: SyncRun; rows: SyncRow[] }> {
  const run = await getRun(ctx, id)
  const rows = await pageOfRows(ctx.db, {
    runId: id,
    outcome: outcome ?? null,
    undo: undo ?? null,
    after,
    most: ROWS_SHOWN,
  })
  const changes = await formatRowChanges(ctx, id, rows)
  const fieldName = await loadFieldNames(ctx, ctx.client.language)
  const named = { fieldName, isOfDepartment: run.objects === 'departments' }
  const say = (problem: Problem) => describeProblem(ctx, problem, named)
  return { run: toRun(ctx, run), rows: rows.map((row) => toRow(row, changes.get(row.row) ?? [], say)) }
}

function toRow(
  stored: Awaited<ReturnType<typeof pageOfRows>>[number],
  changes: SyncRow['changes'],
  say: (problem: Problem) => string,
): SyncRow {
  const { row, externalId, outcome, userId, account, name, organizationId, code, department, isApplied, undo } = stored
  return {
    ...{ row, externalId, outcome, isApplied, undo, changes },
    person: userId && account ? { id: userId, account, name } : null,
    newName:
      outcome === 'new' && !userId && !organizationId
        ? ((stored.after as { name?: string } | null)?.name ?? null)
        : null,
    department: organizationId ? { id: organizationId, code, name: department } : null,
    problems: (stored.problems ?? []).map(say),
  }
}

/** An older plan must be read again. */
const MAX_PLAN_DAYS = 2

/**
 * Approves exactly the plan that was reviewed.
 * @throws Refusal `directory-sync.no-run`, `directory-sync.not-waiting`, `directory-sync.too-old`, `directory-sync.changed`,
 *   `directory-sync.running`.
 */
export async function approveRun(ctx: Context, id: string, reason: string): Promise<SyncRun> {
  return await transaction(await onSharedClock(ctx), async (inner) => {
    await refusePaused(inner)
    const run = await getRun(inner, id, true)
    if (run.state !== 'held' && run.state !== 'planned') throw errors['directory-sync.not-waiting']()
    if (inner.now().getTime() - run.startedAt.getTime() > MAX_PLAN_DAYS * DAY_MS)
      throw errors['directory-sync.too-old']()
    const { version } = await syncsService.get(inner, run.syncId)
    // Another mapping or source would give another plan.
    if (version !== run.syncVersion || (await sourceVersion(inner, run.sourceId)) !== run.sourceVersion)
      throw errors['directory-sync.changed']()
    const change = { state: 'applying' as const, reason, decidedBy: callerOf(inner).userId }
    await resumeRun(inner, id, ['held', 'planned'], change)
    await queueRun(inner, id, run.rowsRead)
    const after = { run: id, ...run.counts }
    await recordAudit(inner, { action: 'directory-sync.approve', ...syncTarget(run.syncId), reason, after })
    return toRun(inner, await getRun(inner, id))
  })
}

/** @throws Refusal `directory-sync.no-run`, `directory-sync.not-waiting`. */
export async function discardRun(ctx: Context, id: string): Promise<null> {
  return await transaction(await onSharedClock(ctx), async (inner) => {
    const run = await getRun(inner, id, true)
    const change = { state: 'discarded' as const, decidedBy: callerOf(inner).userId, finishedAt: inner.now() }
    if (!(await updateRun(inner.db, id, ['held', 'planned'], change))) throw errors['directory-sync.not-waiting']()
    if (run.objects === 'people') await deleteMatchesOf(inner.db, run.syncId, id)
    await recordAudit(inner, { action: 'directory-sync.discard', ...syncTarget(run.syncId), after: { run: id } })
    return null
  })
}

/**
 * Undoes what a run changed, in the background; of an interrupted run, what it had written by then.
 * @throws Refusal `directory-sync.no-run`, `directory-sync.not-done`, `directory-sync.forgotten`, `directory-sync.running`.
 */
export async function undoRun(ctx: Context, id: string, reason: string): Promise<SyncRun> {
  return await transaction(await onSharedClock(ctx), async (inner) => {
    const run = await getRun(inner, id, true)
    if (!isUndoable(run)) throw errors['directory-sync.not-done']()
    if ((await countStaged(inner.db, id)) === 0) throw errors['directory-sync.forgotten']()
    const former = { syncId: run.syncId, lock: run.sourceId }
    await settleInterrupted(inner, await settleFormerRuns(inner.db, former, inner.now()))
    if (await isSourceBusy(inner.db, run.sourceId)) throw errors['directory-sync.running']()
    const undo = { undoReason: reason, undoneBy: callerOf(inner).userId }
    await resumeRun(inner, id, UNDOABLE_STATES, { state: 'undoing', stateBeforeUndo: run.state, ...undo })
    await queueRun(inner, id, await countUndoable(inner.db, id))
    await recordAudit(inner, { action: 'directory-sync.undo', ...syncTarget(run.syncId), reason, after: { run: id } })
    return toRun(inner, await getRun(inner, id))
  })
}

/** A unique index decides between two runs of a source that work at once. @throws Refusal `directory-sync.running`. */
async function resumeRun(
  ctx: Context,
  id: string,
  from: readonly SyncRunState[],
  change: Parameters<typeof updateRun>[3],
): Promise<void> {
  try {
    await updateRun(ctx.db, id, from, change)
  } catch (error) {
    if (isConstraintViolation(error, 'unique', 'directory_sync_runs_one')) throw errors['directory-sync.running']()
    throw error
  }
}
