import type { SyncSchedule } from '#shared/contract/directory-syncs.ts'
import { MINUTE_MS } from '#shared/rules/durations.ts'
import type { Db } from '../../platform/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { type Context, type Platform, systemContext, transaction } from '../../platform/platform.ts'
import { nextRun, nextRuns, scheduleProblem } from './schedule.rules.ts'
import { errors } from './sync-runs.errors.ts'

/** @throws Refusal `directory-sync.bad-schedule`, `directory-sync.bad-zone`. */
export function checkSchedule({ now }: Context, schedule: SyncSchedule | null): void {
  const problem = schedule && scheduleProblem(schedule, now())
  const field = problem === 'bad-zone' ? 'zone' : 'cron'
  if (problem) throw errors[`directory-sync.${problem}`]({ data: { fields: [field] } })
}

/** The next five times of a schedule. @throws Refusal `directory-sync.bad-schedule`, `directory-sync.bad-zone`. */
export function previewSchedule(ctx: Context, schedule: SyncSchedule): { runs: string[] } {
  checkSchedule(ctx, schedule)
  return { runs: nextRuns(schedule, ctx.now(), 5).map((at) => at.toISOString()) }
}

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
  const ctx = systemContext(platform)
  const due = await transaction(ctx, async (inner) => {
    const locked = await lockDue(inner.db, inner.now())
    for (const { id, schedule } of locked) await setNext(inner.db, id, nextRun(schedule, inner.now()))
    return locked
  })
  for (const sync of due) {
    const refused = await refusalOf(start(ctx, sync))
    if (!refused) continue
    if (refused.code === busyCode) await setNext(platform.sql, sync.id, soonerNext(sync.schedule, platform.now()))
    platform.log.warn({ sync: sync.name, code: refused.code }, 'a scheduled sync did not start')
  }
}

/** The refusal of a start; null: it started. */
async function refusalOf(starting: Promise<unknown>): Promise<Refusal | null> {
  try {
    await starting
    return null
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** Shortly, or at the schedule's next time if that is sooner. */
function soonerNext(schedule: SyncSchedule, now: Date): Date {
  const soon = new Date(now.getTime() + BUSY_MS)
  const next = nextRun(schedule, now)
  return next && next < soon ? next : soon
}
