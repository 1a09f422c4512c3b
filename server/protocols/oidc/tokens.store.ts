import type { ClientDetails } from '../../features/records/index.ts'
import type { Db } from '../../platform/db.ts'
import type { TokenValue } from './client-session.store.ts'

export type NewToken = {
  hash: Buffer
  grantId: string | null
  ssoSessionId: string | null
  applicationId: string
  value: TokenValue
  expiresAt: Date
}

export async function insertAccessToken(db: Db, t: NewToken): Promise<void> {
  await db`
    insert into oidc_access_tokens (token_hash, grant_id, sso_session_id, application_id, value, expires_at)
    values (${t.hash}, ${t.grantId}, ${t.ssoSessionId}, ${t.applicationId}, ${JSON.stringify(t.value)}::text::jsonb,
      ${t.expiresAt})`
}

/** An access token with the refresh token of its family, in one statement. */
export async function insertTokens(db: Db, access: NewToken, refresh: NewToken): Promise<void> {
  await db`
    with access as (
      insert into oidc_access_tokens (token_hash, grant_id, sso_session_id, application_id, value, expires_at)
      values (${access.hash}, ${access.grantId}, ${access.ssoSessionId}, ${access.applicationId},
        ${JSON.stringify(access.value)}::text::jsonb, ${access.expiresAt})
    )
    insert into oidc_refresh_tokens (token_hash, grant_id, sso_session_id, application_id, value, expires_at)
    values (${refresh.hash}, ${refresh.grantId}, ${refresh.ssoSessionId}, ${refresh.applicationId},
      ${JSON.stringify(refresh.value)}::text::jsonb, ${refresh.expiresAt})`
}

type TokenRotation = { used: Buffer; access: NewToken; refresh: NewToken; answer: string | null; now: Date }

/**
 * Uses up a refresh token and writes its successors, in one statement: of parallel callers on all nodes exactly one gets true,
 * and the others have written nothing.
 * @param answer kept beside the used token for whoever asks the same again; null: nobody may.
 */
export async function rotateTokens(db: Db, { used, access, refresh, answer, now }: TokenRotation): Promise<boolean> {
  const rows = await db`
    with used as (
      update oidc_refresh_tokens set consumed_at = ${now}, answer = ${answer} where token_hash = ${used} and consumed_at is null
      returning sso_session_id, application_id, grant_id
    ), access as (
      insert into oidc_access_tokens (token_hash, grant_id, sso_session_id, application_id, value, expires_at)
      select ${access.hash}::bytea, grant_id, sso_session_id, application_id, ${JSON.stringify(access.value)}::text::jsonb,
        ${access.expiresAt}::timestamptz from used
    )
    insert into oidc_refresh_tokens (token_hash, grant_id, sso_session_id, application_id, value, expires_at)
    select ${refresh.hash}::bytea, grant_id, sso_session_id, application_id, ${JSON.stringify(refresh.value)}::text::jsonb,
      ${refresh.expiresAt}::timestamptz from used
    returning true as rotated`
  return rows.length === 1
}

/** The answer that the use of a refresh token after `since` gave. */
export async function findAnswer(db: Db, used: Buffer, since: Date): Promise<string | null> {
  const [row] = await db<{ answer: string | null }[]>`
    select answer from oidc_refresh_tokens where token_hash = ${used} and consumed_at > ${since}`
  return row?.answer ?? null
}

export async function deleteAccessToken(db: Db, hash: Buffer): Promise<void> {
  await db`delete from oidc_access_tokens where token_hash = ${hash}`
}

export async function revokeGrant(db: Db, grantId: string, now: Date): Promise<void> {
  await db`insert into oidc_revoked_grants (grant_id, revoked_at) values (${grantId}, ${now}) on conflict do nothing`
}

export type EntryInput = {
  ssoSessionId: string
  applicationId: string
  sid: string
  subject: string
  userId: string
  at: Date
  visitId: string
  details: ClientDetails
}

/** Notes that a session entered an application, for back-channel logout, together with the record of the visit. */
export async function insertEntry(db: Db, e: EntryInput): Promise<void> {
  await db`
    with visit as (
      insert into visit_records (id, at, user_id, application_id, way, ip, client_type, on_campus, sso_session_id)
      values (${e.visitId}, ${e.at}, ${e.userId}, ${e.applicationId}, 'sign-on', ${e.details.ip}, ${e.details.clientType},
        ${e.details.onCampus}, ${e.ssoSessionId})
    )
    insert into session_clients (sso_session_id, application_id, sid, subject, first_at)
    values (${e.ssoSessionId}, ${e.applicationId}, ${e.sid}, ${e.subject}, ${e.at})
    on conflict do nothing`
}

/** Everything that can't be used any more. @returns how many rows went, at most `most` of each kind. */
export async function deleteExpiredTokens(db: Db, now: Date, limit: number): Promise<number> {
  const access = await db`
    delete from oidc_access_tokens where token_hash in (
      select token_hash from oidc_access_tokens where expires_at < ${now} limit ${limit})`
  const refresh = await db`
    delete from oidc_refresh_tokens where token_hash in (
      select token_hash from oidc_refresh_tokens where expires_at < ${now} limit ${limit})`
  return Math.max(access.count, refresh.count)
}

/** Answers to uses before `since`. @returns how many went, at most `most`. */
export async function deleteOldAnswers(db: Db, since: Date, limit: number): Promise<number> {
  const { count } = await db`
    update oidc_refresh_tokens set answer = null where token_hash in (
      select token_hash from oidc_refresh_tokens where answer is not null and consumed_at <= ${since} limit ${limit})`
  return count
}

export async function deleteOldRevocations(db: Db, before: Date): Promise<void> {
  await db`delete from oidc_revoked_grants where revoked_at < ${before}`
}
