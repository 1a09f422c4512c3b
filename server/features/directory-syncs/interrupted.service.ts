import type { Context } from '../../platform/platform.ts'
import { type InterruptedRun, tellInterrupted } from '../sync-runs/index.ts'
import { syncsService } from './directory-syncs.service.ts'
import { setEventsOfRunsSeen } from './event-runs.store.ts'
import { placeOf } from './run-start.service.ts'
import { endInterrupted } from './runs.store.ts'

/** In the caller's transaction, what follows from the end of runs with which nobody goes on. */
export async function settleInterrupted(ctx: Context, ended: readonly InterruptedRun[]): Promise<void> {
  if (ended.length === 0) return
  await setEventsOfRunsSeen(
    ctx.db,
    ended.map(({ id }) => id),
  )
  await tellInterrupted(ctx, ended, async (id) => {
    const sync = await syncsService.get(ctx, id)
    return { sync, ...placeOf(sync) }
  })
}

/** Ends them, in the caller's transaction. */
export async function endInterruptedRuns(ctx: Context): Promise<void> {
  await settleInterrupted(ctx, await endInterrupted(ctx.db, ctx.now()))
}
