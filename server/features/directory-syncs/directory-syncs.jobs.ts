import { z } from 'zod'
import type { DirectorySync, SyncSchedule } from '#shared/contract/directory-syncs.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import { RUN_ROWS_KEPT_DAYS } from '#shared/rules/undoable-run.ts'
import { forceCustomPlan } from '../../platform/list.ts'
import { type Context, onSharedClock, type Platform, systemContext, transaction } from '../../platform/platform.ts'
import { defineTask, type RunningTask } from '../background-tasks/index.ts'
import { notifyResponsible, startDue, tryEndInterrupted } from '../sync-runs/index.ts'
import { applyPlan } from './apply.service.ts'
import { undoDepartmentRun } from './department-undo.service.ts'
import { applyDepartmentRun, planDepartmentRun } from './departments.service.ts'
import { errors } from './directory-syncs.errors.ts'
import { syncsService } from './directory-syncs.service.ts'
import { findLastFullRun, lockDueSyncs, lockVersion, setNextRun } from './directory-syncs.store.ts'
import { type EventSync, leaveToFullRun, lockEventSyncs, setEventsSeen } from './event-runs.store.ts'
import { endInterruptedRuns } from './interrupted.service.ts'
import { judgePlan } from './judge.rules.ts'
import { countLinks, saveFingerprints } from './links.store.ts'
import { deleteGoneMatches, deleteOpenMatches, saveMatches } from './matches.store.ts'
import { loadPlanOptions, type PlanOptions } from './plan-options.service.ts'
import { type Plan, planRows } from './plan-rows.service.ts'
import { failRun, readSource } from './read-source.service.ts'
import {
  countFields,
  countNewlyMissing,
  countRows,
  deleteOldRows,
  listUnplannedRows,
  updateRows,
} from './rows.store.ts'
import { noticeLink, TASK_KIND } from './run-start.service.ts'
import { startRun } from './runs.service.ts'
import { findExpectedRows, findRun, type RunRow, updateRun } from './runs.store.ts'
import { syncSwitch } from './sync-switch.service.ts'
import { undoPlan } from './undo.service.ts'

const TaskInput = z.object({ runId: z.uuid() })

/** People per transaction. */
const BATCH = 250

/** Continues from the run's stored state, so that an interruption repeats one step at most. */
async function runSync(own: Context, task: RunningTask): Promise<unknown> {
  const ctx = await onSharedClock(own)
  const { runId } = TaskInput.parse(task.input)
  let options: Promise<PlanOptions> | undefined
  for (;;) {
    const run = await findRun(ctx.db, runId)
    if (!run) throw errors['directory-sync.no-run']()
    if (!(run.state in STEPS.people)) return run.counts
    if (task.cancelled() && run.state !== 'undoing') {
      await cancelRun(ctx, task, run)
      return run.counts
    }
    const sync = await syncsService.get(ctx, run.syncId)
    // The cells are in the order of the former mapping.
    if (BEFORE_WRITING.includes(run.state) && sync.version !== run.syncVersion) {
      await failRun(ctx, task, run, 'sync-changed')
      continue
    }
    const planOptions = () => (options ??= loadPlanOptions(ctx, sync, run))
    await STEPS[run.objects][run.state as keyof (typeof STEPS)['people']](ctx, task, { run, sync, planOptions })
  }
}

async function cancelRun(ctx: Context, task: RunningTask, { id, syncId, eventsUntil }: RunRow): Promise<void> {
  await transaction(ctx, async (inner) => {
    const counts = await countRows(inner.db, id)
    await updateRun(inner.db, id, UNDER_WAY, { state: 'cancelled', counts, finishedAt: inner.now() })
    if (eventsUntil !== null) await setEventsSeen(inner.db, syncId, eventsUntil)
    await task.progress(0, inner.db)
  })
}

type Step = { run: RunRow; sync: DirectorySync; planOptions: () => Promise<PlanOptions> }

const BEFORE_WRITING: readonly string[] = ['reading', 'planning']
const UNDER_WAY = ['reading', 'planning', 'applying'] as const
const STEPS = {
  people: { reading: readSource, planning: makePlan, applying: applyPlan, undoing: undoPlan },
  departments: {
    reading: readSource,
    planning: planDepartmentRun,
    applying: applyDepartmentRun,
    undoing: undoDepartmentRun,
  },
} as const

/** Plans every row, then compares the totals with the thresholds. */
async function makePlan(ctx: Context, task: RunningTask, { run, sync, planOptions }: Step): Promise<void> {
  const options = await planOptions()
  for (let after = 0; ; ) {
    const rows = await listUnplannedRows(ctx.db, run.id, { after, most: BATCH })
    const last = rows.at(-1)
    if (!last) break
    after = last.row
    await transaction(ctx, async (inner) => {
      // People become many while it runs, and what was the best plan for few is the worst for them.
      await forceCustomPlan(inner.db)
      const planned = await planRows(inner, rows, options)
      await updateRows(inner.db, run.id, planned)
      await updateMatches(inner, run, planned)
      const agreeing = planned.filter(({ outcome, fingerprint }) => outcome === 'unchanged' && fingerprint !== null)
      await saveFingerprints(inner.db, run.syncId, agreeing.map(toFingerprint))
      await task.progress(0, inner.db)
    })
    if (task.cancelled()) return
  }
  await transaction(ctx, (inner) => settlePlan(inner, task, { run, sync }))
}

