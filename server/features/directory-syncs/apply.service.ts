import type { DirectorySync } from '#shared/contract/directory-syncs.ts'
import { analyzeWhileFilling } from '../../platform/analyze-tables.ts'
import { forceCustomPlan, reusePlans } from '../../platform/list.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { freezeUsers } from '../account-verbs/index.ts'
import type { RunningTask } from '../background-tasks/index.ts'
import { retryConcurrentWrites } from '../people-save/index.ts'
import type { LeaverFields } from './leavers.rules.ts'
import { markTaken, saveLinks, settleLinks } from './links.store.ts'
import { deleteCarriedOut } from './matches.store.ts'
import type { PlanOptions } from './plan-options.service.ts'
import { isSamePlan, type Plan, planRows } from './plan-rows.service.ts'
import { listUnappliedRows, markApplied, type PlannedRow, type StoredRow, updateRows } from './rows.store.ts'
import { endRun } from './run-end.service.ts'
import type { RunRow } from './runs.store.ts'

/** People per transaction. */
const BATCH = 250

/** Applies the plan in batches; rows that no longer match the plan are skipped. Resumable. */
export async function applyPlan(
  ctx: Context,
  task: RunningTask,
  { run, sync, planOptions }: { run: RunRow; sync: DirectorySync; planOptions: () => Promise<PlanOptions> },
): Promise<void> {
  const options = await planOptions()
  const analyze = analyzeWhileFilling(ctx.db, ['users', 'login_names', 'directory_links'])
  for (let after = 0; !task.cancelled(); ) {
    const rows = await listUnappliedRows(ctx.db, run.id, { after, most: BATCH })
    const last = rows.at(-1)
    if (!last) return await finishRun(ctx, task, run, sync)
    after = last.row
    await retryConcurrentWrites(() =>
      transaction(ctx, async (inner) => {
        await forceCustomPlan(inner.db)
        await applyRows(inner, { run, name: sync.name }, rows, options)
        await task.advance(rows.length, inner.db)
      }),
    )
    await analyze(rows.length)
  }
}

type Applied = { run: RunRow; name: string }

async function applyRows(
  ctx: Context,
  { run, name }: Applied,
  rows: readonly StoredRow[],
  options: PlanOptions,
): Promise<void> {
  const planned = new Map(rows.map((row) => [row.row, row]))
  const unchanged = new Set<number>()
  const plans = await planRows(ctx, rows, options, {
    reason: name,
    async accepts(judged) {
      // Otherwise the check of each single reference would be planned anew.
      await reusePlans(ctx.db)
      for (const plan of judged) {
        const before = planned.get(plan.row)
        if (before && isSamePlan(ctx, before, plan)) unchanged.add(plan.row)
      }
      return judged.map(({ row }) => unchanged.has(row))
    },
  })
  // A row may still be refused because its login name stays with a person who is skipped.
  const good = plans.filter(({ row, outcome }) => unchanged.has(row) && outcome === planned.get(row)?.outcome)
  const refused = await applyFreezes(ctx, good, name)
  const saved = good.flatMap((plan) =>
    plan.personId === null || refused.has(plan.row) ? [] : [{ ...plan, userId: plan.personId }],
  )
  const isIn = new Set(saved.map(({ row }) => row))
  await updateRows(
    ctx.db,
    run.id,
    plans.filter(({ row }) => !isIn.has(row)).map((plan) => skippedRow(plan, planned.get(plan.row))),
  )
  await markApplied(ctx.db, run.id, saved)
  const present = saved.filter(({ outcome }) => outcome !== 'leaver')
  await saveLinks(ctx.db, { syncId: run.syncId, runId: run.id, at: ctx.now() }, present)
  await deleteCarriedOut(
    ctx.db,
    run.syncId,
    present.map(({ externalId }) => externalId),
  )
  const gone = saved.filter(({ outcome }) => outcome === 'leaver')
  await markTaken(
    ctx.db,
    run.syncId,
    gone.flatMap(({ userId, taken }) => (taken ? [{ userId, taken }] : [])),
  )
}

/** Freezes leavers and thaws people who are back. @returns the refused rows. */
async function applyFreezes(ctx: Context, plans: readonly Plan[], reason: string): Promise<Set<number>> {
  const refused = new Set<number>()
  for (const frozen of [true, false]) {
    const some = plans.filter(({ after }) => (after as LeaverFields | null)?.frozen === frozen)
    const answers = await freezeUsers(
      ctx,
      some.flatMap(({ userId }) => userId ?? []),
      { frozen, reason },
    )
    const refusedIds = new Set(answers.flatMap(({ id, status }) => (status === 'refused' ? [id] : [])))
    for (const { row, userId } of some) if (userId !== null && refusedIds.has(userId)) refused.add(row)
  }
  return refused
}

const CHANGED_SINCE = [{ key: 'directory-sync-problem.changed-since' }]

/** The mark of a skipped row: somebody changed the person, or an earlier row of this run did. */
const skippedRow = (plan: Plan, planned: StoredRow | undefined): PlannedRow => ({
  row: plan.row,
  outcome: 'changed-since',
  userId: planned?.userId ?? plan.userId,
  before: planned?.before ?? null,
  after: planned?.after ?? null,
  problems: [...CHANGED_SINCE, ...(plan.problems ?? [])],
})

/** In one transaction, because ending the run also counts who is missing. */
async function finishRun(ctx: Context, task: RunningTask, run: RunRow, sync: DirectorySync): Promise<void> {
  await transaction(ctx, async (inner) => {
    if (!(await endRun(inner, run, sync))) return
    await settleLinks(inner.db, { runId: run.id, syncId: run.syncId, at: inner.now() })
    await task.advance(0, inner.db)
  })
}
