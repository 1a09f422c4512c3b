import type { ApplicationDay } from '#shared/contract/application-statistics.ts'
import type { Db } from '../../platform/db.ts'

export const applicationExists = async (db: Db, id: string): Promise<boolean> =>
  (await db`select 1 from applications where id = ${id}`).length > 0

type ApplicationDaysQuery = { days: number; timeZone: string; now: Date }

/** Each day up to today, including those without visits. */
export const listApplicationDays = (db: Db, applicationId: string, { days, timeZone, now }: ApplicationDaysQuery) => db<
  ApplicationDay[]
>`
  with today as (select (${now}::timestamptz at time zone ${timeZone})::date as day),
    counted as (
      select (hour at time zone ${timeZone})::date as day, sum(visits)::int as visits, sum(campus_visits)::int as campus,
        sum(failures)::int as failures
      from application_hours, today
      where application_id = ${applicationId} and hour >= (today.day - ${days}::int)::timestamp at time zone ${timeZone}
      group by 1)
  select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(c.visits, 0) as visits, coalesce(c.campus, 0) as campus_visits,
    coalesce(c.failures, 0) as failures, coalesce(f.people, 0) as people
  from today cross join lateral (select today.day - n as day from generate_series(0, ${days}::int - 1) n) d
    left join counted c on c.day = d.day
    left join day_figures f on f.application_id = ${applicationId} and f.day = d.day
  order by d.day`
