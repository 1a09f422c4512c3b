import type { Db } from '../../platform/db.ts'

/** Stands for all applications together, and in `day_people` for a login. */
export const ALL_APPLICATIONS = '00000000-0000-0000-0000-000000000000'

export type Progress = { countedUntil: Date; firstHour: Date }

/** Locks the progress until the transaction ends: only one node counts at a time. */
export async function lockProgress(db: Db): Promise<Progress | null> {
  const [row] = await db<Progress[]>`
    select counted_until, first_hour from statistics_progress for update`
  return row ?? null
}

/** Everything before is final; null: nothing is. */
export async function findCountedUntil(db: Db): Promise<Date | null> {
  const [row] = await db<Pick<Progress, 'countedUntil'>[]>`
    select counted_until from statistics_progress`
  return row?.countedUntil ?? null
}

/** @param settled before it no record is written any more, however late */
export async function beginProgress(db: Db, hour: Date, settled: Date): Promise<void> {
  await db`
    insert into statistics_progress (counted_until, first_hour, recounted_until) values (${hour}, ${hour}, ${settled})
    on conflict do nothing`
}

export async function saveProgress(db: Db, { countedUntil, firstHour }: Progress): Promise<void> {
  await db`update statistics_progress set counted_until = ${countedUntil}, first_hour = ${firstHour}`
}

/**
 * Restarts counting at the day of a moment, in the institution's zone, as people are counted by whole days: at the latest at the end of what
 * is recounted already.
 * @param settled before it no record is written any more, however late: what is counted now stays
 */
export async function rewindProgress(
  db: Db,
  { from, settled, zone }: { from: Date; settled: Date; zone: string },
): Promise<void> {
  await db`
    update statistics_progress set recounted_until = greatest(recounted_until, ${settled}), counted_until =
      least(counted_until, date_trunc('hour', date_trunc('day', least(recounted_until, ${from}::timestamptz), ${zone})))`
}

/** The hours of the oldest existing records; null: there are none. */
export type OldestRecords = { logins: Date | null; visits: Date | null; calls: Date | null }

export async function oldestRecords(db: Db): Promise<OldestRecords> {
  const [row] = await db<OldestRecords[]>`
    select (select date_trunc('hour', at) from login_records order by at limit 1) as logins,
      (select date_trunc('hour', at) from visit_records order by at limit 1) as visits,
      (select date_trunc('hour', at) from api_call_records order by at limit 1) as calls`
  return row ?? { logins: null, visits: null, calls: null }
}

/** From the hour of the first moment up to the hour of the second. */
export type HourRange = { from: Date; to: Date }

/** Replaces the figures of these hours by what the records say now, so counting is idempotent. */
export async function recountLogins(db: Db, { from, to }: HourRange): Promise<void> {
  await db`delete from login_hours where hour >= ${from} and hour < ${to}`
  await db`
    insert into login_hours (hour, auth_type, succeeded, on_campus, logins)
    select date_trunc('hour', at), auth_type, succeeded, on_campus, count(*)
    from login_records where at >= ${from} and at < ${to} group by 1, 2, 3, 4`
}

/** Visits of each application and of all, and logins that failed on the way to one. */
export async function recountApplications(db: Db, { from, to }: HourRange): Promise<void> {
  await db`delete from application_hours where hour >= ${from} and hour < ${to}`
  await db`
    insert into application_hours (hour, application_id, visits, campus_visits, failures)
    select hour, coalesce(application_id, ${ALL_APPLICATIONS}), sum(visits), sum(campus), sum(failures)
    from (
      select date_trunc('hour', at) as hour, application_id, count(*) as visits,
        count(*) filter (where on_campus) as campus, 0 as failures
      from visit_records where at >= ${from} and at < ${to} and refusal is null group by 1, 2
      union all
      select date_trunc('hour', at), application_id, 0, 0, count(*)
      from login_records where at >= ${from} and at < ${to} and not succeeded and application_id is not null group by 1, 2
    ) counted group by grouping sets ((hour, application_id), (hour))`
}

export async function recountCalls(db: Db, { from, to }: HourRange): Promise<void> {
  await db`delete from api_call_hours where hour >= ${from} and hour < ${to}`
  await db`
    insert into api_call_hours (hour, application_id, api_id, calls, failures, ms)
    select date_trunc('hour', at), application_id, api_id, count(*), count(*) filter (where status >= 400), sum(ms)
    from api_call_records where at >= ${from} and at < ${to} group by 1, 2, 3`
}

