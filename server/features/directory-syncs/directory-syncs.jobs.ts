import { z } from 'zod'
import type { DirectorySync, SyncSchedule } from '#shared/contract/directory-syncs.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import { type OpenSource, SourceFault } from '../../connectors/index.ts'
import { analyzeWhileFilling } from '../../platform/analyze-tables.ts'
import { forceCustomPlan } from '../../platform/list.ts'
import { type Context, type Platform, systemContext, transaction } from '../../platform/platform.ts'
import { cleanCell } from '../../platform/spreadsheet/sheet-row.ts'
import { defineTask, type RunningTask, StoppedError, waitIn } from '../background-tasks/index.ts'
import { openStoredSource, sourceProblem } from '../data-sources/index.ts'
import { recordAudit } from '../records/index.ts'
import { notifyResponsible, startDue, tryEndInterrupted } from '../sync-runs/index.ts'
import { applyPlan } from './apply.service.ts'
import { beforeCursor } from './cursor.rules.ts'
import { undoDepartmentRun } from './department-undo.service.ts'
import { applyDepartmentRun, departmentColumns, departmentOptions, planDepartmentRun } from './departments.service.ts'
import { errors } from './directory-syncs.errors.ts'
import { syncsService } from './directory-syncs.service.ts'
import { findLastFullRun, lockDueSyncs, setNextRun } from './directory-syncs.store.ts'
import { type EventSync, listEventPeople, lockEventSyncs, setEventsSeen } from './event-runs.store.ts'
import { endInterruptedRuns } from './interrupted.service.ts'
import { judgePlan } from './judge.rules.ts'
import { countLinks } from './links.store.ts'
import { deleteGoneMatches, deleteOpenMatches, saveMatches } from './matches.store.ts'
import { loadPlanOptions, type Plan, planRows } from './plan-rows.service.ts'
import { problemKey } from './problem-key.rules.ts'
import {
  countFields,
  countNewlyMissing,
  countRows,
  deleteOldRows,
  deleteRows,
  insertMissing,
  insertRows,
  listUnplannedRows,
  markUnkeyedRows,
  updateRows,
} from './rows.store.ts'
import { noticeLink, TASK_KIND } from './run-start.service.ts'
import { startRun } from './runs.service.ts'
import { findLastGoodRows, findRun, type RunRow, updateRun } from './runs.store.ts'
import { syncSwitch } from './sync-switch.service.ts'
import { columnsOf } from './transforms.rules.ts'
import { undoPlan } from './undo.service.ts'

const TaskInput = z.object({ runId: z.uuid() })

const MAX_KEY_LENGTH = 500

/** People per transaction. */
const BATCH = 500

type Step = { run: RunRow; sync: DirectorySync }

/** Continues from the run's stored state, so that an interruption repeats one step at most. */
async function runSync(ctx: Context, task: RunningTask): Promise<unknown> {
  const { runId } = TaskInput.parse(task.input)
  for (;;) {
    const run = await findRun(ctx.db, runId)
    if (!run) throw errors['directory-sync.no-run']()
    if (!(run.state in STEPS.people)) return run.counts
    if (task.cancelled() && run.state !== 'undoing') {
      await transaction(ctx, async (inner) => {
        const counts = await countRows(inner.db, runId)
        await updateRun(inner.db, runId, UNDER_WAY, { state: 'cancelled', counts, finishedAt: inner.now() })
        if (run.eventsUntil !== null) await setEventsSeen(inner.db, run.syncId, run.eventsUntil)
        await task.progress(0, inner.db)
      })
      return run.counts
    }
    const sync = await syncsService.get(ctx, run.syncId)
    await STEPS[run.objects][run.state as keyof (typeof STEPS)['people']](ctx, task, { run, sync })
  }
}

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

/** The table and columns to read, the key first. */
function reading({ run, sync }: Step): { table: string; columns: string[] } {
  if (run.objects === 'people') return { table: sync.table, columns: [sync.keyColumn, ...columnsOf(sync.mapping)] }
  const options = departmentOptions(sync)
  return { table: options.table, columns: [options.keyColumn, ...departmentColumns(options)] }
}

