import { type ClientDetails, insertVisitsText } from '../../features/records/index.ts'
import type { Db } from '../../platform/db.ts'
import { createStatement } from '../../platform/statement.ts'
import type { TokenValue } from './client-session.store.ts'

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

const VISIT = insertVisitsText(`
  select :visitId::uuid, :at::timestamptz, :userId::uuid, :applicationId::uuid, 'sign-on', :ip::inet, :clientType::text,
    :onCampus::boolean, :ipRange::text, :ssoSessionId::uuid`)
const ENTRY = `
  insert into session_clients (sso_session_id, application_id, sid, subject, first_at)
  values (:ssoSessionId::uuid, :applicationId::uuid, :sid, :subject, :at::timestamptz)
  on conflict do nothing`
const enter = createStatement(`with visit as (${VISIT}) ${ENTRY}`)
const enterWithCode = createStatement(`
  with visit as (${VISIT}), entry as (${ENTRY})
  insert into oidc_codes (code_hash, sso_session_id, application_id, value, issued_at, expires_at)
  values (:codeHash, :ssoSessionId::uuid, :applicationId::uuid, :codeValue::text::jsonb, :at::timestamptz, :codeExpiresAt)`)

/** Authorization codes are found by their hash. */
export type NewCode = { hash: Buffer; value: TokenValue; expiresAt: Date }

/**
 * Records that a session entered an application, for back-channel logout, together with the visit and the code that stands for it.
 * @param code null: the application got its tokens without one
 */
export async function insertEntry(db: Db, { details, ...entry }: EntryInput, code: NewCode | null): Promise<void> {
  const { ip, clientType, onCampus, ipRange } = details
  const parameters = { ...entry, ip, clientType, onCampus, ipRange }
  if (!code) return void (await enter(db, parameters))
  const { hash, value, expiresAt } = code
  await enterWithCode(db, { ...parameters, codeHash: hash, codeValue: JSON.stringify(value), codeExpiresAt: expiresAt })
}

/** Deletes codes issued before `since`. @returns how many, at most `limit`. */
export async function deleteOldCodes(db: Db, since: Date, limit: number): Promise<number> {
  const { count } = await db`
    delete from oidc_codes where code_hash in (select code_hash from oidc_codes where issued_at < ${since} limit ${limit})`
  return count
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
