import { type Context, type Platform, systemContext, transaction } from '../../platform/platform.ts'
import { defineTask, startScheduledTask } from '../background-tasks/index.ts'
import { countAllPeople } from '../organizations/index.ts'
import { recordAudit } from '../records/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { nextRunAt, type SweepCounts } from './dormancy.rules.ts'
import { findLatestRun, isTaskUnderWay, lockSweep, type Run } from './dormancy.store.ts'
import { type SweepInput, sweep } from './sweep.service.ts'

/** With the message `task.<kind>`. */
export const SWEEP_TASK_KIND = 'dormancy.sweep'

export const sweepTask = defineTask({ kind: SWEEP_TASK_KIND, run: sweep })

/** Nightly: requests a run over everybody, which one of the nodes takes. */
export async function startSweep(platform: Platform): Promise<void> {
  const ctx = systemContext(platform)
  if ((await signInPolicy(ctx)).dormantAfterDays === 0) return
  await transaction(ctx, (inner) => queueSweep(inner, { confirmed: null }))
}

async function queueSweep(ctx: Context, input: SweepInput): Promise<string> {
  return await startScheduledTask(ctx, { kind: SWEEP_TASK_KIND, input, total: await countAllPeople(ctx.db) })
}

/** The latest run, whether one is under way or about to begin, and when the next one begins; null: nobody becomes dormant. */
export async function describeRuns(
  ctx: Context,
): Promise<{ latest: Run | null; isUnderWay: boolean; nextAt: Date | null }> {
  const { dormantAfterDays } = await signInPolicy(ctx)
  // Asked first: a run that ends meanwhile has its figures.
  const isUnderWay = await isTaskUnderWay(ctx.db, SWEEP_TASK_KIND)
  const latest = await findLatestRun(ctx.db)
  return { latest, isUnderWay, nextAt: dormantAfterDays > 0 ? nextRunAt(ctx.now()) : null }
}

/**
 * Continues a held run, for a super user or an operator who knows the reason; once, however many do so at the same time.
 * @param shown what they have seen that it would do; without it, what is stored.
 * @returns what it may do; null: nothing is held, or a run is under way, and nothing is started.
 */
export async function confirmSweep(ctx: Context, shown?: SweepCounts): Promise<SweepCounts | null> {
  return await transaction(ctx, async (inner) => {
    await lockSweep(inner.db)
    const run = await findLatestRun(inner.db)
    if (!run?.held || (await isTaskUnderWay(inner.db, SWEEP_TASK_KIND))) return null
    const { people, dormant, locked, told } = shown ?? run
    const confirmed = { people, dormant, locked, told }
    const id = await queueSweep(inner, { confirmed })
    const line = { action: 'dormancy.run', targetKind: 'task', targetId: id, after: confirmed }
    await recordAudit(inner, ctx.caller ? line : { ...line, actor: 'command line' })
    return confirmed
  })
}
