import { grantHolds, type Person } from '../../features/applications/index.ts'
import { personColumns, type SessionRow, sessionColumns } from '../../features/sessions/index.ts'
import type { Db } from '../../platform/db.ts'

/** A session, its person, and what the gate needs to know about one application: one row, one round trip. */
export type StandingRow = SessionRow & Person & { consented: string[] | null }

const standingColumns = (db: Db, now: Date) => db`
  ${sessionColumns(db, now, db`c.code`)}, ${personColumns(db)}, a.enabled as "applicationEnabled", ${grantHolds(db, now)} as granted,
  k.scopes as consented`

/** Expects `sso_sessions s` and `applications a` before it. */
const standingJoins = (db: Db) => db`
  join users u on u.id = s.user_id left join organizations o on o.id = u.organization_id
  left join user_categories c on c.id = u.category_id left join personnel_natures n on n.id = u.personnel_nature_id
  left join consents k on k.user_id = s.user_id and k.application_id = a.id`

export async function standingBySecret(db: Db, secretHash: Buffer, applicationId: string, now: Date) {
  const [row] = await db<StandingRow[]>`
    select ${standingColumns(db, now)}
    from sso_sessions s join applications a on a.id = ${applicationId} ${standingJoins(db)}
    where s.secret_hash = ${secretHash}`
  return row ?? null
}

export async function standingById(db: Db, ssoSessionId: string, applicationId: string, now: Date) {
  const [row] = await db<StandingRow[]>`
    select ${standingColumns(db, now)}
    from sso_sessions s join applications a on a.id = ${applicationId} ${standingJoins(db)}
    where s.id = ${ssoSessionId}`
  return row ?? null
}

export type TokenValue = Record<string, unknown>
export type TokenStanding = StandingRow & { value: TokenValue; applicationId: string; consumed: boolean }

/** The access token with this hash and whether it still stands on a session, in one round trip. */
export async function findAccessToken(db: Db, hash: Buffer, now: Date): Promise<TokenStanding | null> {
  const [row] = await db<TokenStanding[]>`
    select t.value, t.application_id as "applicationId", false as consumed, ${standingColumns(db, now)}
    from oidc_access_tokens t join sso_sessions s on s.id = t.sso_session_id join applications a on a.id = t.application_id
      ${standingJoins(db)}
    where t.token_hash = ${hash} and t.expires_at > ${now}
      and not exists (select from oidc_revoked_grants r where r.grant_id = t.grant_id)`
  return row ?? null
}

/** As `findAccessToken`, for a refresh token; one that was used already is found too. */
export async function findRefreshToken(db: Db, hash: Buffer, now: Date): Promise<TokenStanding | null> {
  const [row] = await db<TokenStanding[]>`
    select t.value, t.application_id as "applicationId", t.consumed_at is not null as consumed, ${standingColumns(db, now)}
    from oidc_refresh_tokens t join sso_sessions s on s.id = t.sso_session_id join applications a on a.id = t.application_id
      ${standingJoins(db)}
    where t.token_hash = ${hash} and t.expires_at > ${now}
      and not exists (select from oidc_revoked_grants r where r.grant_id = t.grant_id)`
  return row ?? null
}

/** A token that an application has for itself. */
export async function findClientToken(db: Db, hash: Buffer, now: Date): Promise<TokenValue | null> {
  const [row] = await db<{ value: TokenValue }[]>`
    select t.value from oidc_access_tokens t join applications a on a.id = t.application_id
    where t.token_hash = ${hash} and t.sso_session_id is null and t.expires_at > ${now} and a.enabled`
  return row?.value ?? null
}