/** Decides in the caller's transaction what becomes of a complete plan; `runSync` ends a run whose sync was changed. */
async function settlePlan(ctx: Context, task: RunningTask, { run, sync }: Omit<Step, 'planOptions'>): Promise<void> {
  if ((await lockVersion(ctx.db, run.syncId)) !== run.syncVersion) return
  if (run.isComplete) await deleteGoneMatches(ctx.db, run.syncId, run.id)
  const counts = await countRows(ctx.db, run.id)
  const heldFor = judgePlan(
    {
      rowsRead: run.rowsRead,
      expectedRows: run.mode === 'full' ? await findExpectedRows(ctx.db, run.syncId, ctx.now(), 'people') : null,
      linked: await countLinks(ctx.db, run.syncId),
      counts,
      newlyMissing: await countNewlyMissing(ctx.db, run.id, run.syncId),
      fields: await countFields(ctx.db, run.id),
    },
    thresholdsOf({ run, sync }),
  )
  const { isPaused } = await syncSwitch(ctx)
  const state = heldFor.length > 0 ? 'held' : run.dryRun || isPaused ? 'planned' : 'applying'
  await updateRun(ctx.db, run.id, ['planning'], { state, counts, heldFor })
  if (state === 'held') await notifyResponsible(ctx, { run, sync, ...noticeLink(sync), heldFor })
  await task.progress(0, ctx.db)
}

const toFingerprint = ({ externalId, fingerprint, personHash }: Plan) => ({ externalId, fingerprint, personHash })

/** Among a few named people, one bad row would exceed the threshold and hold the run. */
const thresholdsOf = ({ run, sync: { thresholds } }: Pick<Step, 'run' | 'sync'>): DirectorySync['thresholds'] =>
  run.eventsUntil === null ? thresholds : { ...thresholds, bad: 100 }

/** Saves open conflicts and deletes resolved ones; decisions stay until they are applied. */
async function updateMatches(ctx: Context, { syncId }: RunRow, plans: readonly Plan[]): Promise<void> {
  const settled = plans.filter(({ match }) => match === null)
  await deleteOpenMatches(
    ctx.db,
    syncId,
    settled.map(({ externalId }) => externalId),
  )
  const matches = plans.flatMap(({ match }) => match ?? [])
  if (matches.length > 0) await saveMatches(ctx.db, syncId, matches, ctx.now())
}

export const syncTask = defineTask({ kind: TASK_KIND, run: runSync, waitsForOthers: true })

/** Nightly: deletes what was read of people a month ago. */
export async function forgetSyncRows({ sql, now }: Platform): Promise<void> {
  await deleteOldRows(sql, new Date(now().getTime() - RUN_ROWS_KEPT_DAYS * DAY_MS))
}

/** The first run of each day in the schedule's zone is full, so that changes a cursor misses are found by the next morning. */
async function isFullDone({ db, now }: Context, id: string, { zone }: SyncSchedule): Promise<boolean> {
  const last = await findLastFullRun(db, id)
  const dayOf = (at: Date) => new Intl.DateTimeFormat('en', { timeZone: zone, dateStyle: 'short' }).format(at)
  return last !== null && dayOf(last) === dayOf(now())
}

/** Each minute: starts the syncs that are due. */
export const startDueSyncs = (platform: Platform): Promise<void> =>
  startDue(platform, {
    lockDue: lockDueSyncs,
    setNext: setNextRun,
    start: async (ctx, { id, schedule }) =>
      startRun(ctx, id, { dryRun: false, incremental: await isFullDone(ctx, id, schedule) }),
    busyCode: errors['directory-sync.running']().code,
  })

/** Events about more people start a full run. */
const MAX_NAMED = 2000

/**
 * Each minute: ends interrupted runs, and reads the people named by a source's events, or everything if they can't be read by name. Too many
 * are left to a full run, which is repeated until one succeeds.
 */
export async function startEventSyncs(platform: Platform): Promise<void> {
  await tryEndInterrupted(platform, endInterruptedRuns)
  if ((await syncSwitch(systemContext(platform))).isPaused) return
  await startDue<EventSync>(platform, {
    lockDue: lockEventSyncs,
    // Runs for events don't change the schedule.
    setNext: async () => {},
    async start(ctx, { id, eventsUntil, people }) {
      if (eventsUntil !== null && people > MAX_NAMED)
        return void (await leaveToFullRun(ctx.db, id, eventsUntil, await ctx.sharedNow(ctx.db)))
      await startRun(ctx, id, { dryRun: false, incremental: false, eventsUntil })
    },
    busyCode: errors['directory-sync.running']().code,
  })
}
