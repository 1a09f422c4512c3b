import { type Context, type Platform, systemContext, transaction } from '../../platform/platform.ts'
import { defineTask, startScheduledTask } from '../background-tasks/index.ts'
import { countAllPeople } from '../organizations/index.ts'
import { recordAudit } from '../records/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { nextRunAt, type SweepCounts } from './dormancy.rules.ts'
import { findLatestRun, type Run } from './dormancy.store.ts'
import { type SweepInput, sweep } from './sweep.service.ts'

/** With the message `task.<kind>`. */
export const SWEEP_TASK_KIND = 'dormancy.sweep'

export const sweepTask = defineTask({ kind: SWEEP_TASK_KIND, run: sweep })

/** Nightly: requests a run over everybody, which one of the nodes takes. */
export async function startSweep(platform: Platform): Promise<void> {
  const ctx = systemContext(platform)
  if ((await signInPolicy(ctx)).dormantAfterDays === 0) return
  await queueSweep(ctx, { isConfirmed: false })
}

async function queueSweep(ctx: Context, input: SweepInput): Promise<void> {
  const total = await countAllPeople(ctx.db)
  await transaction(ctx, async (inner) => {
    const id = await startScheduledTask(inner, { kind: SWEEP_TASK_KIND, input, total })
    if (!input.isConfirmed) return
    const line = { action: 'dormancy.run', targetKind: 'task', targetId: id, after: input }
    await recordAudit(inner, ctx.caller ? line : { ...line, actor: 'command line' })
  })
}

/** The latest run, and when the next one begins; null: nobody becomes dormant. */
export async function describeRuns(ctx: Context): Promise<{ latest: Run | null; nextAt: Date | null }> {
  const { dormantAfterDays } = await signInPolicy(ctx)
  return { latest: await findLatestRun(ctx.db), nextAt: dormantAfterDays > 0 ? nextRunAt(ctx.now()) : null }
}

/** Continues a held run, for a super user or an operator who knows the reason. @returns what was held; null: nothing was, and nothing is started */
export async function confirmSweep(ctx: Context): Promise<SweepCounts | null> {
  const run = await findLatestRun(ctx.db)
  if (!run?.held) return null
  await queueSweep(ctx, { isConfirmed: true })
  return run
}