/** Plans only from complete data: if reading fails, nothing is planned. */
async function readSource(ctx: Context, task: RunningTask, { run, sync }: Step): Promise<void> {
  let cursorAfter: string | null = null
  const analyze = analyzeWhileFilling(ctx.db, ['directory_sync_rows'])
  try {
    await deleteRows(ctx.db, run.id)
    const rowsRead = await openStoredSource(ctx, { id: run.sourceId, wait: waitIn(task) }, async (source) => {
      let row = 0
      const { batches, latest } = await openRead(ctx, source, { run, sync })
      cursorAfter = latest
      for await (const batch of batches) {
        const staged = batch.map(([key = '', ...cells]) => ({
          row: ++row,
          // Made well-formed after cutting: PostgreSQL rejects half a surrogate pair.
          externalId: cleanCell(key).slice(0, MAX_KEY_LENGTH).toWellFormed(),
          cells: ctx.secrets.seal(JSON.stringify(cells.map(cleanCell))),
        }))
        await transaction(ctx, async (inner) => {
          await insertRows(inner.db, run.id, staged)
          await task.progress(0, inner.db)
        })
        await analyze(staged.length)
        if (task.cancelled()) break
      }
      return row
    })
    if (task.cancelled()) return
    if (rowsRead === 0 && run.mode === 'full') return void (await failRun(ctx, task, run, 'empty'))
    await transaction(ctx, async (inner) => {
      // An incremental run doesn't see unchanged rows.
      const isComplete = (await markUnkeyedRows(inner.db, run.id)) === 0 && run.mode === 'full'
      // Missing people can't be determined from incomplete data.
      if (isComplete && run.objects === 'people') await addMissing(inner, { run, sync })
      await updateRun(inner.db, run.id, ['reading'], { state: 'planning', rowsRead, isComplete, cursorAfter })
      if (run.eventsUntil !== null) await setEventsSeen(inner.db, run.syncId, run.eventsUntil)
      await task.progress(0, inner.db)
    })
  } catch (error) {
    if (error instanceof StoppedError) return
    const fault = sourceProblem(ctx, error)
    if (!fault) throw error
    // Every column that a run reads comes from the mapping.
    const problem = fault.problem === 'no-column' ? 'no-mapped-column' : fault.problem
    await failRun(ctx, task, run, problem, fault.words)
  }
}

/** The rows of a run and the cursor after them. @throws SourceFault `no-column`. */
async function openRead(ctx: Context, source: OpenSource, step: Step) {
  const { table, columns } = reading(step)
  if (step.run.eventsUntil !== null && source.named)
    return { batches: source.named(columns, await listEventPeople(ctx.db, step.run.id)), latest: null }
  const names = (await source.columns(table)).map(({ name }) => name)
  const gone = columns.find((name) => !names.includes(name))
  if (gone !== undefined) throw new SourceFault('no-column', gone)
  const { since, latest } = await cursorOf(source, step)
  const read = since ? source.changes?.readSince(table, columns, since) : null
  return { batches: read ?? source.read(table, columns), latest }
}

type Since = { column: string; value: string }

/** Where a run starts and the latest cursor, both as of one moment of the source. */
async function cursorOf(
  source: OpenSource,
  { run, sync }: Step,
): Promise<{ since: Since | null; latest: string | null }> {
  const column = sync.cursorColumn
  if (column === null || run.objects !== 'people' || !source.changes) return { since: null, latest: null }
  const latest = await source.changes.latest(sync.table, column)
  const value = run.cursorBefore === null ? null : beforeCursor(run.cursorBefore)
  return { since: value === null ? null : { column, value }, latest }
}

async function addMissing(ctx: Context, { run, sync }: Step): Promise<void> {
  const { action, runs, days } = sync.leavers
  const at = ctx.now()
  const rule = { runs, at, since: new Date(at.getTime() - days * DAY_MS), isKept: action === 'none' }
  await insertMissing(ctx.db, { runId: run.id, syncId: run.syncId, rule })
}

