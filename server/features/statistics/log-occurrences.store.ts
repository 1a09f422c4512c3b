import type { PendingQuery, Row } from 'postgres'
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
  const result = succeeded === null ? null : db`${succeeded ? db`succeeded` : db`refused`}`
  const countOf = (row: PendingQuery<Row[]>) => (result ? db`${row}.${result}` : db`${row}.succeeded + ${row}.refused`)
  const has = (one: Wanted) => {
    const rows = db`from log_hours v where v.log = ${log} and v.facet = ${one.facet} and v.hour = h.hour`
    return 'value' in one
      ? db`exists (select ${rows} and v.hour >= ${from} and v.hour < ${to} and v.value = ${one.value} and ${countOf(db`v`)} > 0)`
      : db`${countOf(db`h`)} > coalesce((select sum(${countOf(db`v`)}) ${rows} and v.value = any(${[...one.not]})), 0)`
  }
  const rows = await db<{ hour: Date }[]>`
    select h.hour from log_hours h
    where h.log = ${log} and h.facet = 'all' and h.hour >= ${from} and h.hour < ${to} and ${countOf(db`h`)} > 0
      ${wanted.reduce((all, one) => db`${all} and ${has(one)}`, db``)}
    order by h.hour desc limit ${limit}`
  return rows.map(({ hour }) => hour)
}
