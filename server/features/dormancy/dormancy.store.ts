import { DAY_MS } from '#shared/rules/durations.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import type { SweepCounts } from './dormancy.rules.ts'

type Condition = SqlFragment

/** The rules of a run, and its time. */
export type Terms = {
  at: Date
  afterDays: number
  /** 0: nobody is locked. */
  lockAfterDays: number
  warnDays: readonly number[]
  /** Codes. */
  exemptCategories: readonly string[]
}

/** Days of 24 hours: calendar days would depend on a connection's time zone. */
const days = (db: Db, count: number): Condition => db`make_interval(hours => ${count * 24})`

/** Since when `u` could log in and did not. */
const idleFrom = (db: Db, at: Date): Condition => db`
  greatest(u.created_at, u.awake_from, u.last_login_at, case when u.locked_until <= ${at} then u.locked_until end,
    case when u.frozen_until <= ${at} then u.frozen_until end, case when u.valid_from <= ${at} then u.valid_from end)`

/**
 * When the current term of `u` ends: for active people that of logins, for dormant ones that of the lock. Limited to what a page can
 * represent.
 */
const dueAt = (db: Db, { at, afterDays, lockAfterDays }: Terms): Condition => db`
  date_trunc('milliseconds', greatest(u.dormancy_exempt_until, case when u.dormant_since is null
    then ${idleFrom(db, at)} + ${days(db, afterDays)} else u.dormant_since + ${days(db, lockAfterDays)} end))`

/** Could `u` log in now? */
const canLogIn = (db: Db, { at }: Terms): Condition => db`
  (u.deleted_at is null and u.enabled and u.activated and (u.locked_at is null or u.locked_until <= ${at})
    and (u.frozen_from is null or u.frozen_from > ${at} or u.frozen_until <= ${at})
    and (u.valid_from is null or u.valid_from <= ${at}) and (u.valid_until is null or u.valid_until > ${at}))`

/** People who could log in now, and for whom a term ends at all. */
const isCounted = (db: Db, terms: Terms): Condition => {
  const { lockAfterDays, exemptCategories } = terms
  return db`${canLogIn(db, terms)}
    ${lockAfterDays > 0 ? db`` : db`and u.dormant_since is null`}
    ${
      exemptCategories.length === 0
        ? db``
        : db`and (u.category_id is null or u.category_id <> all(array(
            select c.id from user_categories c where c.code = any(${exemptCategories as string[]}))))`
    }`
}

/** SQL value: when the next term of `u` ends; null: none does. */
export const nextTermEnd = (db: Db, terms: Terms): Condition =>
  terms.afterDays === 0
    ? db`null::timestamptz`
    : db`case when ${isCounted(db, terms)} then nullif(${dueAt(db, terms)}, 'infinity') end`

/** SQL condition on a notice `n`: it announces dormancy within the warning days from now. */
const isOfSoon = (db: Db, { at, warnDays }: Terms): Condition => db`
  (n.term = 'dormant' and n.due_at > ${at} and n.due_at <= ${at}::timestamptz + ${days(db, Math.max(0, ...warnDays))})`

/**
 * SQL condition: the last run found that the term of `u`, who is active, ends within the warning days, and nothing has moved that end
 * since.
 * @param lookup `all`: the condition finds these people by the notices. `own`: it is checked per row, for a source that lacks some columns.
 */
export function isDormantSoon(db: Db, terms: Terms, lookup: 'own' | 'all'): Condition {
  const isUnmoved = db`u.dormant_since is null and (select n.due_at from dormancy_notices n
    where n.user_id = u.id and ${isOfSoon(db, terms)}) = ${nextTermEnd(db, terms)}`
  return lookup === 'all'
    ? db`(u.id = any(array(select n.user_id from dormancy_notices n where ${isOfSoon(db, terms)})) and ${isUnmoved})`
    : db`coalesce((select true from dormancy_notices n
        cross join lateral (select from users u where u.id = n.user_id and ${isUnmoved}) found
        where n.user_id = u.id and ${isOfSoon(db, terms)}), false)`
}

/**
 * The smallest of the warning days not less than the distance to `d.due`. An expression rather than a lookup: it is evaluated for
 * everybody.
 */
