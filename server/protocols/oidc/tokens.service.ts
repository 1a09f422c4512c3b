import type { Adapter, AdapterPayload } from 'oidc-provider'
import { findApplicationByClientId } from '../../features/applications/index.ts'
import {
  deleteAccessToken,
  findAnswer,
  insertAccessToken,
  insertTokens,
  type NewToken,
  revokeGrant,
  rotateTokens,
} from '../../features/oidc-tokens/index.ts'
import { sha256 } from '../../platform/crypto.ts'
import type { Context, Platform } from '../../platform/platform.ts'
import { findAccessToken, findClientToken, findRefreshToken } from './client-session.store.ts'
import { currentRequest, type OidcRequest } from './oidc-request.service.ts'
import { tokenShape, toTokenPayload } from './presented-token.service.ts'

/** Prefixes of tokens, by which a lookup knows their kind. */
export const TOKEN_PREFIXES = {
  AuthorizationCode: 'OC-',
  AccessToken: 'AT-',
  RefreshToken: 'RT-',
  ClientCredentials: 'CT-',
}

async function toNewToken(
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

const revokeByGrantId = async (grantId: string) => {
  const { ctx } = currentRequest()
  await revokeGrant(ctx.db, grantId, ctx.now())
}

export const accessTokenAdapter: Partial<Adapter> = {
  async upsert(id, payload, seconds) {
    const request = currentRequest()
    request.pending.access = await toNewToken(request.ctx, id, payload, seconds)
  },
  async find(id) {
    if (!id.startsWith(TOKEN_PREFIXES.AccessToken)) return undefined
    const { ctx } = currentRequest()
    const shape = await tokenShape(ctx)
    return await toTokenPayload(id, await findAccessToken(ctx.db, sha256(id), { shape, now: ctx.now() }), shape)
  },
  destroy: (id) => deleteAccessToken(currentRequest().ctx.db, sha256(id)),
  revokeByGrantId,
}

export const refreshTokenAdapter: Partial<Adapter> = {
  async upsert(id, payload, seconds) {
    const request = currentRequest()
    request.pending.refresh = await toNewToken(request.ctx, id, payload, seconds)
  },
  async find(id) {
    if (!id.startsWith(TOKEN_PREFIXES.RefreshToken)) return undefined
    const { ctx } = currentRequest()
    const shape = await tokenShape(ctx)
    const query = { shape, now: ctx.now(), graceSince: graceSince(ctx) }
    return await toTokenPayload(id, await findRefreshToken(ctx.db, sha256(id), query), shape)
  },
  async consume(id) {
    currentRequest().pending.used = sha256(id)
  },
}

export const clientTokenAdapter: Partial<Adapter> = {
  async upsert(id, payload, seconds) {
    const request = currentRequest()
    request.pending.access = await toNewToken(request.ctx, id, payload, seconds)
  },
  async find(id) {
    if (!id.startsWith(TOKEN_PREFIXES.ClientCredentials)) return undefined
    const { ctx } = currentRequest()
    const value = await findClientToken(ctx.db, sha256(id), ctx.now())
    return value ? ({ ...value, jti: id } as AdapterPayload) : undefined
  },
  destroy: (id) => deleteAccessToken(currentRequest().ctx.db, sha256(id)),
}

/**
 * Writes what a success has issued, in one statement.
 * @param body the answer that goes with it.
 * @returns the answer to send; null if somebody else used the refresh token first, and nothing was written. A public client has then lost
 *   its family; a confidential one gets the first answer again if it makes the same request.
 */
export async function writeTokens(request: OidcRequest, body: unknown): Promise<{ body: unknown } | null> {
  const { ctx, pending } = request
  const { access, refresh, used } = pending
  if (!access) return { body }
  if (!refresh) {
    await insertAccessToken(ctx.db, access)
    return { body }
  }
  if (!used) {
    await insertTokens(ctx.db, access, refresh)
    return { body }
  }
  const isConfidential = Boolean(request.clientSession?.application.client?.secretHash)
  const stored: StoredAnswer = { asked: refreshKey(access), body }
  const answer = isConfidential ? ctx.secrets.seal(JSON.stringify(stored)) : null
  if (await rotateTokens(ctx.db, { used, access, refresh, answer, now: ctx.now() })) return { body }
  if (isConfidential) return await findStoredAnswer(ctx, used, stored.asked)
  if (access.grantId) await revokeGrant(ctx.db, access.grantId, ctx.now())
  return null
}

/** How long a used refresh token of a confidential client returns its answer again: for a retry, or a concurrent request. */
const REFRESH_GRACE_SECONDS = 30

export const graceSince = (platform: Platform): Date =>
  new Date(platform.now().getTime() - REFRESH_GRACE_SECONDS * 1000)

/** An answer as stored, sealed. */
type StoredAnswer = { asked: string; body: unknown }

/** What distinguishes one refresh from another: the scopes, and the key that the tokens are bound to (RFC 9449). */
const refreshKey = ({ value }: NewToken): string => JSON.stringify([value['scope'] ?? null, value['jkt'] ?? null])

async function findStoredAnswer(ctx: Context, used: Buffer, asked: string): Promise<{ body: unknown } | null> {
  const sealed = await findAnswer(ctx.db, used, graceSince(ctx))
  const given = sealed === null ? null : (JSON.parse(ctx.secrets.open(sealed)) as StoredAnswer)
  return given?.asked === asked ? { body: given.body } : null
}
