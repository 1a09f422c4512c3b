import type { Language } from '#shared/contract/endpoint.ts'
import type { Overview, OverviewDay } from '#shared/contract/overview.ts'
import type { Db } from '../../platform/db.ts'
import { localized } from '../../platform/localized.ts'
import { isLoginHold } from '../attempts/index.ts'
import { ALL_APPLICATIONS, type PeopleByState } from '../statistics/index.ts'

/** A moment, and the zone that determines its day. */
export type LocalTime = { now: Date; zone: string }

export type HourRow = { hour: Date; logins: number; failures: number; isToday: boolean }

/** The hours of yesterday and today, including those without a login. */
export const listHours = (db: Db, { now, zone }: LocalTime) => db<HourRow[]>`
  with day as (select date_trunc('day', ${now}::timestamptz, ${zone}) as today,
    date_trunc('day', date_trunc('day', ${now}::timestamptz, ${zone}) - interval '12 hours', ${zone}) as yesterday)
  select h.hour, h.hour >= day.today as is_today, coalesce(sum(l.logins) filter (where l.succeeded), 0)::int as logins,
    coalesce(sum(l.logins) filter (where not l.succeeded), 0)::int as failures
  from day cross join lateral generate_series(day.yesterday, ${now}::timestamptz, interval '1 hour') h(hour)
    left join login_hours l on l.hour = date_trunc('hour', h.hour)
  group by h.hour, day.today order by h.hour`

/** Complete ones and today. */
const DAYS = 31

export const listDays = (db: Db, { now, zone }: LocalTime) => db<OverviewDay[]>`
  with today as (select (${now}::timestamptz at time zone ${zone})::date as day),
    since as (select (today.day - ${DAYS}::int)::timestamp at time zone ${zone} as at from today),
    logins as (
      select (hour at time zone ${zone})::date as day, sum(logins) filter (where succeeded)::int as logins,
        sum(logins) filter (where not succeeded)::int as failures
      from login_hours, since where hour >= since.at group by 1),
    visits as (
      select (hour at time zone ${zone})::date as day, sum(visits)::int as visits
      from application_hours, since where application_id = ${ALL_APPLICATIONS} and hour >= since.at group by 1)
  select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(l.logins, 0) as logins, coalesce(l.failures, 0) as failures,
    coalesce(v.visits, 0) as visits, coalesce(f.people, 0) as people
  from today cross join lateral (select today.day - n as day from generate_series(0, ${DAYS - 1}) n) d
    left join logins l on l.day = d.day left join visits v on v.day = d.day
    left join day_figures f on f.application_id = ${ALL_APPLICATIONS} and f.day = d.day
  order by d.day`

export type LoginCountRow = { authType: string; provider: string | null; onCampus: boolean; logins: number }

export const countLoginsByType = (db: Db, { now, zone }: LocalTime, language: Language) => db<LoginCountRow[]>`
  select l.auth_type, max(${localized(db, 'p', language)}) as provider, l.on_campus,
    sum(l.logins)::int as logins
  from login_hours l left join third_party_providers p on p.key = l.auth_type
  where l.hour >= date_trunc('day', ${now}::timestamptz, ${zone}) and l.succeeded group by 1, 3 order by 4 desc limit 100`

const MAX_APPLICATIONS = 6

export const listTopApplications = (db: Db, { now, zone }: LocalTime, language: Language) => db<
  Overview['applications']
>`
  select a.id, a.app_id, ${localized(db, 'a', language)} as name, a.picture, t.visits,
    coalesce(f.people, 0) as people
  from (
    select application_id, sum(visits)::int as visits from application_hours
    where hour >= date_trunc('day', ${now}::timestamptz, ${zone}) and application_id <> ${ALL_APPLICATIONS} and visits > 0
    group by 1) t
  join applications a on a.id = t.application_id and not a.built_in
  left join day_figures f on f.application_id = a.id and f.day = (${now}::timestamptz at time zone ${zone})::date
  order by t.visits desc, a.app_id limit ${MAX_APPLICATIONS}`

type FiguresRow = {
  active: { people: number; logins: number } | null
  countedAt: Date | null
  people: PeopleByState | null
}

export async function findFigures(db: Db): Promise<FiguresRow> {
  const [row] = await db<FiguresRow[]>`
    select (select value from figures where name = 'active') as active,
      (select counted_at from figures where name = 'active') as counted_at,
      (select value from figures where name = 'people') as people`
  return row ?? { active: null, countedAt: null, people: null }
}

export type JobRow = {
  name: string
  cron: string
  startedAt: Date
  finishedAt: Date | null
  ms: number | null
  error: string | null
  failures: number
}

export const listJobRuns = (db: Db) => db<JobRow[]>`
  select name, cron, started_at, finished_at, ms, error, failures
  from job_runs order by name limit 200`

type Queues = Overview['queues']

/** What is waiting, and what failed since a moment; every count has a partial index. */
export async function countQueues(db: Db, since: Date): Promise<Queues> {
  const [row] = await db<Record<`${keyof Queues}${'Waiting' | 'Failed'}`, number>[]>`
    select (select count(*)::int from messages where state = 'pending') as messages_waiting,
      (select count(*)::int from messages where state = 'failed' and finished_at > ${since}) as messages_failed,
      (select count(*)::int from logout_deliveries where state = 'pending') as logouts_waiting,
      (select count(*)::int from logout_deliveries where state = 'failed' and finished_at > ${since}) as logouts_failed,
      (select count(*)::int from background_tasks where state in ('queued', 'running')) as tasks_waiting,
      (select count(*)::int from background_tasks where state = 'failed' and created_at > ${since}) as tasks_failed`
  return {
    messages: { waiting: row?.messagesWaiting ?? 0, failed: row?.messagesFailed ?? 0 },
    logouts: { waiting: row?.logoutsWaiting ?? 0, failed: row?.logoutsFailed ?? 0 },
    tasks: { waiting: row?.tasksWaiting ?? 0, failed: row?.tasksFailed ?? 0 },
  }
}

type EndingCounts = {
  grants: number
  appointments: number
  appKeys: number
  gateways: number
  lockedByFailures: number
}

/** Grants and appointments that end before `soon`, and former app keys that expire and are still used for signing. */
export async function countEnding(db: Db, now: Date, soon: Date, used: Date): Promise<EndingCounts> {
  const [row] = await db<EndingCounts[]>`
    select (select count(*)::int from application_grants where valid_until > ${now} and valid_until < ${soon}) as grants,
      (select count(*)::int from appointments where valid_until > ${now} and valid_until < ${soon}) as appointments,
      (select count(*)::int from application_keys where valid_until > ${now} and last_used_at > ${used}) as app_keys,
      (select count(*)::int from message_gateways where down_until > ${now}) as gateways,
      (select count(distinct c.user_id)::int from attempt_counters c
        where ${isLoginHold(db)} and c.user_id is not null and c.blocked_until > ${now}) as locked_by_failures`
  return row ?? { grants: 0, appointments: 0, appKeys: 0, gateways: 0, lockedByFailures: 0 }
}

type DatabaseFacts = { database: string; databaseBytes: number; signingKey: Date | null }

export async function findDatabaseFacts(db: Db): Promise<DatabaseFacts> {
  const [row] = await db<DatabaseFacts[]>`
    select current_setting('server_version') as database, pg_database_size(current_database())::float8 as database_bytes,
      (select max(created_at) from signing_keys) as signing_key`
  return row ?? { database: '', databaseBytes: 0, signingKey: null }
}
