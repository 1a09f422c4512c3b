import type { Language } from '#shared/contract/endpoint.ts'
import type { InsightFacts, InsightKind } from '#shared/contract/log-insights.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/rules/durations.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import { localized } from '../../platform/localized.ts'
import type { Found } from './log-insights.types.ts'

/** One row describes the same thing as long as it continues, but besides its window not for longer than this. */
const MAX_LENGTH_MS = DAY_MS
/** However short the windows are. */
const QUIET_MS = HOUR_MS

/** One node runs at a time. @returns up to when records were examined; null: another node is running */
export async function lockProgress(db: Db, first: Date): Promise<Date | null> {
  await db`
    insert into log_insight_progress (looked_until) values (${first}) on conflict do nothing`
  const [row] = await db<{ until: Date }[]>`
    select looked_until as until from log_insight_progress for update skip locked`
  return row?.until ?? null
}

export const saveProgress = async (db: Db, until: Date): Promise<void> => {
  await db`update log_insight_progress set looked_until = ${until}`
}

/** One node notifies at a time. */
export const lockNotifying = async (db: Db): Promise<void> => {
  await db`select pg_advisory_xact_lock(hashtextextended('log-insight messages', 0))`
}

export async function findProgress(db: Db): Promise<Date | null> {
  const [row] = await db<{ until: Date }[]>`select looked_until as until from log_insight_progress`
  return row?.until ?? null
}

/** Stores a finding, or that it continues: then its number and facts are those of the window with the most. */
export async function mergeInsight(db: Db, id: string, one: Found): Promise<void> {
  const { hours = 0, minutes = 0 } = one.facts
  const longest = MAX_LENGTH_MS + hours * HOUR_MS + minutes * MINUTE_MS
  const [same] = await db<{ id: string }[]>`
    select id from log_insights
    where kind = ${one.kind} and subject = ${one.subject}
      and last_at >= ${new Date(one.firstAt.getTime() - QUIET_MS)}
      and first_at > ${new Date(one.lastAt.getTime() - longest)}
    order by last_at desc limit 1`
  if (same) {
    await db`
      update log_insights set last_at = greatest(last_at, ${one.lastAt}), count = greatest(count, ${one.count}::int),
        facts = case when ${one.count}::int >= count then ${JSON.stringify(one.facts)}::text::jsonb else facts end
      where id = ${same.id}`
    return
  }
  await db`
    insert into log_insights (id, kind, subject, first_at, last_at, count, facts, user_id, application_id)
    values (${id}, ${one.kind}, ${one.subject}, ${one.firstAt}, ${one.lastAt}, ${one.count},
      ${JSON.stringify(one.facts)}::text::jsonb, ${one.userId}, ${one.applicationId})`
}

export type InsightRow = {
  key: string
  id: string
  kind: InsightKind
  firstAt: Date
  lastAt: Date
  count: number
  facts: InsightFacts
  userId: string | null
  person: string | null
  personAccount: string | null
  applicationId: string | null
  application: string | null
  dismissedAt: Date | null
  dismissedBy: string | null
}

const selectInsights = (db: Db, language: Language, rows: SqlFragment): SqlFragment => db`
  select i.id, i.kind, i.first_at, i.last_at, i.count, i.facts, i.user_id,
    u.name as person, u.account as person_account, i.application_id,
    ${localized(db, 'a', language)} as application, i.dismissed_at, b.name as dismissed_by,
    to_char(i.first_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || i.id as key
  from (${rows}) i left join users u on u.id = i.user_id left join applications a on a.id = i.application_id
    left join users b on b.id = i.dismissed_by`

export type InsightFilter = {
  kind: InsightKind | null
  isDismissed: boolean | null
  from: Date | null
  to: Date | null
  after: { at: string; id: string } | null
}

/** @param who a condition on the insight `i`: which of them the caller may see */
export function pageOfInsights(db: Db, who: SqlFragment, filter: InsightFilter, limit: number, language: Language) {
  const { kind, isDismissed, from, to, after } = filter
  const state = isDismissed ? db`and i.dismissed_at is not null` : db`and i.dismissed_at is null`
  const page = db`
    select i.* from log_insights i
    where ${who} ${kind ? db`and i.kind = ${kind}` : db``} ${isDismissed === null ? db`` : state}
      ${from ? db`and i.last_at >= ${from}` : db``} ${to ? db`and i.first_at < ${to}` : db``}
      ${after ? db`and (i.first_at, i.id) < (${after.at}::text::timestamptz, ${after.id}::uuid)` : db``}
    order by i.first_at desc, i.id desc limit ${limit}`
  return db<InsightRow[]>`${selectInsights(db, language, page)} order by i.first_at desc, i.id desc`
}

type Dismissal = { at: Date; by: string } | null

/** @returns false: not visible to them; null: unchanged */
export async function setDismissal(
  db: Db,
  who: SqlFragment,
  id: string,
  dismissal: Dismissal,
): Promise<boolean | null> {
  const [row] = await db<{ isDismissed: boolean }[]>`
    select i.dismissed_at is not null as is_dismissed from log_insights i where i.id = ${id} and ${who} for no key update`
  if (!row) return false
  if (row.isDismissed === (dismissal !== null)) return null
  await db`
    update log_insights set dismissed_at = ${dismissal?.at ?? null}, dismissed_by = ${dismissal?.by ?? null} where id = ${id}`
  return true
}

/** Insights not yet reported: about the same thing at least an hour after the last message. */
export const listUntold = (db: Db, kinds: readonly InsightKind[], now: Date, language: Language, limit: number) => {
  const hourAgo = new Date(now.getTime() - HOUR_MS)
  const due = db`
    select i.* from log_insights i
    where i.last_at >= ${hourAgo} and i.kind = any(${kinds as InsightKind[]}) and i.dismissed_at is null
      and (i.told_at is null or i.last_at > i.told_at)
      and not exists (
        select from log_insights o where o.kind = i.kind and o.subject = i.subject and o.told_at > ${hourAgo})
    order by i.last_at desc, i.id limit ${limit}`
  return db<InsightRow[]>`${selectInsights(db, language, due)} order by i.last_at desc, i.id`
}

export async function setTold(db: Db, ids: readonly string[], now: Date): Promise<void> {
  await db`update log_insights set told_at = ${now} where id = any(${ids as string[]}::uuid[])`
}

export const listSuperUserIds = (db: Db) => db<{ id: string }[]>`
  select id from users where is_super_user and enabled and activated and deleted_at is null order by id limit 100`

/** Deletes expired insights, and the oldest of too many; `step` at once. @returns how many */
export async function deleteOld(db: Db, before: Date, most: number, step: number): Promise<number> {
  const gone = await db`
    delete from log_insights where id in (
      (select id from log_insights where last_at < ${before} limit ${step})
      union (select id from log_insights order by last_at desc offset ${most} limit ${step}))`
  return gone.count
}
