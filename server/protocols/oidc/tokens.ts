import type { Adapter, AdapterPayload } from 'oidc-provider'
import { findApplicationByClientId, findApplicationById } from '../../features/applications/index.ts'
import { sha256 } from '../../platform/crypto.ts'
import type { Context } from '../../platform/platform.ts'
import { rememberGrant } from './codes.ts'
import { currentRequest, isGood, type OidcRequest, standingFrom } from './oidc-request.ts'
import { findAccessToken, findClientToken, findRefreshToken, type TokenStanding } from './standing.store.ts'
import {
  deleteAccessToken,
  insertAccessToken,
  insertTokens,
  type NewToken,
  revokeGrant,
  rotateTokens,
} from './tokens.store.ts'

/** What a token begins with: also what saves looking for it among the others. */
export const PREFIXES = { AuthorizationCode: 'OC-', AccessToken: 'AT-', RefreshToken: 'RT-', ClientCredentials: 'CT-' }

async function newToken(
  ctx: Context,
  id: string,
  payload: AdapterPayload,
  seconds: number | undefined,
): Promise<NewToken> {
  const { jti: _, grantId, sessionUid, ...rest } = payload
  const application = await findApplicationByClientId(ctx, payload.clientId ?? '')
  if (!application) throw new Error('a token for no application')
  return {
    hash: sha256(id),
    grantId: grantId ?? null,
    ssoSessionId: sessionUid ?? null,
    applicationId: application.id,
    value: { ...rest, grantId, sessionUid },
    expiresAt: new Date(ctx.now().getTime() + (seconds ?? 0) * 1000),
  }
}

/** The token with the standing that it was found on, if that is still good. */
async function standingToken(id: string, row: TokenStanding | null): Promise<AdapterPayload | undefined> {
  const request = currentRequest()
  const application = row && (await findApplicationById(request.ctx, row.applicationId))
  if (!row || !application) return undefined
  const standing = await standingFrom(request.ctx, row, application)
  if (!isGood(standing)) return undefined
  request.standing = standing
  const payload = { ...row.value, jti: id } as AdapterPayload
  rememberGrant(payload)
  return row.consumed ? { ...payload, consumed: Math.floor(Date.now() / 1000) } : payload
}

const revokeByGrantId = async (grantId: string) => {
  const { ctx } = currentRequest()
  await revokeGrant(ctx.db, grantId, ctx.now())
}

export const accessTokenAdapter: Partial<Adapter> = {
  async upsert(id, payload, seconds) {
    const request = currentRequest()
    request.pending.access = await newToken(request.ctx, id, payload, seconds)
  },
  async find(id) {
    if (!id.startsWith(PREFIXES.AccessToken)) return undefined
    const { ctx } = currentRequest()
    return await standingToken(id, await findAccessToken(ctx.db, sha256(id), ctx.now()))
  },
  destroy: (id) => deleteAccessToken(currentRequest().ctx.db, sha256(id)),
  revokeByGrantId,
}

export const refreshTokenAdapter: Partial<Adapter> = {
  async upsert(id, payload, seconds) {
    const request = currentRequest()
    request.pending.refresh = await newToken(request.ctx, id, payload, seconds)
  },
  async find(id) {
    if (!id.startsWith(PREFIXES.RefreshToken)) return undefined
    const { ctx } = currentRequest()
    return await standingToken(id, await findRefreshToken(ctx.db, sha256(id), ctx.now()))
  },
  async consume(id) {
    currentRequest().pending.used = sha256(id)
  },
}

export const clientTokenAdapter: Partial<Adapter> = {
  async upsert(id, payload, seconds) {
    const request = currentRequest()
    request.pending.access = await newToken(request.ctx, id, payload, seconds)
  },
  async find(id) {
    if (!id.startsWith(PREFIXES.ClientCredentials)) return undefined
    const { ctx } = currentRequest()
    const value = await findClientToken(ctx.db, sha256(id), ctx.now())
    return value ? ({ ...value, jti: id } as AdapterPayload) : undefined
  },
  destroy: (id) => deleteAccessToken(currentRequest().ctx.db, sha256(id)),
}

/**
 * Writes what a success has issued, in one statement.
 * @returns false when somebody else used the refresh token first: nothing was written, and its family has ended.
 */
export async function writePending({ ctx, pending }: OidcRequest): Promise<boolean> {
  const { access, refresh, used } = pending
  if (!access) return true
  if (!refresh) {
    await insertAccessToken(ctx.db, access)
    return true
  }
  if (!used) {
    await insertTokens(ctx.db, access, refresh)
    return true
  }
  if (await rotateTokens(ctx.db, used, access, refresh, ctx.now())) return true
  if (access.grantId) await revokeGrant(ctx.db, access.grantId, ctx.now())
  return false
}
