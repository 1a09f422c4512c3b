import type { Db, SqlFragment } from '../../platform/db.ts'
import { createStatement } from '../../platform/statement.ts'

/** What the provider keeps of a token or code. */
export type TokenValue = Record<string, unknown>

export type NewToken = {
  hash: Buffer
  grantId: string | null
  ssoSessionId: string | null
  applicationId: string
  value: TokenValue
  expiresAt: Date
}

const TOKEN_COLUMNS = 'token_hash, grant_id, sso_session_id, application_id, value, expires_at'
const OWNERS = ':grantId::text, :ssoSessionId::uuid, :applicationId::uuid'
const ACCESS_TOKEN = (owners: string) => `insert into oidc_access_tokens (${TOKEN_COLUMNS})
  select :accessHash::bytea, ${owners}, :accessValue::text::jsonb, :accessExpiresAt::timestamptz`
const REFRESH_TOKEN = (owners: string) => `insert into oidc_refresh_tokens (${TOKEN_COLUMNS})
  select :refreshHash::bytea, ${owners}, :refreshValue::text::jsonb, :refreshExpiresAt::timestamptz`

const accessParameters = ({ hash, value, expiresAt }: NewToken) => ({
  accessHash: hash,
  accessValue: JSON.stringify(value),
  accessExpiresAt: expiresAt,
})
const refreshParameters = ({ hash, value, expiresAt }: NewToken) => ({
  refreshHash: hash,
  refreshValue: JSON.stringify(value),
  refreshExpiresAt: expiresAt,
})
const ownerParameters = ({ grantId, ssoSessionId, applicationId }: NewToken) => ({
  grantId,
  ssoSessionId,
  applicationId,
})

const insertAccess = createStatement(ACCESS_TOKEN(OWNERS))

export async function insertAccessToken(db: Db, access: NewToken): Promise<void> {
  await insertAccess(db, { ...accessParameters(access), ...ownerParameters(access) })
}

const insertBoth = createStatement(`with access as (${ACCESS_TOKEN(OWNERS)}) ${REFRESH_TOKEN(OWNERS)}`)

/** An access token with the refresh token of its family, in one statement. */
export async function insertTokens(db: Db, access: NewToken, refresh: NewToken): Promise<void> {
  await insertBoth(db, { ...accessParameters(access), ...refreshParameters(refresh), ...ownerParameters(access) })
}

type TokenRotation = { used: Buffer; access: NewToken; refresh: NewToken; answer: string | null; now: Date }

const OWNERS_OF_USED = 'grant_id, sso_session_id, application_id'
const rotate = createStatement(`
  with used as (
    update oidc_refresh_tokens set consumed_at = :now, answer = :answer where token_hash = :used and consumed_at is null
    returning ${OWNERS_OF_USED}
  ), access as (${ACCESS_TOKEN(OWNERS_OF_USED)} from used)
  ${REFRESH_TOKEN(OWNERS_OF_USED)} from used returning true as rotated`)

/**
 * Consumes a refresh token and writes its successors, in one statement: of parallel callers on all nodes exactly one gets true, and the
 * others write nothing.
 * @param answer stored beside the used token for whoever makes the same request again; null: not repeatable.
 */
export async function rotateTokens(db: Db, { used, access, refresh, answer, now }: TokenRotation): Promise<boolean> {
  const rows = await rotate(db, { ...accessParameters(access), ...refreshParameters(refresh), used, answer, now })
  return rows.length === 1
}

/** The answer given by the use of a refresh token after `since`. */
export async function findAnswer(db: Db, used: Buffer, since: Date): Promise<string | null> {
  const [row] = await db<{ answer: string | null }[]>`
    select answer from oidc_refresh_tokens where token_hash = ${used} and consumed_at > ${since}`
  return row?.answer ?? null
}

export async function deleteAccessToken(db: Db, hash: Buffer): Promise<void> {
  await db`delete from oidc_access_tokens where token_hash = ${hash}`
}

/** Deletes the tokens of sessions for an application. @param entries SQL query: session and application */
export async function deleteTokensOf(db: Db, entries: SqlFragment): Promise<void> {
  await db`delete from oidc_refresh_tokens where (sso_session_id, application_id) in (${entries})`
  await db`delete from oidc_access_tokens where (sso_session_id, application_id) in (${entries})`
}

export async function revokeGrant(db: Db, grantId: string, now: Date): Promise<void> {
  await db`insert into oidc_revoked_grants (grant_id, revoked_at) values (${grantId}, ${now}) on conflict do nothing`
}

/** Deletes tokens that have expired. @returns how many rows, at most `limit` of each kind. */
export async function deleteExpiredTokens(db: Db, now: Date, limit: number): Promise<number> {
  const access = await db`
    delete from oidc_access_tokens where token_hash in (
      select token_hash from oidc_access_tokens where expires_at < ${now} limit ${limit})`
  const refresh = await db`
    delete from oidc_refresh_tokens where token_hash in (
      select token_hash from oidc_refresh_tokens where expires_at < ${now} limit ${limit})`
  return Math.max(access.count, refresh.count)
}

/** Deletes answers to uses before `since`. @returns how many, at most `limit`. */
export async function deleteOldAnswers(db: Db, since: Date, limit: number): Promise<number> {
  const { count } = await db`
    update oidc_refresh_tokens set answer = null where token_hash in (
      select token_hash from oidc_refresh_tokens where answer is not null and consumed_at <= ${since} limit ${limit})`
  return count
}

export async function deleteOldRevocations(db: Db, before: Date): Promise<void> {
  await db`delete from oidc_revoked_grants where revoked_at < ${before}`
}