const noticeDays = (db: Db, { at, warnDays }: Terms): Condition => {
  const choices = warnDays
    .toSorted((a, b) => a - b)
    .map((days) => db`when d.due <= ${new Date(at.getTime() + days * DAY_MS)} then ${days}::int`)
  const [first, ...more] = choices
  if (!first) return db`null::int`
  return db`case when d.due <= ${at} then null ${more.reduce((all, one) => db`${all} ${one}`, first)} end`
}

/** SQL: the people `u` for whom a term ends, with `w.due`, and `w.days`, the warning days of the notice that is due; null: none is. */
const counted = (db: Db, terms: Terms): Condition => db`
  users u cross join lateral (select ${dueAt(db, terms)} as due) d
    cross join lateral (select d.due, ${noticeDays(db, terms)} as days) w
  where ${isCounted(db, terms)}`

const termOf = (db: Db): Condition => db`case when u.dormant_since is null then 'dormant' else 'lock' end`

const isTold = (db: Db): Condition => db`
  exists (select from dormancy_notices n where n.user_id = u.id and n.term = ${termOf(db)} and n.due_at = w.due
    and n.days_before <= w.days)`

/** What a run would do: one scan of everybody. */
export async function countDue(db: Db, terms: Terms): Promise<SweepCounts> {
  const [row] = await db<SweepCounts[]>`
    select count(*)::int as people,
      count(*) filter (where u.dormant_since is null and w.due <= ${terms.at})::int as dormant,
      count(*) filter (where u.dormant_since is not null and w.due <= ${terms.at})::int as locked,
      count(*) filter (where w.days is not null and not ${isTold(db)})::int as told
    from ${counted(db, terms)}`
  return row ?? { people: 0, dormant: 0, locked: 0, told: 0 }
}

export type EndedTerm = Pick<DuePerson, 'id' | 'account' | 'dormantSince'> & { name: string; idleFrom: Date }

/** People whose term has ended, at most `limit` of each kind, most recent first: one scan of everybody. */
export const listEnded = (db: Db, terms: Terms, limit: number) => db<EndedTerm[]>`
  select id, account, name, dormant_since, idle_from from (
    select u.id, u.account, u.name, u.dormant_since, ${idleFrom(db, terms.at)} as idle_from,
      row_number() over (partition by u.dormant_since is null order by w.due desc, u.id) as place
    from ${counted(db, terms)} and w.due <= ${terms.at}) ended
  where place <= ${limit} order by place`

/** The super users among them, in the order in which a run reaches them. */
export const listEndedSuperUsers = (db: Db, terms: Terms) => db<Pick<DuePerson, 'id' | 'dormantSince'>[]>`
  select u.id, u.dormant_since from ${counted(db, terms)} and w.due <= ${terms.at} and u.is_super_user
  order by u.id`

