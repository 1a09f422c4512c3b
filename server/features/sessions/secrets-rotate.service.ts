import type { FastifyReply } from 'fastify'
import type { Config } from '../../platform/config.ts'
import { randomToken, sha256 } from '../../platform/crypto.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { updateSecrets } from './secrets-rotate.store.ts'
import { setPortalCookie, setSsoCookie } from './session-cookies.service.ts'

export type SessionSecrets = {
  /** For the sign-on session's cookie. */
  sso: string
  /** For the portal's cookie. */
  portal: string
  /** The portal token, for the `token` header. */
  token: string
  /** Remaining lifetime of the sign-on cookie in seconds; null: until the browser closes. */
  maxAge: number | null
}

/**
 * Gives the caller's sessions new secrets, so that leaked old ones are worthless, and lifts the restriction of an initial password. The ids
 * stay, and with them what single logout needs. `ctx.db` decides the transaction; call `setSecretCookies` once it has committed.
 * @returns null if the session has ended meanwhile.
 */
export async function rotateSecrets(ctx: Context): Promise<SessionSecrets | null> {
  const { ssoSessionId, sessionId } = callerOf(ctx)
  const secrets = { sso: `TGT-${randomToken(43)}`, portal: randomToken(43), token: randomToken(43) }
  const session = await updateSecrets(ctx.db, {
    ssoSessionId,
    portalSessionId: sessionId,
    ssoHash: sha256(secrets.sso),
    portalHash: sha256(secrets.portal),
    tokenHash: sha256(secrets.token),
  })
  if (!session) return null
  const seconds = Math.max(1, Math.round((session.expiresAt.getTime() - ctx.now().getTime()) / 1000))
  return { ...secrets, maxAge: session.remembered ? seconds : null }
}

export function setSecretCookies(config: Config, reply: FastifyReply, secrets: SessionSecrets): void {
  setSsoCookie(config, reply, secrets.sso, secrets.maxAge)
  setPortalCookie(config, reply, secrets.portal)
}
