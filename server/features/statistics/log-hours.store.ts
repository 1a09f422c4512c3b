import type { Db } from '../../platform/db.ts'
import { facetColumns, facetsOf, groupByFacets, type LogName, SHOWN_FACETS } from './log-facets.store.ts'
import type { HourRange } from './roll-up.store.ts'

/** Records of an hour by each value of a facet, in one scan of the records. */
function countFacets(db: Db, log: LogName, { from, to }: HourRange) {
  const { facet, value, sets } = groupByFacets(db, facetsOf(log))
  return db`
    select coalesce(${facet}, 'all') as facet, ${value} as value, hour,
      count(*) filter (where succeeded) as succeeded, count(*) filter (where not succeeded) as refused
    from (
      select date_trunc('hour', at) as hour, ${facetColumns[log](db)} from ${db(`${log}_records`)}
      where at >= ${from} and at < ${to}
    ) r
    group by hour, grouping sets ((), ${sets})`
}

/** Logins of an hour by the rules that applied, and by what these said. A login may have several. */
const countRules = (db: Db, { from, to }: HourRange) => db`
  select case when grouping(rule) = 0 then 'rule' else 'ruleOutcome' end as facet, coalesce(rule, outcome) as value, hour,
    count(*) filter (where succeeded) as succeeded, count(*) filter (where not succeeded) as refused
  from (
    select date_trunc('hour', at) as hour, succeeded, said->>'rule' as rule,
      case when said->>'mode' = 'on' then '' else 'would-' end || (said->>'outcome') as outcome
    from login_records cross join jsonb_array_elements(rule_outcomes) said
    where at >= ${from} and at < ${to} and rule_outcomes is not null
  ) r group by hour, grouping sets ((rule), (outcome))`

/** Replaces the figures of these hours, and of their days, by what the records say now. */
export async function recountLog(db: Db, log: LogName, { from, to }: HourRange): Promise<void> {
  await db`delete from log_hours where log = ${log} and hour >= ${from} and hour < ${to}`
  await db`
    insert into log_hours (log, facet, value, hour, succeeded, refused)
    select ${log}::text, facet, value, hour, succeeded, refused from (
      ${countFacets(db, log, { from, to })} ${log === 'login' ? db`union all ${countRules(db, { from, to })}` : db``}) counted
    where facet = 'all' or value <> ''`
  const first = db`date_trunc('day', ${from}::timestamptz, 'UTC')`
  await db`delete from log_days where log = ${log} and day >= ${first} and day < ${to}`
  await db`
    insert into log_days (log, facet, value, day, succeeded, refused)
    select log, facet, value, date_trunc('day', hour, 'UTC'), sum(succeeded), sum(refused) from log_hours
    where log = ${log} and facet = any(${['all', ...SHOWN_FACETS[log]]}) and hour >= ${first}
      and hour < date_trunc('day', ${to}::timestamptz, 'UTC') + interval '1 day'
    group by 1, 2, 3, 4`
}

export async function deleteLogHoursBefore(db: Db, before: Date): Promise<void> {
  await db`delete from log_hours where hour < ${before}`
  await db`delete from log_days where day < ${before}`
}

/** Records of a bucket of a period: `at` counts the buckets from its beginning. */
type LogPart = { at: number; succeeded: number; refused: number }

/** Records with a value in each bucket of a period of whole hours; empty buckets are missing. */
export const listLogParts = (
  db: Db,
  { log, facet, value, from, to, partMs }: HourRange & { log: LogName; facet: string; value: string; partMs: number },
) => db<LogPart[]>`
  select floor(extract(epoch from hour - ${from}::timestamptz) * 1000 / ${partMs}::float8)::int as at,
    sum(succeeded)::float8 as succeeded, sum(refused)::float8 as refused
  from log_hours where log = ${log} and facet = ${facet} and value = ${value} and hour >= ${from} and hour < ${to}
  group by 1 order by 1`

type LogValueCount = { facet: string; value: string; succeeded: number; refused: number }

/** Records with each value in a period of whole hours: whole days from the daily figures, the rest from hourly ones. */
export const listLogValues = (db: Db, { log, from, to }: HourRange & { log: LogName }) => db<LogValueCount[]>`
  with days as (
    select least(date_trunc('day', ${from}::timestamptz - interval '1 microsecond', 'UTC') + interval '1 day', ${to}::timestamptz) as first,
      greatest(date_trunc('day', ${to}::timestamptz, 'UTC'), ${from}::timestamptz) as last
  ), edges as (select first, greatest(first, last) as last from days)
  select facet, value, sum(succeeded)::float8 as succeeded, sum(refused)::float8 as refused from (
    select facet, value, succeeded, refused from log_days, edges where log = ${log} and day >= first and day < last
    union all
    select facet, value, succeeded, refused from log_hours, edges
    where log = ${log} and hour >= ${from} and hour < ${to} and (hour < first or hour >= last)
  ) counted where facet <> 'all' group by 1, 2`