/** Super users who are dormant and so can't administer. */
export async function listDormantSuperUserIds(db: Db): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from users where is_super_user and dormant_since is not null and deleted_at is null`
  return rows.map(({ id }) => id)
}

/** How many there are after this one, up to a limit, and the last of them. */
export async function nextBatch(db: Db, after: string, most: number): Promise<{ people: number; last: string } | null> {
  const [row] = await db<{ people: number; last: string }[]>`
    with stretch as materialized (select id from users where id > ${after} and deleted_at is null order by id limit ${most})
    select (select count(*)::int from stretch) as people, id as last from stretch order by id desc limit 1`
  return row ?? null
}

export type DuePerson = {
  id: string
  account: string
  isSuperUser: boolean
  dormantSince: Date | null
  due: Date
  /** For a notice; null: the term has ended. */
  daysBefore: number | null
}

/** The people of a batch for whom something is due, each locked: whoever logs in meanwhile is active, and not among them. */
export const lockDuePeople = (db: Db, terms: Terms, { after, last }: { after: string; last: string }) => db<
  DuePerson[]
>`
  select u.id, u.account, u.is_super_user, u.dormant_since, w.due,
    w.days as days_before
  from ${counted(db, terms)} and u.id > ${after} and u.id <= ${last}
    and (w.due <= ${terms.at} or w.days is not null and not ${isTold(db)})
  order by u.id for no key update of u`

export type TermOfPerson = Pick<DuePerson, 'id' | 'account' | 'dormantSince'> & {
  name: string
  canLogIn: boolean
  due: Date | null
  /** When the latest notice was sent; null: none was. */
  toldAt: Date | null
}

/** The terms of these people, each locked, so that nobody notifies them twice. Only those for whom `mayManage` is true. */
export const lockTermsOf = (db: Db, terms: Terms, ids: readonly string[], mayManage: Condition) => db<TermOfPerson[]>`
  select u.id, u.account, u.name, u.dormant_since, coalesce(${canLogIn(db, terms)}, false) as can_log_in,
    ${nextTermEnd(db, terms)} as due,
    (select n.at from dormancy_notices n where n.user_id = u.id and n.messages > 0) as told_at
  from users u where u.id = any(${ids as string[]}::uuid[]) and u.deleted_at is null and ${mayManage}
  order by u.id for no key update of u`

export type Notice = { userId: string; term: 'dormant' | 'lock'; dueAt: Date; daysBefore: number; messages: number }

export async function saveNotices(db: Db, notices: readonly Notice[], at: Date): Promise<void> {
  await db`
    insert into dormancy_notices (user_id, term, due_at, days_before, messages, at)
    select "userId", term, "dueAt", "daysBefore", messages, ${at}
    from jsonb_to_recordset(${JSON.stringify(notices)}::text::jsonb) as r("userId" uuid, term text, "dueAt" timestamptz,
      "daysBefore" int, messages int)
    on conflict (user_id) do update set term = excluded.term, due_at = excluded.due_at, days_before = excluded.days_before,
      messages = excluded.messages, at = excluded.at`
}

export type Run = SweepCounts & { taskId: string; at: Date; after: string; held: boolean }

const runColumns = (db: Db): Condition => db`task_id, at, after, people, dormant, locked, told, held`

export async function findRun(db: Db, taskId: string): Promise<Run | null> {
  const [row] = await db<Run[]>`select ${runColumns(db)} from dormancy_runs where task_id = ${taskId}`
  return row ?? null
}

export async function findLatestRun(db: Db): Promise<Run | null> {
  const [row] = await db<Run[]>`select ${runColumns(db)} from dormancy_runs order by at desc limit 1`
  return row ?? null
}

export async function insertRun(db: Db, { taskId, at, people, dormant, locked, told, held }: Omit<Run, 'after'>) {
  await db`
    insert into dormancy_runs (task_id, at, people, dormant, locked, told, held)
    values (${taskId}, ${at}, ${people}, ${dormant}, ${locked}, ${told}, ${held})`
}

/** Stores the progress of a batch, in its transaction. */
export async function updateRun(db: Db, { taskId, after, dormant, locked, told }: Run): Promise<void> {
  await db`
    update dormancy_runs set after = ${after}, dormant = ${dormant}, locked = ${locked}, told = ${told}
    where task_id = ${taskId}`
}

/** Is a task of this kind queued or running? */
export async function isTaskUnderWay(db: Db, kind: string): Promise<boolean> {
  const rows = await db`select from background_tasks where kind = ${kind} and state in ('queued', 'running') limit 1`
  return rows.length > 0
}

/** Any constant. */
const SWEEP_LOCK = 7_402_153

/** Only one run at a time writes, until the transaction ends. */
export async function lockSweep(db: Db): Promise<void> {
  await db`select pg_advisory_xact_lock(${SWEEP_LOCK})`
}

/** Recipients of the message about a held run. */
export const listSuperUserIds = (db: Db) => db<{ id: string }[]>`
  select id from users where is_super_user and enabled and activated and deleted_at is null order by id limit 100`

/** The next eight in the morning, in the institution's time zone. */
export async function findNextMorning(db: Db, at: Date, zone: string): Promise<Date> {
  const [row] = await db<{ morning: Date }[]>`
    select case when t.morning > ${at} then t.morning
      else ((t.morning at time zone ${zone}) + interval '1 day') at time zone ${zone} end as morning
    from (select (date_trunc('day', ${at}::timestamptz at time zone ${zone}) + interval '8 hours') at time zone ${zone} as morning) t`
  return row?.morning ?? at
}
