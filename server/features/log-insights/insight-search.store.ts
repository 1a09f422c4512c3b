import type { LogInsightSettings } from '#shared/contract/log-insights.ts'
import type { MessageChannel } from '#shared/contract/message-routes.ts'
import { HOUR_MS, MINUTE_MS } from '#shared/rules/durations.ts'
import type { Db } from '../../platform/db.ts'
import { isUndeliveredCode } from '../messages/index.ts'
import type { Span } from './log-insights.types.ts'

/**
 * Each kind reads the records of the interval by time, and for their subjects (at most this many) the newest records of a window by the
 * index of the address, person or application.
 */
const MAX_SUBJECTS = 200
const MAX_ADDRESSES = 50
/** Per address, person or application. */
const MAX_READ = 20_000
const MAX_OF_PERSON = 5000
/** Logins of a person that are searched for a range or device. */
const MAX_FORMER = 400

const before = ({ to }: Span, ms: number): Date => new Date(to.getTime() - ms)

type Times = { firstAt: Date; lastAt: Date; count: number }
/** `records`: how many records of the log they were counted from, in that time. */
type Counted = Times & { records: number }

/** The end of an interval that holds at most this many records, counting those that start it. */
export async function findEnd(db: Db, { from, to }: Span, most: number): Promise<Date | null> {
  const [row] = await db<{ at: Date }[]>`
    select at from login_records where at >= ${from} and at < ${to} order by at offset ${most} limit 1`
  return row?.at ?? null
}

/** When the next record is due. */
export async function findNext(db: Db, { from, to }: Span): Promise<Date | null> {
  const [row] = await db<{ at: Date | null }[]>`
    select least(
      (select at from login_records where at >= ${from} and at < ${to} order by at limit 1),
      (select at from visit_records where refusal is not null and at >= ${from} and at < ${to} order by at limit 1),
      (select finished_at from messages where state in ('failed', 'expired') and finished_at >= ${from}
        and finished_at < ${to} order by finished_at limit 1)) as at`
  return row?.at ?? null
}

/** Addresses by the number of names that failed from them, unknown ones included. */
export const listSpraying = (db: Db, span: Span, { sprayNames, sprayMinutes }: LogInsightSettings) => db<
  (Counted & { address: string })[]
>`
  select host(a.ip) as address, w.count, w.records, w.first_at, w.last_at
  from (
    select r.ip from login_records r where not r.succeeded and r.at >= ${span.from} and r.at < ${span.to}
    group by r.ip order by count(*) desc limit ${MAX_ADDRESSES}) a
  cross join lateral (
    select count(distinct coalesce(t.account_mac::text, lower(t.account)))::int as count, count(*)::int as records,
      min(t.at) as first_at, max(t.at) as last_at
    from (
      select r.at, r.account, r.account_mac, r.succeeded from login_records r
      where r.ip = a.ip and r.at >= ${before(span, sprayMinutes * MINUTE_MS)} and r.at < ${span.to}
      order by r.at desc limit ${MAX_READ}) t
    where not t.succeeded) w
  where w.count >= ${sprayNames}`

export const listFailing = (db: Db, span: Span, { failedLogins, failedHours }: LogInsightSettings) => db<
  (Times & { userId: string })[]
>`
  select a.user_id, w.count, w.first_at, w.last_at
  from (
    select r.user_id from login_records r
    where not r.succeeded and r.at >= ${span.from} and r.at < ${span.to} and r.user_id is not null
    group by r.user_id order by count(*) desc limit ${MAX_SUBJECTS}) a
  join users u on u.id = a.user_id
  cross join lateral (
    select count(*)::int as count, min(t.at) as first_at, max(t.at) as last_at
    from (
      select r.at, r.succeeded from login_records r
      where r.user_id = a.user_id and r.at >= ${before(span, failedHours * HOUR_MS)} and r.at < ${span.to}
      order by r.at desc limit ${MAX_OF_PERSON}) t
    where not t.succeeded) w
  where w.count >= ${failedLogins}`

type FirstLogin = { userId: string; value: string; at: Date; formerAt: Date; count: number }

/**
 * Logins with a range, or a kind of device, that a person did not use before. Most used it the last time, so one former record per login is
 * read; `count` is how many logins there were without it, since `formerAt`.
 */
