import { isDeepStrictEqual } from 'node:util'
import type { DirectorySync } from '#shared/contract/directory-syncs.ts'
import { WRITTEN_OUTCOMES } from '#shared/rules/undoable-run.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { eachInSlices, mapInSlices } from '../../platform/slices.ts'
import type { RunningTask } from '../background-tasks/index.ts'
import { deleteEmptyOrganizations, writeOrganizations } from '../organizations/index.ts'
import { notifyResponsible } from '../sync-runs/index.ts'
import { findComparedStamp } from './department-agreement.service.ts'
import { planMissing } from './department-leavers.service.ts'
import {
  countDepartmentLinks,
  hasUnlinkedDepartments,
  listElsewhere,
  listGoneDepartments,
  markDepartmentsTaken,
  saveDepartmentLinks,
  settleDepartmentLinks,
  stampDepartments,
} from './department-links.store.ts'
import { planDepartments } from './department-plan.rules.ts'
import { departmentColumns, departmentOptions, loadWorld, readDepartment } from './department-world.service.ts'
import { type DepartmentChange, toDepartmentWrites } from './department-writes.rules.ts'
import { type DepartmentPlan, type DepartmentWorld, departmentProblem } from './departments.types.ts'
import { lockVersion } from './directory-syncs.store.ts'
import { judgePlan } from './judge.rules.ts'
import {
  countFields,
  countRows,
  hasUnplannedRows,
  insertPlannedRows,
  listAllRows,
  type PlannedRow,
  type StoredRow,
  updateRows,
} from './rows.store.ts'
import { endRun } from './run-end.service.ts'
import { noticeLink } from './run-start.service.ts'
import { findExpectedRows, findRun, type RunRow, updateRun } from './runs.store.ts'
import { syncSwitch } from './sync-switch.service.ts'

export type DepartmentStep = { run: RunRow; sync: DirectorySync }

/** Rows in one text, few enough that writing it blocks nobody for long. */
const CHUNK = 500

/** Plans all rows at once, because each depends on the others. */
async function planAll(ctx: Context, { run, sync }: DepartmentStep, lock: boolean) {
  const options = departmentOptions(sync)
  const stored = await listAllRows(ctx.db, run.id)
  const world = await loadWorld(ctx, sync, lock)
  const present = stored.filter(({ cells }) => cells !== null)
  const columns = departmentColumns(options)
  const rows = await mapInSlices(present, (row) => readDepartment(ctx, row, { options, columns }))
  const plans = await planDepartments(rows, world, options)
  return { stored, world, options, plans: await holdClashes(plans, world) }
}

/** Turns rows whose codes or parents clash with others into conflicts; only the whole plan shows them. */
async function holdClashes(plans: DepartmentPlan[], { organizations }: DepartmentWorld): Promise<DepartmentPlan[]> {
  const changes = plans.flatMap(toChange)
  const writableRows = new Set((await toDepartmentWrites(changes, organizations)).map(({ row }) => row))
  const changedRows = new Set(changes.map(({ row }) => row))
  return await mapInSlices(plans, (plan) => {
    if (!changedRows.has(plan.row) || writableRows.has(plan.row)) return plan
    const problems = [departmentProblem('clash')]
    return { ...plan, outcome: 'conflict', before: null, after: null, problems }
  })
}

const toChange = ({ row, organizationId, after, outcome }: DepartmentPlan): DepartmentChange[] =>
  organizationId && after && outcome !== 'leaver' ? [{ row, organizationId, after }] : []

const toPlanned = ({ row, outcome, organizationId, before, after, problems }: DepartmentPlan): PlannedRow => ({
  ...{ row, outcome, organizationId, before, after },
  userId: null,
  problems: problems.length > 0 ? problems : null,
})

type Planning = DepartmentStep & { compared: string | null }

/**
 * Plans every row unless all agree already, and still do.
 * @param compared the stamp of the departments with which they agreed
 * @returns whether rows contradict each other
 */
async function planRows(ctx: Context, { run, sync, compared }: Planning): Promise<boolean> {
  const isPlanned = !(await hasUnplannedRows(ctx.db, run.id))
  if (isPlanned && (await stampDepartments(ctx.db, sync)) === compared) return false
  const { stored, plans } = await planAll(ctx, { run, sync }, false)
  const agreed = new Map(stored.map((row) => [row.row, row]))
  const differing = plans.filter((plan) => !isAgreed(plan, agreed.get(plan.row)))
  for (let from = 0; from < differing.length; from += CHUNK)
    await updateRows(ctx.db, run.id, differing.slice(from, from + CHUNK).map(toPlanned))
  return plans.some(({ isBroken }) => isBroken)
}

