import type { DirectorySync } from '#shared/contract/directory-syncs.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import { type OpenSource, SourceFault } from '../../connectors/index.ts'
import { analyzeWhileFilling } from '../../platform/analyze-tables.ts'
import { commitWithoutWaiting } from '../../platform/db.ts'
import { forceCustomPlan, reusePlans } from '../../platform/list.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { mapInSlices } from '../../platform/slices.ts'
import { cleanCell } from '../../platform/spreadsheet/sheet-row.ts'
import { type RunningTask, StoppedError, waitIn } from '../background-tasks/index.ts'
import { openStoredSource, sourceProblem } from '../data-sources/index.ts'
import { recordAudit } from '../records/index.ts'
import { notifyResponsible } from '../sync-runs/index.ts'
import { beforeCursor, untilToday } from './cursor.rules.ts'
import { type Agreement, openAgreement } from './department-agreement.service.ts'
import { departmentColumns, departmentOptions } from './department-world.service.ts'
import { syncsService } from './directory-syncs.service.ts'
import { listEventPeople, setEventsSeen } from './event-runs.store.ts'
import { countLinks, listUnchanged } from './links.store.ts'
import { fingerprintOf, loadPlanOptions, mapCells, type PlanOptions } from './plan-options.service.ts'
import { problemKey } from './problem-key.rules.ts'
import { cleanKey } from './row-key.rules.ts'
import { countStaged, deleteRows, insertMissing, insertRows, markUnkeyedRows, unmarkRows } from './rows.store.ts'
import { noticeLink } from './run-start.service.ts'
import { type RunRow, updateRun } from './runs.store.ts'
import { columnsOf } from './transforms.rules.ts'

type Step = { run: RunRow; sync: DirectorySync }

/** The table and columns to read, the key first. */
function reading({ run, sync }: Step): { table: string; columns: string[] } {
  if (run.objects === 'people') return { table: sync.table, columns: [sync.keyColumn, ...columnsOf(sync.mapping)] }
  const options = departmentOptions(sync)
  return { table: options.table, columns: [options.keyColumn, ...departmentColumns(options)] }
}

