import { randomToken } from '../../platform/crypto.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { invalidateApplications, updateClientSecret } from '../applications/index.ts'
import { hashPassword } from '../passwords/index.ts'
import { recordAudit } from '../records/index.ts'

type RotateOptions = {
  /** The actor if nobody is logged in. */
  actor?: string
  /** Only if the application has this version. */
  version?: number | null
}

/**
 * Gives an OAuth application a new secret of 256 random bits; the old one is invalid on every node within a second.
 * @returns the secret, which can't be read again: only its hash is stored. Null if there is no such OAuth application.
 */
export async function rotateClientSecret(
  ctx: Context,
  appId: string,
  { actor, version = null }: RotateOptions = {},
): Promise<string | null> {
  const secret = randomToken(43)
  const hash = await hashPassword(ctx, secret)
  return await transaction(ctx, async (inner) => {
    const id = await updateClientSecret(inner.db, { appId, hash, version, now: inner.now() })
    if (id === null) return null
    await invalidateApplications(inner, inner.db)
    const audit = { action: 'client-secret.rotate', targetKind: 'application', targetId: id }
    await recordAudit(inner, { ...audit, ...(actor && { actor }) })
    return secret
  })
}
