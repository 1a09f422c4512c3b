import type { Db } from '../../platform/db.ts'
import type { HourRange } from './roll-up.store.ts'

export type LogName = 'login' | 'visit'

/** Stands for a login to the portal itself. */
const PORTAL = 'portal'

/** Records of an hour by each value of a facet, in one scan of the records. */
const sources = {
  login: (db: Db, { from, to }: HourRange) => db`
    select case grouping(application, auth_type, client_type, ip_range, on_campus, reason)
        when 63 then 'all' when 31 then 'applicationId' when 47 then 'authType' when 55 then 'clientType'
        when 59 then 'ipRange' when 61 then 'onCampus' else 'reason' end as facet,
      coalesce(application, auth_type, client_type, ip_range, on_campus, reason, '') as value, hour,
      count(*) filter (where succeeded) as succeeded, count(*) filter (where not succeeded) as refused
    from (
      select date_trunc('hour', at) as hour, succeeded, coalesce(application_id::text, ${PORTAL}) as application, auth_type,
        client_type, coalesce(ip_range, '') as ip_range, on_campus::int::text as on_campus,
        case when succeeded then '' else coalesce(reason, '') end as reason
      from login_records where at >= ${from} and at < ${to}
    ) r group by hour, grouping sets ((), (application), (auth_type), (client_type), (ip_range), (on_campus), (reason))`,
  visit: (db: Db, { from, to }: HourRange) => db`
    select case grouping(application, way, client_type, ip_range, on_campus, reason)
        when 63 then 'all' when 31 then 'applicationId' when 47 then 'way' when 55 then 'clientType'
        when 59 then 'ipRange' when 61 then 'onCampus' else 'reason' end as facet,
      coalesce(application, way, client_type, ip_range, on_campus, reason, '') as value, hour,
      count(*) filter (where reason = '') as succeeded, count(*) filter (where reason <> '') as refused
    from (
      select date_trunc('hour', at) as hour, application_id::text as application, way, client_type,
        coalesce(ip_range, '') as ip_range, on_campus::int::text as on_campus, coalesce(refusal, '') as reason
      from visit_records where at >= ${from} and at < ${to}
    ) r group by hour, grouping sets ((), (application), (way), (client_type), (ip_range), (on_campus), (reason))`,
}

/** Replaces the figures of these hours, and of their days, by what the records say now. */
export async function recountLog(db: Db, log: LogName, { from, to }: HourRange): Promise<void> {
  await db`delete from log_hours where log = ${log} and hour >= ${from} and hour < ${to}`
  await db`
    insert into log_hours (log, facet, value, hour, succeeded, refused)
    select ${log}::text, facet, value, hour, succeeded, refused from (${sources[log](db, { from, to })}) counted
    where facet = 'all' or value <> ''`
  const first = db`date_trunc('day', ${from}::timestamptz, 'UTC')`
  await db`delete from log_days where log = ${log} and day >= ${first} and day < ${to}`
  await db`
    insert into log_days (log, facet, value, day, succeeded, refused)
    select log, facet, value, date_trunc('day', hour, 'UTC'), sum(succeeded), sum(refused) from log_hours
    where log = ${log} and hour >= ${first} and hour < date_trunc('day', ${to}::timestamptz, 'UTC') + interval '1 day'
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
