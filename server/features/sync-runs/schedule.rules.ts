import { Cron } from 'croner'
import type { SyncSchedule } from '#shared/contract/directory-syncs.ts'

/** Why a schedule is invalid; null if it is valid. */
export function scheduleProblem({ cron, zone }: SyncSchedule, now: Date): 'bad-schedule' | 'bad-zone' | null {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
  } catch {
    return 'bad-zone'
  }
  try {
    return nextRuns({ cron, zone }, now, 1).length > 0 ? null : 'bad-schedule'
  } catch {
    return 'bad-schedule'
  }
}

/**
 * The next times of a schedule in its zone: an hour that the clocks skip is made up for, a repeated one counts once.
 * @throws Error for an invalid expression or zone, see `scheduleProblem`.
 */
export function nextRuns({ cron, zone }: SyncSchedule, after: Date, count: number): Date[] {
  return new Cron(cron, { timezone: zone, mode: '5-part', paused: true }).nextRuns(count, after)
}

/** When a sync is due next; null: it has no schedule. */
export const nextRun = (schedule: SyncSchedule | null, after: Date): Date | null =>
  schedule ? (nextRuns(schedule, after, 1)[0] ?? null) : null
