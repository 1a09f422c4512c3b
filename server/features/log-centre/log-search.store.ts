import type { Language } from '#shared/contract/endpoint.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import { localized } from '../../platform/localized.ts'
import type { Occurrences } from '../statistics/index.ts'

/** A log: its records `r` with `at`, `id` and `user_id`, its filters, and the details of the few that are shown. */
export type LogSource = {
  table: 'login_records' | 'visit_records' | 'messages'
  conditions: (db: Db) => SqlFragment
  columns: (db: Db, language: Language) => SqlFragment
  /** What the columns need besides the person. */
  joins: (db: Db) => SqlFragment
  /** Filters of which is counted in which hours their values occur; null: none. */
  occurrences: Occurrences | null
}

/** A subquery that the planner merges, so that the index of the time is used. */
const recordsOf = (db: Db, table: LogSource['table']): SqlFragment =>
  table === 'messages' ? db`(select m.*, m.created_at as at from messages m)` : db`${db(table)}`

/** SQL: `and …` for each column with a required value. */
export const equalities = (db: Db, wanted: Readonly<Record<string, string | null>>): SqlFragment =>
  Object.entries(wanted).reduce(
    (all, [column, value]) => (value === null ? all : db`${all} and r.${db(column)} = ${value}`),
    db``,
  )

/** What is said about the person of a record. */
export const peopleColumns = (db: Db, language: Language) => db`
  u.name as person, u.account as person_account, u.organization_id, ${localized(db, 'o', language)} as organization,
  u.category_id, ${localized(db, 'c', language)} as category`
export const keyColumns = (db: Db) => db`
  r.id, r.at, to_char(r.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || r.id as key, r.user_id`
const peopleOf = (db: Db) => db`
  left join users u on u.id = r.user_id left join organizations o on o.id = u.organization_id
  left join user_categories c on c.id = u.category_id`

/** What each line of every log says. */
export type LineRow = {
  key: string
  id: string
  at: Date
  userId: string | null
  person: string | null
  personAccount: string | null
  organizationId: string | null
  organization: string | null
  categoryId: string | null
  category: string | null
}

/** Records from `lower` on and before `upper`; with `id`, also those at `upper` that come before it. */
export type TimeSpan = {
  lower: Date
  upper: string
  id: string | null
  /** Only in these hours; null: in all. */
  hours: readonly Date[] | null
}

function within(db: Db, { lower, upper, id }: TimeSpan): SqlFragment {
  const moment = db`${upper}::text::timestamptz`
  const before = id ? db`r.at <= ${moment} and (r.at, r.id) < (${moment}, ${id}::uuid)` : db`r.at < ${moment}`
  return db`r.at >= ${lower} and ${before}`
}

/** The people whose records match: a join to a record `r`, and a condition on it. */
export type People = { join: SqlFragment; where: SqlFragment }

type LineOptions = { people: People; language: Language }

/** The details of records `r`: only for those that are shown. */
const tell = (db: Db, source: LogSource, lines: SqlFragment, language: Language): SqlFragment => db`
  select ${source.columns(db, language)} from (${lines}) r
    ${source.joins(db)} ${peopleOf(db)}`

/** Matching records `r` of an interval, as stored. */
export function linesOf(
  db: Db,
  source: LogSource,
  { people, timeSpan }: { people: People; timeSpan: TimeSpan },
): SqlFragment {
  const lines = db`
    select r.* from ${recordsOf(db, source.table)} r ${people.join}
    where ${within(db, timeSpan)} ${people.where} ${source.conditions(db)}`
  const { hours } = timeSpan
  if (!hours) return lines
  // `offset 0` keeps the planner from reading the whole interval and comparing each record with each hour.
  return db`
    select r.* from unnest(${hours.map((hour) => hour.toISOString())}::text[]::timestamptz[]) h (hour)
    cross join lateral (${lines} and r.at >= h.hour and r.at < h.hour + interval '1 hour' offset 0) r`
}

/** The newest records of an interval. */
export const listLines = <T extends LineRow>(
  db: Db,
  source: LogSource,
  { timeSpan, people, limit, language }: LineOptions & { timeSpan: TimeSpan; limit: number },
) => {
  const lines = db`
    ${linesOf(db, source, { people, timeSpan })} order by r.at desc, r.id desc limit ${limit}`
  return db<T[]>`${tell(db, source, lines, language)} order by r.at desc, r.id desc`
}

/** One record by its time and id, which determine its partition. */
export const findLine = <T extends LineRow>(
  db: Db,
  source: LogSource,
  { at, id, people, language }: LineOptions & { at: string; id: string },
) => {
  const line = db`
    select r.* from ${recordsOf(db, source.table)} r ${people.join}
    where r.at = ${at}::text::timestamptz and r.id = ${id} ${people.where}`
  return db<T[]>`${tell(db, source, line, language)}`
}

/** When the log begins; null: it is empty. */
export async function findOldest(db: Db, table: LogSource['table']): Promise<Date | null> {
  const [row] = await db<{ at: Date }[]>`select r.at from ${recordsOf(db, table)} r order by r.at limit 1`
  return row?.at ?? null
}

/** With more people, the other filters' indexes are used instead. */
const FEW_PEOPLE = 60_000

/** Does the condition on a person `u` match only few? */
export async function hasFewPeople(db: Db, condition: SqlFragment): Promise<boolean> {
  const [found] = await db<{ count: number }[]>`
    select count(*)::int as count from (select from users u where ${condition} limit ${FEW_PEOPLE + 1}) counted`
  return (found?.count ?? 0) <= FEW_PEOPLE
}

/** Of `people` (a table `u`) those of whom the condition is true, `limit` of them at most. */
export async function listPeopleIds(
  db: Db,
  people: SqlFragment,
  condition: SqlFragment,
  limit: number,
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`select u.id from ${people} u where ${condition} limit ${limit}`
  return rows.map(({ id }) => id)
}

/** Checks the person of each record; `offset 0` keeps the planner from scanning all people instead. */
export const joinPeople = (db: Db, condition: SqlFragment): People => ({
  join: db`cross join lateral (select from users u where u.id = r.user_id and ${condition} offset 0) known`,
  where: db``,
})
export const onlyPeople = (db: Db, ids: readonly string[]): People => ({
  join: db``,
  where: db`and r.user_id = any(${ids as string[]}::uuid[])`,
})
export const anybody = (db: Db): People => ({ join: db``, where: db`` })

export async function findSession(db: Db, id: string) {
  const [row] = await db<{ openedAt: Date; endedAt: Date | null; endReason: string | null }[]>`
    select opened_at, ended_at, end_reason from sso_sessions where id = ${id}`
  return row ?? null
}
