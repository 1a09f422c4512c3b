import type { Db } from '../../platform/db.ts'

type SecretHashes = {
  ssoSessionId: string
  portalSessionId: string
  ssoHash: Buffer
  portalHash: Buffer
  tokenHash: Buffer
}

/** New secrets for both sessions of one browser; its other portal sessions end. Null if the sign-on session has ended. */
export async function updateSecrets(db: Db, r: SecretHashes) {
  const [session] = await db<{ remembered: boolean; expiresAt: Date }[]>`
    with portal as (
      update portal_sessions set cookie_hash = ${r.portalHash}, token_hash = ${r.tokenHash} where id = ${r.portalSessionId}
    ), others as (
      delete from portal_sessions where sso_session_id = ${r.ssoSessionId} and id <> ${r.portalSessionId}
    )
    update sso_sessions set secret_hash = ${r.ssoHash}, limited = false
    where id = ${r.ssoSessionId} and ended_at is null
    returning remembered, expires_at`
  return session ?? null
}
