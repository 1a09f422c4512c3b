import type { Db } from '../../platform/db.ts'

export type StaleSessionFilter = {
  now: Date
  idleSince: Date
  /** Null: the idle logout of the portal is switched off. */
  portalIdleSince: Date | null
}

/** SQL condition: has the session `s` expired by these times? */
const isStale = (db: Db, { now, idleSince, portalIdleSince }: StaleSessionFilter) => db`
  coalesce(s.expires_at <= ${now} or not s.remembered and (s.last_seen_at <= ${idleSince}
    or s.last_seen_at <= ${portalIdleSince}::timestamptz and exists (select from portal_sessions p where p.sso_session_id = s.id)), false)`

/** Sessions that have expired but are not yet marked as ended, at most `limit`. */
export async function listStaleSessionIds(db: Db, filter: StaleSessionFilter, limit: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select s.id from sso_sessions s where s.ended_at is null and ${isStale(db, filter)} limit ${limit}`
  return rows.map(({ id }) => id)
}

export type EndingSession = { userId: string; account: string; name: string; at: Date; ip: string }

/** Open sessions that would be expired by times other than those in force: how many, of how many people, and those used latest. */
export async function findEndingSessions(
  db: Db,
  { before, after }: { before: StaleSessionFilter; after: StaleSessionFilter },
  limit: number,
): Promise<{ count: number; people: number; rows: EndingSession[] }> {
  const ending = db`s.ended_at is null and ${isStale(db, after)} and not ${isStale(db, before)}`
  const [total] = await db<{ count: number; people: number }[]>`
    select count(*)::int as count, count(distinct s.user_id)::int as people from sso_sessions s where ${ending}`
  const rows = await db<EndingSession[]>`
    select s.user_id, u.account, u.name, s.last_seen_at as at, host(s.ip) as ip
    from sso_sessions s join users u on u.id = s.user_id where ${ending} order by s.last_seen_at desc limit ${limit}`
  return { count: total?.count ?? 0, people: total?.people ?? 0, rows }
}

/** Open sessions of people who may no longer log in (the facts of `mayLogIn`), at most `limit`. */
export async function listSessionIdsOfBlockedUsers(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select s.id from sso_sessions s join users u on u.id = s.user_id
    where s.ended_at is null and (u.deleted_at is not null or not u.enabled or not u.activated
      or u.locked_at is not null and (u.locked_until is null or u.locked_until > ${now})
      or u.frozen_from <= ${now} and (u.frozen_until is null or u.frozen_until > ${now})
      or u.valid_until <= ${now} or u.valid_from > ${now})
    limit ${limit}`
  return rows.map(({ id }) => id)
}

/** The times at which freezes of people with open sessions begin, after `now` and not after `until`; at most `limit`, the next first. */
export async function listFreezeStarts(db: Db, { now, until }: { now: Date; until: Date }, limit: number) {
  const rows = await db<{ at: Date }[]>`
    select distinct u.frozen_from as at from users u
    where u.frozen_from > ${now} and u.frozen_from <= ${until} and u.deleted_at is null
      and exists (select from sso_sessions s where s.user_id = u.id and s.ended_at is null)
    order by at limit ${limit}`
  return rows.map(({ at }) => at)
}

/** @returns how many were deleted, at most `limit`. */
export async function deleteEndedSessions(db: Db, before: Date, limit: number): Promise<number> {
  const result = await db`
    delete from sso_sessions where id in (select id from sso_sessions where ended_at < ${before} limit ${limit})`
  return result.count
}

/** @returns how many were deleted, at most `limit`. */
export async function deleteUnusedPortalSessions(db: Db, before: Date, limit: number): Promise<number> {
  const result = await db`
    delete from portal_sessions where id in (select id from portal_sessions where last_seen_at < ${before} limit ${limit})`
  return result.count
}
