import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import type { RecordPartition } from './record-retention.store.ts'

/** The end (exclusive) of a month (YYYY-MM, UTC). */
function monthEnd(month: string): Date {
  const [year, number] = month.split('-').map(Number)
  return new Date(Date.UTC(year ?? 0, number ?? 0, 1))
}

/**
 * The months that are completely older than their retention.
 * @param countedUntil what happened later is not in the statistics yet, which still need its records; null: nothing is.
 */
export const findExpired = <P extends Pick<RecordPartition, 'kind' | 'month'>>(
  partitions: readonly P[],
  { retention }: Pick<SignInPolicy, 'retention'>,
  { now, countedUntil }: { now: Date; countedUntil: Date | null },
): P[] =>
  partitions.filter(({ kind, month }) => {
    const end = monthEnd(month)
    if (end.getTime() > now.getTime() - retention[kind] * DAY_MS) return false
    return kind === 'audit' || (countedUntil !== null && end <= countedUntil)
  })

/** Every ten minutes of this hour (UTC): a month in use the first time is free the next. */
const RUN_HOUR = 19
const EVERY_MINUTES = 10
export const RETENTION_CRON = `*/${EVERY_MINUTES} ${RUN_HOUR} * * *`

export function nextRunAfter(now: Date): Date {
  const at = new Date(now)
  const step = EVERY_MINUTES * 60_000
  at.setTime(Math.floor(at.getTime() / step) * step + step)
  if (at.getUTCHours() === RUN_HOUR) return at
  if (at.getUTCHours() > RUN_HOUR) at.setTime(at.getTime() + DAY_MS)
  at.setUTCHours(RUN_HOUR, 0, 0, 0)
  return at
}
