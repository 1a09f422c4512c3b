import { v7 } from 'uuid'
import type { SyncRow, SyncRun, syncRunDetails } from '#shared/contract/directory-syncs.ts'
import type { Input } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { startTask } from '../background-tasks/index.ts'
import { sourceVersion } from '../data-sources/index.ts'
import { recordAudit } from '../records/index.ts'
import { errors } from './directory-syncs.errors.ts'
import { syncsService } from './directory-syncs.service.ts'
import { type Problem, pageOfRows } from './rows.store.ts'
import {
  findLastGoodRows,
  findRun,
  insertRun,
  listRunsOf,
  type RunRow,
  settleFormerRuns,
  updateRun,
} from './runs.store.ts'

export const TASK_KIND = 'directory-sync.run'

function toRun(ctx: Context, { startedAt, finishedAt, problem, words, ...row }: RunRow): SyncRun {
  const { syncVersion, sourceVersion: _, sourceId, ...told } = row
  const said = problem && ctx.translate(ctx.client.language, problemKey(problem))
  return {
    ...told,
    problem: said && words ? `${said} (${words})` : said,
    startedAt: startedAt.toISOString(),
    finishedAt: toIso(finishedAt),
  }
}

const OWN_PROBLEMS = ['empty', 'interrupted', 'superseded', 'no-mapped-column']
const problemKey = (problem: string): string =>
  OWN_PROBLEMS.includes(problem) ? `directory-sync-failure.${problem}` : `data-source-problem.${problem}`

/** @throws Refusal `directory-sync.no-run`. */
async function getRun(ctx: Context, id: string, lock = false): Promise<RunRow> {
  const run = await findRun(ctx.db, id, lock)
  if (!run) throw errors['directory-sync.no-run']()
  return run
}

const target = (id: string) => ({ targetKind: 'directory-sync', targetId: id })

/** Reads and plans, in the background. @throws Refusal `resource.not-found`, `directory-sync.running`. */
export async function startRun(ctx: Context, syncId: string, dryRun: boolean): Promise<SyncRun> {
  return await transaction(ctx, async (inner) => {
    const { sourceId, version } = await syncsService.get(inner, syncId)
    await settleFormerRuns(inner.db, sourceId, inner.now())
    const id = v7()
    const isIn = await insertRun(inner.db, {
      ...{ id, syncId, sourceId, dryRun, syncVersion: version },
      sourceVersion: await sourceVersion(inner, sourceId),
      startedBy: callerOf(inner).userId,
      at: inner.now(),
    })
    if (!isIn) throw errors['directory-sync.running']()
    await queueRun(inner, id, (await findLastGoodRows(inner.db, sourceId)) ?? 0)
    await recordAudit(inner, { action: 'directory-sync.start', ...target(syncId), after: { run: id, dryRun } })
    return toRun(inner, await getRun(inner, id))
  })
}

async function queueRun(ctx: Context, runId: string, total: number): Promise<void> {
  const taskId = await startTask(ctx, { kind: TASK_KIND, input: { runId }, total })
  await updateRun(ctx.db, runId, ['reading', 'applying'], { taskId })
}

export async function listRuns(ctx: Context, syncId: string): Promise<{ records: SyncRun[] }> {
  await syncsService.get(ctx, syncId)
  return { records: (await listRunsOf(ctx.db, syncId)).map((row) => toRun(ctx, row)) }
}

const ROWS_SHOWN = 100

/** @throws Refusal `directory-sync.no-run`. */
export async function getRunDetails(
  ctx: Context,
  {
    id,
    outcome = null,
    after,
  }: Omit<Input<typeof syncRunDetails>['query'], 'outcome'> & { outcome?: SyncRow['outcome'] | undefined },
): Promise<{ run: SyncRun; rows: SyncRow[] }> {
  const run = await getRun(ctx, id)
  const rows = await pageOfRows(ctx.db, { runId: id, outcome, after, most: ROWS_SHOWN })
  const say = ({ key, params }: Problem) => ctx.translate(ctx.client.language, key, params)
  return {
    run: toRun(ctx, run),
    rows: rows.map(
      ({ row, externalId, outcome: became, userId, account, name, after: values, isApplied, problems }) => ({
        ...{ row, externalId, outcome: became, isApplied },
        person: userId === null || !account ? null : { id: userId, account, name: name ?? '' },
        fields: became === 'changed' || became === 'leaver' ? Object.keys(values ?? {}) : [],
        problems: (problems ?? []).map(say),
      }),
    ),
  }
}

/**
 * Lets exactly the plan through that was looked at.
 * @throws Refusal `directory-sync.no-run`, `directory-sync.not-waiting`, `directory-sync.changed`, `directory-sync.running`.
 */
export async function approveRun(ctx: Context, id: string, reason: string): Promise<SyncRun> {
  return await transaction(ctx, async (inner) => {
    const run = await getRun(inner, id, true)
    if (run.state !== 'held' && run.state !== 'planned') throw errors['directory-sync.not-waiting']()
    const { version } = await syncsService.get(inner, run.syncId)
    // Another mapping, or another source, would have made another plan.
    if (version !== run.syncVersion || (await sourceVersion(inner, run.sourceId)) !== run.sourceVersion)
      throw errors['directory-sync.changed']()
    const change = { state: 'applying' as const, reason, decidedBy: callerOf(inner).userId }
    await updateRun(inner.db, id, ['held', 'planned'], change)
    await queueRun(inner, id, run.rowsRead)
    const after = { run: id, ...run.counts }
    await recordAudit(inner, { action: 'directory-sync.approve', ...target(run.syncId), reason, after })
    return toRun(inner, await getRun(inner, id))
  })
}

/** @throws Refusal `directory-sync.no-run`, `directory-sync.not-waiting`. */
export async function discardRun(ctx: Context, id: string): Promise<null> {
  return await transaction(ctx, async (inner) => {
    const run = await getRun(inner, id, true)
    const change = { state: 'discarded' as const, decidedBy: callerOf(inner).userId, finishedAt: inner.now() }
    if (!(await updateRun(inner.db, id, ['held', 'planned'], change))) throw errors['directory-sync.not-waiting']()
    await recordAudit(inner, { action: 'directory-sync.discard', ...target(run.syncId), after: { run: id } })
    return null
  })
}
