import { z } from 'zod'
import { analyzeWhileFilling } from '../../platform/analyze-tables.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { defineTask, type RunningTask } from '../background-tasks/index.ts'
import { retryConcurrentWrites } from '../people-save/index.ts'
import { recordAudit } from '../records/index.ts'
import { loadImportLookups } from './import-lookups.service.ts'
import { requireColumnsAllowed } from './import-roles.rules.ts'
import { type ReadOptions, type SavedRow, saveRows, toCheckedOutcome, toImportOutcome } from './save-rows.service.ts'
import { undoRows } from './undo-rows.service.ts'
import { errors } from './user-imports.errors.ts'
import {
  type Counts,
  countOutcomes,
  countUndone,
  findRun,
  listStagedRows,
  listWaitingRows,
  markRepeatedValues,
  type RunRow,
  type StagedRow,
  updateCheckedRows,
  updateRun,
  updateWrittenRows,
  type WrittenRow,
} from './user-imports.store.ts'

/** People per step: large enough to be fast, small enough to take little memory and finish soon. */
const BATCH_SIZE = 500
const TaskInput = z.object({ importId: z.uuid() })

/** Steps in progress at once: while the database writes one, the next is read and validated. */
const CONCURRENT_STEPS = 2

/** The rows that `read` returns after one, step by step, until there are none or the task is stopped. */
async function* readSteps(
  task: RunningTask,
  read: (after: number) => Promise<StagedRow[]>,
): AsyncGenerator<StagedRow[]> {
  for (let after = 0; !task.cancelled(); ) {
    const staged = await read(after)
    const last = staged.at(-1)
    if (!last) return
    after = last.row
    yield staged
  }
}

/** Runs every step, several at once. When one fails, the others finish first; then its error is thrown. */
async function runConcurrently(
  lanes: number,
  steps: AsyncGenerator<StagedRow[]>,
  take: (staged: StagedRow[]) => Promise<void>,
): Promise<void> {
  const lane = async () => {
    for await (const staged of steps) await take(staged)
  }
  const ended = await Promise.allSettled(Array.from({ length: lanes }, lane))
  const failed = ended.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}

async function getTaskRun(ctx: Context, task: RunningTask): Promise<RunRow> {
  const { importId } = TaskInput.parse(task.input)
  const run = await findRun(ctx.db, { id: importId, ownerId: null })
  if (!run) throw errors['import.not-found']()
  return run
}

async function loadReadOptions(ctx: Context, { mapping }: RunRow): Promise<ReadOptions> {
  requireColumnsAllowed(ctx, mapping)
  return {
    mapping,
    words: await loadImportLookups(
      ctx,
      mapping.filter((field) => field !== null),
    ),
  }
}

/** The dry run: validates every row and writes only the results. When interrupted, it starts again. */
async function runCheck(ctx: Context, task: RunningTask): Promise<Counts | null> {
  const run = await getTaskRun(ctx, task)
  const reading = await loadReadOptions(ctx, run)
  await task.progress(0)
  const steps = readSteps(task, (after) => listStagedRows(ctx.db, run.id, { after, most: BATCH_SIZE }))
  await runConcurrently(CONCURRENT_STEPS, steps, async (staged) => {
    const saved = await saveRows(ctx, staged, reading, { dryRun: true })
    const judged = saved.map((one) => ({
      row: one.read.row,
      outcome: toCheckedOutcome(one),
      problems: one.problems.length > 0 ? one.problems : null,
      keys: one.read.keys,
    }))
    // In one transaction: a node that was silent too long must not mark rows that another has begun to import.
    await transaction(ctx, async (inner) => {
      await updateCheckedRows(inner.db, run.id, judged)
      await task.advance(staged.length, inner.db)
    })
  })
  if (task.cancelled()) return null
  return await transaction(ctx, async (inner) => {
    await markRepeatedValues(inner.db, run.id)
    const counts = await countOutcomes(inner.db, run.id)
    await updateRun(inner.db, run.id, { state: 'checked', counts }, inner.now())
    await task.progress(run.rowCount, inner.db)
    return counts
  })
}

