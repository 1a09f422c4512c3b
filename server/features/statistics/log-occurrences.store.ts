import { HOUR_MS } from '#shared/rules/durations.ts'
import type { Db } from '../../platform/db.ts'
import type { LogName } from './log-hours.store.ts'
import type { HourRange } from './roll-up.store.ts'

/** What a record must have: this value of a facet, or another than these. */
export type Wanted = { facet: string; value: string } | { facet: string; not: readonly string[] }

export type Occurrences = {
  log: LogName
  wanted: readonly Wanted[]
  /** Null: allowed and refused ones. */
  succeeded: boolean | null
}

/** Records written this late are counted at night: until then their hours are not relied on. */
const LATE_MS = 48 * HOUR_MS

/** The hours of which is known what their records have; null: none. */
export async function findCountedPeriod(db: Db, log: LogName, now: Date): Promise<HourRange | null> {
  const [row] = await db<{ from: Date | null; to: Date }[]>`
    select (select hour from log_hours where log = ${log} order by hour limit 1) as from,
      least(counted_until, date_trunc('hour', ${new Date(now.getTime() - LATE_MS)}::timestamptz)) as to
    from statistics_progress`
  return row?.from && row.from < row.to ? { from: row.from, to: row.to } : null
}

/**
 * The newest hours of a period that may have records with all of these values; the others have none. Hours with one value each are combined,
 * so that a record with all of them may still be missing.
 */
export async function listOccurrences(
  db: Db,
  { log, wanted, succeeded }: Occurrences,
  { from, to, limit }: HourRange & { limit: number },
): Promise<Date[]> {
  const counted = succeeded === null ? db`succeeded + refused` : succeeded ? db`succeeded` : db`refused`
  const within = db`log = ${log} and hour >= ${from} and hour < ${to}`
  const joins = wanted.map((one, at) => {
    const values = 'value' in one ? db`value = ${one.value}` : db`value = any(${[...one.not]})`
    return db`left join (
      select hour, sum(${counted}) as counted from log_hours where ${within} and facet = ${one.facet} and ${values} group by hour
    ) ${db(`wanted_${at}`)} using (hour)`
  })
  const conditions = wanted.map((one, at) => {
    const count = db`coalesce(${db(`wanted_${at}`)}.counted, 0)`
    return 'value' in one ? db`and ${count} > 0` : db`and ${count} < h.counted`
  })
  const rows = await db<{ hour: Date }[]>`
    select hour from (select hour, ${counted} as counted from log_hours where ${within} and facet = 'all') h
      ${joins.reduce((all, one) => db`${all} ${one}`, db``)}
    where h.counted > 0 ${conditions.reduce((all, one) => db`${all} ${one}`, db``)}
    order by hour desc limit ${limit}`
  return rows.map(({ hour }) => hour)
}