/** Was the row found to be so when it was read? */
const isAgreed = (plan: DepartmentPlan, read: StoredRow | undefined): boolean =>
  plan.outcome === 'unchanged' &&
  read?.outcome === 'unchanged' &&
  read.organizationId === plan.organizationId &&
  isDeepStrictEqual(read.problems ?? [], plan.problems)

/** Plans every department, then compares the totals with the thresholds. */
export async function planDepartmentRun(ctx: Context, task: RunningTask, { run, sync }: DepartmentStep): Promise<void> {
  const compared = await findComparedStamp(ctx, run)
  await transaction(ctx, async (inner) => {
    const isBroken = await planRows(inner, { run, sync, compared })
    const isComplete = run.isComplete && !isBroken
    const gone = isComplete ? await listGoneDepartments(inner.db, { runId: run.id, syncId: run.syncId }) : []
    if (gone.length > 0) await insertPlannedRows(inner.db, run.id, await planMissing(inner, gone, { run, sync }))
    // `runSync` ends a run whose sync was changed.
    if ((await lockVersion(inner.db, run.syncId)) !== run.syncVersion) return
    const counts = await countRows(inner.db, run.id)
    const heldFor = judgePlan(
      {
        rowsRead: run.rowsRead,
        expectedRows: await findExpectedRows(inner.db, run.syncId, inner.now(), 'departments'),
        linked: await countDepartmentLinks(inner.db, run.syncId),
        counts: { ...counts, changed: (counts.changed ?? 0) + (counts.moved ?? 0) },
        newlyMissing: gone.filter(({ missingRuns }) => missingRuns === 0).length,
        fields: await countFields(inner.db, run.id),
      },
      sync.thresholds,
    )
    const { isPaused } = await syncSwitch(inner)
    const state = nextState({ run, sync, counts, isPaused, isHeld: heldFor.length > 0 })
    await updateRun(inner.db, run.id, ['planning'], { state, counts, heldFor, isComplete })
    const notice = { run, sync, ...noticeLink(sync), heldKey: 'department-sync.held', heldFor } as const
    if (state === 'held') await notifyResponsible(inner, notice)
    await task.progress(0, inner.db)
  })
}

const writesNothing = (counts: RunRow['counts']) => WRITTEN_OUTCOMES.every((outcome) => !counts[outcome])

type Judged = DepartmentStep & { counts: RunRow['counts']; isPaused: boolean; isHeld: boolean }

function nextState({ run, sync, counts, isPaused, isHeld }: Judged): 'held' | 'applying' | 'planned' {
  if (isHeld) return 'held'
  if (isPaused) return 'planned'
  // If nothing has to be written, a dry run of both continues with the people.
  return !run.dryRun || (sync.objects === 'both' && writesNothing(counts)) ? 'applying' : 'planned'
}

const isSame = (planned: StoredRow, now: DepartmentPlan) =>
  planned.outcome === now.outcome &&
  planned.organizationId === now.organizationId &&
  isDeepStrictEqual(planned.before, now.before) &&
  isDeepStrictEqual(planned.after, now.after)

/**
 * Applies the plan in one transaction, because half a move would break the tree. Rows that no longer match the plan are skipped and named.
 */
export async function applyDepartmentRun(ctx: Context, task: RunningTask, step: DepartmentStep): Promise<void> {
  const { run } = step
  if (task.cancelled()) return
  await transaction(ctx, async (inner) => {
    if ((await findRun(inner.db, run.id, true))?.state !== 'applying') return
    if (await isIdle(inner, run)) return await settleRun(inner, task, step)
    const { stored, world, plans } = await planAll(inner, step, true)
    const planned = new Map(stored.map((row) => [row.row, row]))
    const same: DepartmentPlan[] = []
    await eachInSlices(plans, (plan) => {
      const before = planned.get(plan.row)
      if (before && isSame(before, plan)) same.push(plan)
    })
    const written = await writePlan(inner, { same, stored, world }, step)
    const marks = stored
      .filter(({ outcome }) => outcome !== null && WRITTEN_OUTCOMES.includes(outcome))
      .map((row) => toMark(row, written.has(row.row)))
    for (let from = 0; from < marks.length; from += CHUNK)
      await updateRows(inner.db, run.id, marks.slice(from, from + CHUNK))
    await settleRun(inner, task, step)
  })
}

