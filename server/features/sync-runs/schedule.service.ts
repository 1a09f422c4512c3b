import type { SyncSchedule } from '#shared/contract/directory-syncs.ts'
import { MINUTE_MS } from '#shared/rules/durations.ts'
import type { Db } from '../../platform/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { type Context, onSharedClock, type Platform, systemContext, transaction } from '../../platform/platform.ts'
import { nextRun, nextRuns, scheduleProblem } from './schedule.rules.ts'
import { errors } from './sync-runs.errors.ts'

/** @throws Refusal `directory-sync.bad-schedule`, `directory-sync.bad-zone`. */
export function checkSchedule({ now }: Context, schedule: SyncSchedule | null): void {
  const problem = schedule && scheduleProblem(schedule, now())
  const field = problem === 'bad-zone' ? 'zone' : 'cron'
  if (problem) throw errors[`directory-sync.${problem}`]({ data: { fields: [field] } })
}

/** The next five times of a schedule. @throws Refusal `directory-sync.bad-schedule`, `directory-sync.bad-zone`. */
export async function previewSchedule(ctx: Context, schedule: SyncSchedule): Promise<{ runs: string[] }> {
  checkSchedule(ctx, schedule)
  return { runs: nextRuns(schedule, await ctx.sharedNow(ctx.db), 5).map((at) => at.toISOString()) }
}

/** When a sync is due next; null: it has no schedule. */
export const findNextRun = async (ctx: Context, schedule: SyncSchedule | null): Promise<Date | null> =>
  schedule && nextRun(schedule, await ctx.sharedNow(ctx.db))

export type DueSync = { id: string; name: string; schedule: SyncSchedule }

/** A kind of sync that runs by schedule. */
type Scheduled<Due extends DueSync> = {
  /** Locks due syncs; other nodes skip them. */
  lockDue(db: Db, now: Date): PromiseLike<readonly Due[]>
  setNext(db: Db, id: string, at: Date | null): PromiseLike<unknown>
  start(ctx: Context, sync: Due): Promise<unknown>
  /** The refusal of `start` while another run is under way. */
  busyCode: string
}

/** After this delay, a sync that another run kept from starting is tried again. */
const BUSY_MS = 2 * MINUTE_MS

/** Starts the syncs that are due. One blocked by another run is retried shortly; while all are paused it waits for its next time. */
export async function startDue<Due extends DueSync = DueSync>(
  platform: Platform,
  { lockDue, setNext, start, busyCode }: Scheduled<Due>,
): Promise<void> {
  const ctx = await onSharedClock(systemContext(platform))
  const due = await transaction(ctx, async (inner) => {
    const locked = await lockDue(inner.db, inner.now())
    for (const { id, schedule } of locked) await setNext(inner.db, id, nextRun(schedule, inner.now()))
    return locked
  })
  for (const sync of due) {
    const code = await startOrLog(platform, sync.name, start(ctx, sync))
    if (code === busyCode) await setNext(platform.sql, sync.id, soonerNext(sync.schedule, ctx.now()))
  }
}

/** A fault is logged: the other syncs already have their next times, and would miss this one. @returns the code of a refusal */
async function startOrLog({ log }: Platform, sync: string, starting: Promise<unknown>): Promise<string | null> {
  try {
    await starting
    return null
  } catch (err) {
    if (err instanceof Refusal) log.warn({ sync, code: err.code }, 'a scheduled sync did not start')
    else log.error({ err, sync }, 'a scheduled sync could not start')
    return err instanceof Refusal ? err.code : null
  }
}

/** Ends interrupted runs in a transaction. A fault there, such as in a notice, is logged: it must not stop the other syncs from starting. */
export async function tryEndInterrupted(platform: Platform, end: (ctx: Context) => Promise<void>): Promise<void> {
  try {
    await transaction(systemContext(platform), end)
  } catch (err) {
    platform.log.error({ err }, 'interrupted runs could not be ended, trying again in a minute')
  }
}

/** Shortly, or at the schedule's next time if that is sooner. */
function soonerNext(schedule: SyncSchedule, now: Date): Date {
  const soon = new Date(now.getTime() + BUSY_MS)
  const next = nextRun(schedule, now)
  return next && next < soon ? next : soon
}
