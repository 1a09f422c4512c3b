import { z } from 'zod'
import type { DirectorySync } from '#shared/contract/directory-syncs.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import { type Context, type Platform, transaction } from '../../platform/platform.ts'
import { defineTask, type RunningTask } from '../background-tasks/index.ts'
import { openStoredSource, sourceProblem } from '../data-sources/index.ts'
import { recordAudit } from '../records/index.ts'
import { applyPlan } from './apply.service.ts'
import { errors } from './directory-syncs.errors.ts'
import { syncsService } from './directory-syncs.service.ts'
import { judgePlan } from './judge.rules.ts'
import { countLinks } from './links.store.ts'
import { loadPlanOptions, planRows } from './plan-rows.service.ts'
import {
  countFields,
  countNewlyMissing,
  countRows,
  deleteRows,
  insertMissing,
  insertRows,
  listUnplannedRows,
  markUnkeyedRows,
  updateRows,
} from './rows.store.ts'
import { TASK_KIND } from './runs.service.ts'
import { deleteOldRows, findLastGoodRows, findRun, type RunRow, updateRun } from './runs.store.ts'

const TaskInput = z.object({ runId: z.uuid() })

/** People of one step. */
const BATCH = 500

type Step = { run: RunRow; sync: DirectorySync }

/** Goes on from the state that the run is in, so that being cut off anywhere costs one step at most. */
async function runSync(ctx: Context, task: RunningTask): Promise<unknown> {
  const { runId } = TaskInput.parse(task.input)
  for (;;) {
    const run = await findRun(ctx.db, runId)
    if (!run) throw errors['directory-sync.no-run']()
    if (!(run.state in STEPS)) return run.counts
    if (task.cancelled()) {
      await updateRun(ctx.db, runId, ['reading', 'planning', 'applying'], { state: 'cancelled', finishedAt: ctx.now() })
      return run.counts
    }
    const sync = await syncsService.get(ctx, run.syncId)
    await STEPS[run.state as keyof typeof STEPS](ctx, task, { run, sync })
  }
}

const STEPS = { reading: readSource, planning: makePlan, applying: applyPlan } as const

/** Everything or nothing: what could not be read to its end is never planned. */
async function readSource(ctx: Context, task: RunningTask, { run, sync }: Step): Promise<void> {
  try {
    await deleteRows(ctx.db, run.id)
    const rowsRead = await openStoredSource(ctx, run.sourceId, async (source) => {
      const columns = [sync.keyColumn, ...sync.mapping.map(({ column }) => column)]
      const names = (await source.columns(sync.table)).map(({ name }) => name)
      const gone = columns.find((name) => !names.includes(name))
      if (gone !== undefined) throw new MissingColumnError(gone)
      let row = 0
      for await (const batch of source.read(sync.table, columns)) {
        const staged = batch.map(([key = '', ...cells]) => ({
          row: ++row,
          externalId: key.trim().slice(0, 500),
          cells: ctx.secrets.seal(JSON.stringify(cells)),
        }))
        await transaction(ctx, async (inner) => {
          await insertRows(inner.db, run.id, staged)
          await task.progress(0, inner.db)
        })
        if (task.cancelled()) break
      }
      return row
    })
    if (task.cancelled()) return
    if (rowsRead === 0) return void (await failRun(ctx, run, 'empty'))
    await transaction(ctx, async (inner) => {
      const unkeyed = await markUnkeyedRows(inner.db, run.id)
      await updateRun(inner.db, run.id, ['reading'], { state: 'planning', rowsRead, isComplete: unkeyed === 0 })
      await task.progress(0, inner.db)
    })
  } catch (error) {
    if (error instanceof MissingColumnError) return void (await failRun(ctx, run, 'no-mapped-column', error.message))
    const fault = sourceProblem(ctx, error)
    if (!fault) throw error
    await failRun(ctx, run, fault.problem, fault.words)
  }
}

/** The mapping names a column that the source has no longer. */
class MissingColumnError extends Error {}

async function failRun(ctx: Context, run: RunRow, problem: string, words = ''): Promise<void> {
  await transaction(ctx, async (inner) => {
    const finishedAt = inner.now()
    await updateRun(inner.db, run.id, ['reading'], { state: 'failed', problem, words, isComplete: false, finishedAt })
    await deleteRows(inner.db, run.id)
    const after = { run: run.id, state: 'failed', problem }
    await recordAudit(inner, {
      action: 'directory-sync.finish',
      targetKind: 'directory-sync',
      targetId: run.syncId,
      after,
    })
  })
}

/** Says of every row what it would do; then, all together, whether that is as usual. */
async function makePlan(ctx: Context, task: RunningTask, { run, sync }: Step): Promise<void> {
  const options = await loadPlanOptions(ctx, sync)
  for (;;) {
    const rows = await listUnplannedRows(ctx.db, run.id, BATCH)
    if (rows.length === 0) break
    const planned = await planRows(ctx, rows, options)
    await transaction(ctx, async (inner) => {
      await updateRows(inner.db, run.id, planned)
      await task.progress(0, inner.db)
    })
    if (task.cancelled()) return
  }
  await transaction(ctx, async (inner) => {
    const { action, runs, days } = sync.leavers
    const at = inner.now()
    const rule = { runs, at, since: new Date(at.getTime() - days * DAY_MS), disables: action === 'disable' }
    // Who is not there is nobody's guess where something could not be read.
    if (run.isComplete) await insertMissing(inner.db, { runId: run.id, sourceId: run.sourceId, rule })
    const counts = await countRows(inner.db, run.id)
    const heldFor = judgePlan(
      {
        rowsRead: run.rowsRead,
        lastRows: await findLastGoodRows(inner.db, run.sourceId),
        linked: await countLinks(inner.db, run.sourceId),
        counts,
        newlyMissing: await countNewlyMissing(inner.db, run.id, run.sourceId),
        fields: await countFields(inner.db, run.id),
      },
      sync.thresholds,
    )
    const state = heldFor.length > 0 ? 'held' : run.dryRun ? 'planned' : 'applying'
    await updateRun(inner.db, run.id, ['planning'], { state, counts, heldFor })
    await task.progress(0, inner.db)
  })
}

export const syncTask = defineTask({ kind: TASK_KIND, run: runSync })

const KEPT_DAYS = 30

/** Nightly: what was read of people a month ago. */
export async function forgetSyncRows({ sql, now }: Platform): Promise<void> {
  await deleteOldRows(sql, new Date(now().getTime() - KEPT_DAYS * DAY_MS))
}