/** Nothing to write, nobody to link, and nothing taken that would be given back. */
const isIdle = async (ctx: Context, { id, syncId, counts }: RunRow): Promise<boolean> =>
  writesNothing(counts) && !(await hasUnlinkedDepartments(ctx.db, { runId: id, syncId }))

async function settleRun(ctx: Context, task: RunningTask, { run, sync }: DepartmentStep): Promise<void> {
  await settleDepartmentLinks(ctx.db, { runId: run.id, syncId: run.syncId, at: ctx.now() })
  await endRun(ctx, run, sync)
  await task.progress(0, ctx.db)
}

type Settled = { same: readonly DepartmentPlan[]; stored: readonly StoredRow[]; world: DepartmentWorld }

/** @returns the rows that were written. */
async function writePlan(
  ctx: Context,
  { same, stored, world }: Settled,
  { run, sync }: DepartmentStep,
): Promise<Set<number>> {
  const planned = stored.filter(({ outcome }) => outcome === 'leaver')
  const ids = planned.flatMap(({ organizationId }) => organizationId ?? [])
  const elsewhere = await listElsewhere(ctx.db, run.syncId, ids)
  const leavers = planned.filter(({ organizationId }) => !elsewhere.has(organizationId ?? ''))
  const disabled = toDisabled(leavers, world)
  const writes = await toDepartmentWrites([...same.flatMap(toChange), ...disabled], world.organizations)
  await writeOrganizations(ctx, writes, sync.name)
  const written = new Set([...writes.map(({ row }) => row), ...(await removeGone(ctx, leavers, world, sync.name))])
  const linkOf = new Map(world.links.map((link) => [link.externalId, link]))
  const linked = same.filter(({ row, outcome, externalId }) => {
    const link = linkOf.get(externalId)
    return written.has(row) || (outcome === 'unchanged' && (!link || link.takenVersion !== null))
  })
  await saveDepartmentLinks(ctx.db, { syncId: run.syncId, runId: run.id, at: ctx.now() }, linked.flatMap(toNewLink))
  const taken = disabled.filter(({ row }) => written.has(row)).map(({ organizationId }) => organizationId)
  await markDepartmentsTaken(ctx.db, run.syncId, taken)
  return written
}

/** Leavers to disable that are still enabled. */
function toDisabled(leavers: readonly StoredRow[], { organizations }: DepartmentWorld): DepartmentChange[] {
  const enabled = new Set(organizations.flatMap(({ id, enabled: is }) => (is ? [id] : [])))
  return leavers.flatMap(({ row, organizationId, after }) => {
    const isToDisable = (after as { enabled?: boolean } | null)?.enabled === false
    return organizationId && isToDisable && enabled.has(organizationId)
      ? [{ row, organizationId, after: { enabled: false } }]
      : []
  })
}

const toNewLink = ({ externalId, organizationId }: DepartmentPlan) =>
  organizationId ? [{ externalId, organizationId }] : []

const toMark = (row: StoredRow, isApplied: boolean): PlannedRow => ({
  ...{ row: row.row, before: row.before, after: row.after, organizationId: row.organizationId, isApplied },
  userId: null,
  outcome: isApplied && row.outcome ? row.outcome : 'changed-since',
  problems: isApplied ? row.problems : [departmentProblem('changed-since')],
})

async function removeGone(
  ctx: Context,
  leavers: readonly StoredRow[],
  { organizations }: DepartmentWorld,
  reason: string,
): Promise<number[]> {
  const byId = new Map(organizations.map((one) => [one.id, one]))
  const gone = leavers.flatMap(({ row, organizationId, after }) => {
    const one = byId.get(organizationId ?? '')
    if (!one || !(after as { gone?: boolean } | null)?.gone) return []
    const { id, version: _, isEnding: __, ...before } = one
    return [{ row, id, before, after: before }]
  })
  const removed = gone.length > 0 ? await deleteEmptyOrganizations(ctx, gone, reason) : new Set<string>()
  return gone.flatMap(({ row, id }) => (removed.has(id) ? [row] : []))
}