export function listFirstLogins(
  db: Db,
  span: Span,
  column: 'ip_range' | 'client_type',
  { newAfterDays, newAfterLogins }: LogInsightSettings,
) {
  const former = (value: 'same' | 'any') => db`
    select t.at from (
      select p.at, p.succeeded, p.${db(column)} as value from login_records p
      where p.user_id = s.user_id and p.at < s.at and p.at >= s.at - make_interval(days => ${newAfterDays})
      order by p.at desc limit ${MAX_FORMER}) t
    where t.succeeded ${value === 'same' ? db`and t.value = s.value` : db``}`
  return db<FirstLogin[]>`
    select s.user_id, s.value, s.at, w.former_at, w.count
    from (
      select distinct on (r.user_id, r.${db(column)}) r.user_id, r.${db(column)} as value, r.at from login_records r
      where r.succeeded and r.at >= ${span.from} and r.at < ${span.to} and r.${db(column)} is not null
      order by r.user_id, r.${db(column)}, r.at) s
    join users u on u.id = s.user_id
    cross join lateral (select count(*)::int as count, min(f.at) as former_at from (${former('any')}) f) w
    where not exists (${former('same')}) and w.count >= ${newAfterLogins}
    order by s.at limit ${MAX_SUBJECTS}`
}

type Hop = { userId: string; range: string; formerRange: string; at: Date; formerAt: Date; records: number }

/** Logins of a person from two ranges too soon after one another; a trusted range, such as a VPN, can be reached from anywhere. */
export const listHops = (db: Db, span: Span, { hopMinutes }: LogInsightSettings) => db<Hop[]>`
  select r.user_id, r.ip_range as range, f.ip_range as former_range, r.at, f.at as former_at, w.records
  from login_records r
  join users u on u.id = r.user_id
  cross join lateral (
    select t.ip_range, t.at from (
      select p.ip_range, p.at, p.succeeded from login_records p
      where p.user_id = r.user_id and p.at < r.at and p.at >= r.at - make_interval(mins => ${hopMinutes})
      order by p.at desc limit ${MAX_FORMER}) t
    where t.succeeded and t.ip_range is not null order by t.at desc limit 1) f
  cross join lateral (
    select count(*)::int as records from login_records b
    where b.user_id = r.user_id and b.succeeded and b.at >= f.at and b.at <= r.at) w
  where r.succeeded and r.ip_range is not null and r.at >= ${span.from} and r.at < ${span.to} and f.ip_range <> r.ip_range
    and not exists (select from ip_ranges k where k.name in (r.ip_range, f.ip_range) and k.kind = 'trusted')
  order by r.at limit ${MAX_SUBJECTS}`

export const listRefusing = (db: Db, span: Span, { refusedVisits, refusedMinutes }: LogInsightSettings) => db<
  (Times & { applicationId: string })[]
>`
  select t.application_id, count(*)::int as count, min(t.at) as first_at, max(t.at) as last_at
  from (
    select v.application_id, v.at from visit_records v
    where v.refusal is not null and v.at >= ${before(span, refusedMinutes * MINUTE_MS)} and v.at < ${span.to}
    order by v.at desc limit ${MAX_READ}) t
  join applications a on a.id = t.application_id
  group by t.application_id having count(*) >= ${refusedVisits} and max(t.at) >= ${span.from}`

/** Codes that no channel of their route delivered, by the time they were asked for, as the message log has them. */
export const listLostCodes = (db: Db, span: Span, { lostCodes, lostMinutes }: LogInsightSettings) => {
  const from = before(span, lostMinutes * MINUTE_MS)
  return db<(Times & { channel: MessageChannel })[]>`
    select r.channel, count(*)::int as count, min(r.created_at) as first_at, max(r.created_at) as last_at
    from (
      select m.id, m.route_id, m.channel, m.template, m.state, m.created_at, m.finished_at from messages m
      where m.state in ('failed', 'expired') and m.finished_at >= ${from} and m.finished_at < ${span.to} and m.created_at >= ${from}
      order by m.finished_at desc limit ${MAX_READ}) r
    where ${isUndeliveredCode(db)}
    group by r.channel having count(*) >= ${lostCodes} and max(r.finished_at) >= ${span.from}`
}