function toWrittenRow(one: SavedRow): WrittenRow {
  const { read, outcome, roles, problems } = one
  const isChanged = toImportOutcome(one) === 'changed'
  return {
    row: read.row,
    // Somebody may have made the same change since the dry run; then there is nothing to undo.
    outcome: toImportOutcome(one),
    problems: problems.length > 0 ? problems : null,
    written: outcome?.status === 'created' || isChanged,
    userId: outcome?.id ?? null,
    before: isChanged ? { ...outcome?.before, ...(roles && { roleIds: roles.before }) } : null,
    after: isChanged ? { ...outcome?.after, ...(roles && { roleIds: roles.after }) } : null,
  }
}

/** One step, completely or not at all: the people, their audit records, the marks on the rows and the progress. */
async function writeStep(
  ctx: Context,
  task: RunningTask,
  { run, reading, staged }: { run: RunRow; reading: ReadOptions; staged: StagedRow[] },
): Promise<void> {
  await transaction(ctx, async (inner) => {
    const saved = await saveRows(inner, staged, reading, { reason: run.fileName })
    await updateWrittenRows(inner.db, run.id, saved.map(toWrittenRow))
    await task.advance(staged.length, inner.db)
  })
}

/** Imports the valid rows. When interrupted, it resumes: imported rows are marked in the same transaction. */
async function runImport(ctx: Context, task: RunningTask): Promise<Counts> {
  const run = await getTaskRun(ctx, task)
  const reading = await loadReadOptions(ctx, run)
  const analyze = analyzeWhileFilling(ctx.db, ['users', 'login_names'])
  // Steps that count members of the same roles would wait for each other, and could deadlock.
  const lanes = run.mapping.includes('roles') ? 1 : CONCURRENT_STEPS
  const steps = readSteps(task, (after) => listWaitingRows(ctx.db, run.id, { after, most: BATCH_SIZE }))
  await runConcurrently(lanes, steps, async (staged) => {
    await retryConcurrentWrites(() => writeStep(ctx, task, { run, reading, staged }))
    await analyze(staged.length)
  })
  const state = task.cancelled() ? 'cancelled' : 'finished'
  return await transaction(ctx, async (inner) => {
    const counts = await countOutcomes(inner.db, run.id)
    await updateRun(inner.db, run.id, { state, counts, finishedAt: inner.now() }, inner.now())
    const after = { file: run.fileName, state, ...counts }
    await recordAudit(inner, { action: 'user-import.finish', targetKind: 'user-import', targetId: run.id, after })
    await task.advance(0, inner.db)
    return counts
  })
}

/** Undoes the import where nobody has changed anything since. When interrupted, it resumes. */
async function runUndo(ctx: Context, task: RunningTask): Promise<unknown> {
  const run = await getTaskRun(ctx, task)
  let done = task.done
  while (!task.cancelled()) {
    const taken = await retryConcurrentWrites(() =>
      transaction(ctx, async (inner) => {
        const count = await undoRows(inner, run, BATCH_SIZE)
        if (count > 0) await task.progress(done + count, inner.db)
        return count
      }),
    )
    if (taken === 0) break
    done += taken
  }
  return await transaction(ctx, async (inner) => {
    const counts = await countUndone(inner.db, run.id)
    const state = task.cancelled() ? 'finished' : 'undone'
    await updateRun(inner.db, run.id, { state, undo: counts }, inner.now())
    const after = { file: run.fileName, state, ...counts }
    await recordAudit(inner, { action: 'user-import.undo', targetKind: 'user-import', targetId: run.id, after })
    await task.progress(done, inner.db)
    return counts
  })
}

export const importTasks = [
  defineTask({ kind: 'user-import.check', run: runCheck }),
  defineTask({ kind: 'user-import.write', run: runImport }),
  defineTask({ kind: 'user-import.undo', run: runUndo }),
]
