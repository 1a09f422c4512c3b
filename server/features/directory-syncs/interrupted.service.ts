import type { Context } from '../../platform/platform.ts'
import { type InterruptedRun, notifyInterrupted } from '../sync-runs/index.ts'
import { syncsService } from './directory-syncs.service.ts'
import { setEventsOfRunsSeen } from './event-runs.store.ts'
import { noticeLink } from './run-start.service.ts'
import { endInterrupted } from './runs.store.ts'

/** Settles the events of interrupted runs and notifies the people responsible, in the caller's transaction. */
export async function settleInterrupted(ctx: Context, ended: readonly InterruptedRun[]): Promise<void> {
  if (ended.length === 0) return
  await setEventsOfRunsSeen(
    ctx.db,
    ended.map(({ id }) => id),
  )
  await notifyInterrupted(ctx, ended, async (id) => {
    const sync = await syncsService.get(ctx, id)
    return { sync, ...noticeLink(sync) }
  })
}

/** Ends interrupted runs, in the caller's transaction. */
export async function endInterruptedRuns(ctx: Context): Promise<void> {
  await settleInterrupted(ctx, await endInterrupted(ctx.db, ctx.now()))
}