/** Deletes the counts of hours before a moment. */
export const deleteCallCounts = (db: Db, before: Date) => db`delete from api_call_hours where hour < ${before}`

/** A set only grows and contains a person once, so the number of people is right however often an hour is counted. */
export async function recountPeople(db: Db, { from, to }: HourRange, zone: string): Promise<void> {
  await db`
    insert into day_people (day, application_id, user_id)
    select distinct (at at time zone ${zone})::date, ${ALL_APPLICATIONS}::uuid, user_id from login_records
    where at >= ${from} and at < ${to} and succeeded and user_id is not null
    on conflict do nothing`
  await db`
    insert into day_people (day, application_id, user_id)
    select distinct (at at time zone ${zone})::date, application_id, user_id from visit_records
    where at >= ${from} and at < ${to} and refusal is null
    on conflict do nothing`
  await db`
    insert into day_figures as f (day, application_id, people)
    select day, application_id, count(*) from day_people
    where day between (${from}::timestamptz at time zone ${zone})::date and (${to}::timestamptz at time zone ${zone})::date
    group by 1, 2
    on conflict (application_id, day) do update set people = greatest(f.people, excluded.people)`
}

/** The people of a day are deleted after some days; their number stays. Called each minute, so it checks the oldest day first. */
export async function deleteOldDayPeople(db: Db, countedUntil: Date, zone: string): Promise<void> {
  const [oldest] = await db<{ isOver: boolean }[]>`
    select day < (${countedUntil}::timestamptz at time zone ${zone})::date - ${DAY_PEOPLE_RETENTION_DAYS}::int as is_over
    from day_people order by day, application_id, user_id limit 1`
  if (!oldest?.isOver) return
  await db`
    delete from day_people
    where day < (${countedUntil}::timestamptz at time zone ${zone})::date - ${DAY_PEOPLE_RETENTION_DAYS}::int`
}

/** More than are recounted for late records. */
const DAY_PEOPLE_RETENTION_DAYS = 4

export async function deleteHoursBefore(db: Db, before: Date): Promise<void> {
  await db`delete from login_hours where hour < ${before}`
  await db`delete from application_hours where hour < ${before}`
  await db`delete from day_figures where day < ${before}::date`
}

type Activity = { people: number; logins: number }

/** People seen since a moment, in open sessions. */
export async function countActivity(db: Db, now: Date, since: Date): Promise<Activity> {
  const [row] = await db<Activity[]>`
    select count(distinct user_id)::int as people, count(*)::int as logins from sso_sessions
    where ended_at is null and expires_at > ${now} and last_seen_at > ${since}`
  return row ?? { people: 0, logins: 0 }
}

export type PeopleByState = {
  total: number
  inactive: number
  disabled: number
  locked: number
  frozen: number
  dormant: number
  expired: number
}

/** The states are independent: a person may count under several. Each is read from its partial index. */
export async function countStates(db: Db, now: Date): Promise<Omit<PeopleByState, 'total'>> {
  const [row] = await db<Omit<PeopleByState, 'total'>[]>`
    select
      (select count(*)::int from users where not activated and deleted_at is null) as inactive,
      (select count(*)::int from users where not enabled and deleted_at is null) as disabled,
      (select count(*)::int from users where locked_at is not null and deleted_at is null
        and (locked_until is null or locked_until > ${now})) as locked,
      (select count(*)::int from users where frozen_from is not null and deleted_at is null
        and frozen_from <= ${now} and (frozen_until is null or frozen_until > ${now})) as frozen,
      (select count(*)::int from users where dormant_since is not null and deleted_at is null) as dormant,
      (select count(*)::int from users where (valid_from is not null or valid_until is not null) and deleted_at is null
        and valid_until <= ${now}) as expired`
  return row ?? { inactive: 0, disabled: 0, locked: 0, frozen: 0, dormant: 0, expired: 0 }
}

export async function upsertFigure(db: Db, name: string, value: object, at: Date): Promise<void> {
  await db`
    insert into figures (name, value, counted_at) values (${name}, ${JSON.stringify(value)}::text::jsonb, ${at})
    on conflict (name) do update set value = excluded.value, counted_at = excluded.counted_at`
}

export async function findFigureTime(db: Db, name: string): Promise<Date | null> {
  const [row] = await db<{ at: Date }[]>`select counted_at as at from figures where name = ${name}`
  return row?.at ?? null
}
