import type { SessionEndReason } from '#shared/contract/session-ends.ts'
import type { Db } from '../../platform/db.ts'

/** Why a session ended that made room for another login of the person. */
export const NEWER_LOGIN = 'newer-login' satisfies SessionEndReason

/** Why the sign-on session behind this portal session ended; null: it hasn't, or the reason is unknown. */
export async function findEndReason(db: Db, cookieHash: Buffer, tokenHash: Buffer): Promise<string | null> {
  const [row] = await db<{ reason: string | null }[]>`
    select s.end_reason as reason from portal_sessions p join sso_sessions s on s.id = p.sso_session_id
    where p.cookie_hash = ${cookieHash} and p.token_hash = ${tokenHash} and s.ended_at is not null`
  return row?.reason ?? null
}
