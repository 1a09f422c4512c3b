import type { Db } from '../../platform/db.ts'
import type { LogName } from './log-facets.store.ts'
import type { HourRange } from './roll-up.store.ts'

/** What a record must have: this value of a facet, or another than these. */
export type FacetCondition = { facet: string; value: string } | { facet: string; not: readonly string[] }

export type Occurrences = {
  log: LogName
  conditions: readonly FacetCondition[]
  /** Null: allowed and refused ones. */
  succeeded: boolean | null
}

/** The hours of which is known what their records have, those written late included; null: none. */
export async function findCountedPeriod(db: Db, log: LogName): Promise<HourRange | null> {
  const [row] = await db<{ from: Date | null; to: Date }[]>`
    select (select hour from log_hours where log = ${log} order by hour limit 1) as from, least(counted_until, recounted_until) as to
    from statistics_progress`
  return row?.from && row.from < row.to ? { from: row.from, to: row.to } : null
}

/**
 * The hours of a period, newest first, that may have records for which all of these conditions hold; the others have none. Hours with one
 * value each are combined, so that a record with all of them may still be missing.
 */
export async function listOccurrences(
  db: Db,
  { log, conditions, succeeded }: Occurrences,
  { from, to }: HourRange,
): Promise<Date[]> {
  const counted = succeeded === null ? db`succeeded + refused` : succeeded ? db`succeeded` : db`refused`
  const within = db`log = ${log} and hour >= ${from} and hour < ${to}`
  const joins = conditions.map((one, at) => {
    const values = 'value' in one ? db`value = ${one.value}` : db`value = any(${[...one.not]})`
    return db`left join (
      select hour, sum(${counted}) as counted from log_hours where ${within} and facet = ${one.facet} and ${values} group by hour
    ) ${db(`facet_${at}`)} using (hour)`
  })
  const comparisons = conditions.map((one, at) => {
    const count = db`coalesce(${db(`facet_${at}`)}.counted, 0)`
    return 'value' in one ? db`and ${count} > 0` : db`and ${count} < h.counted`
  })
  const rows = await db<{ hour: Date }[]>`
    select hour from (select hour, ${counted} as counted from log_hours where ${within} and facet = 'all') h
      ${joins.reduce((all, one) => db`${all} ${one}`, db``)}
    where h.counted > 0 ${comparisons.reduce((all, one) => db`${all} ${one}`, db``)}
    order by hour desc`
  return rows.map(({ hour }) => hour)
}