/** Guarded by the run's state: another node may have taken over the task. */
async function failRun(ctx: Context, task: RunningTask, run: RunRow, problem: string, words = ''): Promise<void> {
  await transaction(ctx, async (inner) => {
    const finishedAt = inner.now()
    const failed = { state: 'failed' as const, problem, words, isComplete: false, finishedAt }
    if (!(await updateRun(inner.db, run.id, ['reading'], failed))) return
    // The full run that follows a failed one covers the people of these events.
    if (run.eventsUntil !== null) await setEventsSeen(inner.db, run.syncId, run.eventsUntil)
    const sync = await syncsService.get(inner, run.syncId)
    await notifyResponsible(inner, { run, sync, ...noticeLink(sync), heldFor: [], problemKey: problemKey(problem) })
    await deleteRows(inner.db, run.id)
    const after = { run: run.id, state: 'failed', problem }
    await recordAudit(inner, {
      action: 'directory-sync.finish',
      targetKind: 'directory-sync',
      targetId: run.syncId,
      after,
    })
    await task.progress(0, inner.db)
  })
}

/** Plans every row, then compares the totals with the thresholds. */
async function makePlan(ctx: Context, task: RunningTask, { run, sync }: Step): Promise<void> {
  const options = await loadPlanOptions(ctx, sync, run)
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
      await task.progress(0, inner.db)
    })
    if (task.cancelled()) return
  }
  await transaction(ctx, async (inner) => {
    if (run.isComplete) await deleteGoneMatches(inner.db, run.syncId, run.id)
    const counts = await countRows(inner.db, run.id)
    const heldFor = judgePlan(
      {
        rowsRead: run.rowsRead,
        lastRows: run.mode === 'full' ? await findLastGoodRows(inner.db, run.syncId, 'people') : null,
        linked: await countLinks(inner.db, run.syncId),
        counts,
        newlyMissing: await countNewlyMissing(inner.db, run.id, run.syncId),
        fields: await countFields(inner.db, run.id),
      },
      thresholdsOf({ run, sync }),
    )
    const { isPaused } = await syncSwitch(inner)
    const state = heldFor.length > 0 ? 'held' : run.dryRun || isPaused ? 'planned' : 'applying'
    await updateRun(inner.db, run.id, ['planning'], { state, counts, heldFor })
    if (state === 'held') await notifyResponsible(inner, { run, sync, ...noticeLink(sync), heldFor })
    await task.progress(0, inner.db)
  })
}

/** Among a few named people, one bad row would exceed the threshold and hold the run. */
const thresholdsOf = ({ run, sync: { thresholds } }: Step): DirectorySync['thresholds'] =>
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

export const syncTask = defineTask({ kind: TASK_KIND, run: runSync })

const KEPT_DAYS = 30

/** Nightly: deletes what was read of people a month ago. */
export async function forgetSyncRows({ sql, now }: Platform): Promise<void> {
  await deleteOldRows(sql, new Date(now().getTime() - KEPT_DAYS * DAY_MS))
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

/** Each minute: ends interrupted runs, and reads the people named by a source's events, or everything if they can't be read by name. */
export async function startEventSyncs(platform: Platform): Promise<void> {
  await tryEndInterrupted(platform, endInterruptedRuns)
  if ((await syncSwitch(systemContext(platform))).isPaused) return
  await startDue<EventSync>(platform, {
    lockDue: lockEventSyncs,
    // Runs for events don't change the schedule.
    setNext: async () => {},
    async start(ctx, { id, eventsUntil, people }) {
      const isFew = eventsUntil !== null && people <= MAX_NAMED
      await startRun(ctx, id, { dryRun: false, incremental: false, ...(isFew && { eventsUntil }) })
      if (!isFew && eventsUntil !== null) await setEventsSeen(ctx.db, id, eventsUntil)
    },
    busyCode: errors['directory-sync.running']().code,
  })
}