/** Plans only from complete data: if reading fails, nothing is planned. */
export async function readSource(ctx: Context, task: RunningTask, { run, sync }: Step): Promise<void> {
  let cursorAfter: string | null = null
  const analyze = analyzeWhileFilling(ctx.db, ['directory_sync_rows'])
  const comparing = await openComparison(ctx, { run, sync })
  const { agreement } = comparing
  try {
    await deleteRows(ctx.db, run.id)
    const rowsRead = await openStoredSource(ctx, { id: run.sourceId, wait: waitIn(task) }, async (source) => {
      let row = 0
      const { batches, latest } = await openRead(ctx, source, { run, sync })
      cursorAfter = latest
      for await (const batch of batches) {
        const first = row + 1
        row += batch.length
        await transaction(ctx, async (inner) => {
          await commitWithoutWaiting(inner.db)
          await insertRows(inner.db, run.id, await stageRows(inner, batch, first, comparing))
          await task.progress(0, inner.db)
        })
        await analyze(batch.length)
        if (task.cancelled()) break
      }
      return row
    })
    if (task.cancelled()) return
    if (rowsRead === 0 && run.mode === 'full') return void (await failRun(ctx, task, run, 'empty'))
    await transaction(ctx, async (inner) => {
      // A crash of the database may have taken back what wasn't on its disk yet, while the source let the task wait.
      const staged = await countStaged(inner.db, run.id)
      if (staged !== rowsRead) throw new Error(`${rowsRead} rows were read, and ${staged} are there`)
      // An incremental run doesn't see unchanged rows.
      const isComplete = (await markUnkeyedRows(inner.db, run.id)) === 0 && run.mode === 'full'
      if (agreement && !(await agreement.holds(inner))) await unmarkRows(inner.db, run.id)
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

type Comparing = { options: PlanOptions | null; agreement: Agreement | null }

/** What rows are compared with while they are read. */
async function openComparison(ctx: Context, { run, sync }: Step): Promise<Comparing> {
  if (run.objects === 'departments') return { options: null, agreement: await openAgreement(ctx, run, sync) }
  // In the first run nobody can be known already.
  if ((await countLinks(ctx.db, run.syncId)) === 0) return { options: null, agreement: null }
  // Planning loads its own: a read may take hours, and departments and categories may be added meanwhile.
  return { options: await loadPlanOptions(ctx, sync, run), agreement: null }
}

/**
 * Rows of people that say what they said before, about people who are as they were, need no plan: what they say isn't kept. Departments are
 * planned all together if at least one has to be.
 */
async function stageRows(ctx: Context, batch: readonly string[][], first: number, { options, agreement }: Comparing) {
  const rows = await mapInSlices(batch, ([key = '', ...cells]) => ({
    externalId: cleanKey(key),
    cells: cells.map(cleanCell),
  }))
  const unchanged = options ? await findUnchanged(ctx, rows, options) : new Map<string, string>()
  let row = first
  return await mapInSlices(rows, ({ externalId, cells }) => {
    const userId = unchanged.get(externalId) ?? null
    const agreed = agreement?.departmentOf({ externalId, cells })
    return {
      ...{ externalId, row: row++, userId, organizationId: agreed?.organizationId ?? null },
      problems: agreed?.problems ?? [],
      cells: userId === null ? ctx.secrets.seal(JSON.stringify(cells)) : '',
    }
  })
}

type ReadCells = { externalId: string; cells: readonly string[] }

/** The people of unchanged rows, by key. */
async function findUnchanged(
  ctx: Context,
  rows: readonly ReadCells[],
  options: PlanOptions,
): Promise<Map<string, string>> {
  const seen = await mapInSlices(rows, ({ externalId, cells }) => ({
    externalId,
    fingerprint: fingerprintOf(ctx, mapCells(cells, 0, options)),
  }))
  // People become many while it runs, and what was the best plan for few is the worst for them.
  await forceCustomPlan(ctx.db)
  const found = await listUnchanged(
    ctx.db,
    options.syncId,
    seen.filter(({ fingerprint }) => fingerprint !== null),
  )
  // Otherwise the check of each inserted reference would be planned anew.
  await reusePlans(ctx.db)
  return new Map(found.map(({ externalId, userId }) => [externalId, userId]))
}

/** The rows of a run and the cursor after them. @throws SourceFault `no-column`. */
async function openRead(ctx: Context, source: OpenSource, step: Step) {
  const { table, columns } = reading(step)
  if (step.run.eventsUntil !== null && source.named)
    return { batches: source.named(columns, await listEventPeople(ctx.db, step.run.id)), latest: null }
  const names = (await source.columns(table)).map(({ name }) => name)
  const gone = columns.find((name) => !names.includes(name))
  if (gone !== undefined) throw new SourceFault('no-column', gone)
  const { since, latest } = await cursorOf(ctx, source, step)
  const read = since ? source.changes?.readSince(table, columns, since) : null
  return { batches: read ?? source.read(table, columns), latest }
}

type Since = { column: string; value: string }

/** Where a run starts and the latest cursor, both as of one moment of the source. */
async function cursorOf(
  ctx: Context,
  source: OpenSource,
  { run, sync }: Step,
): Promise<{ since: Since | null; latest: string | null }> {
  const column = sync.cursorColumn
  if (column === null || run.objects !== 'people' || !source.changes) return { since: null, latest: null }
  const latest = await source.changes.latest(sync.table, column)
  const before = run.cursorBefore === null ? null : untilToday(run.cursorBefore, ctx.now())
  const value = before === null ? null : beforeCursor(before)
  return { since: value === null ? null : { column, value }, latest: latest && untilToday(latest, ctx.now()) }
}

async function addMissing(ctx: Context, { run, sync }: Step): Promise<void> {
  const { action, runs, days } = sync.leavers
  const at = ctx.now()
  const rule = { runs, at, since: new Date(at.getTime() - days * DAY_MS), isKept: action === 'none' }
  await insertMissing(ctx.db, { runId: run.id, syncId: run.syncId, rule })
}

/** Ends a run before anything is written; guarded by its state: another node may have taken over the task. */
export async function failRun(
  ctx: Context,
  task: RunningTask,
  run: RunRow,
  problem: string,
  words = '',
): Promise<void> {
  await transaction(ctx, async (inner) => {
    const finishedAt = inner.now()
    const failed = { state: 'failed' as const, problem, words, isComplete: false, finishedAt }
    if (!(await updateRun(inner.db, run.id, ['reading', 'planning'], failed))) return
    // The full run that follows a failed one covers the people of these events.
    if (run.eventsUntil !== null) await setEventsSeen(inner.db, run.syncId, run.eventsUntil)
    const sync = await syncsService.get(inner, run.syncId)
    const failure = { key: problemKey(problem), words }
    await notifyResponsible(inner, { run, sync, ...noticeLink(sync), heldFor: [], failure })
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
