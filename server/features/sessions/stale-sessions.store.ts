import type { Db } from '../../platform/db.ts'

type StaleSessionFilter = {
  now: Date
  idleSince: Date
  /** Null: the idle logout of the portal is switched off. */
  portalIdleSince: Date | null
}

/** Sessions that are over but not yet marked so, at most `limit`. */
export async function listStaleSessionIds(
  db: Db,
  { now, idleSince, portalIdleSince }: StaleSessionFilter,
  limit: number,
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select s.id from sso_sessions s
    where s.ended_at is null and (s.expires_at <= ${now} or not s.remembered and (s.last_seen_at <= ${idleSince}
      or s.last_seen_at <= ${portalIdleSince}::timestamptz and exists (select from portal_sessions p where p.sso_session_id = s.id)))
    limit ${limit}`
  return rows.map(({ id }) => id)
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
