import type { ScimScope } from '#shared/contract/scim-clients.ts'
import { DAY_MS, MINUTE_MS } from '#shared/rules/durations.ts'
import { sha256 } from '../../platform/crypto.ts'
import { countClientFailure, rateLimitFailures } from '../../platform/http/failure-limit.ts'
import type { Context } from '../../platform/platform.ts'
import { recordAudit } from '../records/index.ts'
import { errors } from './scim-clients.errors.ts'
import { countDisabled, insertDisabled, lockClient } from './scim-clients.store.ts'
import { findTokenOwner, type TokenOwner, updateLastUse } from './scim-tokens.store.ts'

/** The client that makes a request. */
export type ScimCaller = TokenOwner

const MAX_TOKEN_LENGTH = 200

/** @throws Refusal `scim.bad-token`; `request.too-many` for an address that guesses. */
export async function authenticateClient(ctx: Context, authorization: string | undefined): Promise<ScimCaller> {
  rateLimitFailures(ctx)
  const [, token = ''] = /^Bearer +([\w.~+/=-]+) *$/i.exec(authorization ?? '') ?? []
  const now = ctx.now()
  const client =
    token === '' || token.length > MAX_TOKEN_LENGTH ? null : await findTokenOwner(ctx.sql, sha256(token), now)
  if (!client) {
    countClientFailure(ctx)
    throw errors['scim.bad-token']()
  }
  // To the minute: before ending it, one can see whether something still uses it.
  if (!client.lastUsedAt || now.getTime() - client.lastUsedAt.getTime() >= MINUTE_MS)
    await updateLastUse(ctx.sql, client.tokenId, now)
  return client
}

/** A rate limit per minute of the clock, counted across all nodes. @throws Refusal `scim.too-many-calls`. */
export async function countCall(ctx: Context, { id, callsPerMinute }: ScimCaller): Promise<void> {
  const now = ctx.now().getTime()
  const minute = Math.floor(now / MINUTE_MS)
  if ((await ctx.state.increment('scim-rate', `${id} ${minute}`, 60)) <= callsPerMinute) return
  throw errors['scim.too-many-calls']({ retryAfter: Math.max(1, ((minute + 1) * MINUTE_MS - now) / 1000) })
}

/** Writing includes reading. */
export const hasScope = ({ scopes }: ScimCaller, scope: ScimScope): boolean =>
  scopes.includes(scope) || scopes.includes(scope.replace('.read', '.write') as ScimScope)

/** @throws Refusal `scim.scope-needed`. */
export function requireScope(client: ScimCaller, scope: ScimScope): void {
  if (!hasScope(client, scope)) throw errors['scim.scope-needed']({ params: { scope } })
}

/**
 * Call before the client disables a person or an organisation, in the same transaction: a system that lost its own must not disable ours
 * too.
 * @throws Refusal `scim.too-many-disabled`, which `recordHeld` records.
 */
export async function countDisabling(ctx: Context, client: ScimCaller, id: string): Promise<void> {
  await lockClient(ctx.db, client.id)
  const at = ctx.now()
  const since = new Date(at.getTime() - DAY_MS)
  const [found] = await countDisabled(ctx.db, [client.id], since)
  if ((found?.count ?? 0) >= client.maxDisabledPerDay)
    throw errors['scim.too-many-disabled']({
      params: { most: client.maxDisabledPerDay, count: client.maxDisabledPerDay },
    })
  await insertDisabled(ctx.db, { clientId: client.id, id, at, since })
}

/** Records once an hour that a client is held, outside the failed transaction. */
export async function recordHeld(ctx: Context, client: ScimCaller): Promise<void> {
  if ((await ctx.state.increment('scim-held', client.id, 3600)) > 1) return
  await recordAudit(
    { ...ctx, db: ctx.sql },
    {
      action: 'scim-client.hold',
      targetKind: 'scim-client',
      targetId: client.id,
      after: { client: client.name, maxDisabledPerDay: client.maxDisabledPerDay },
    },
  )
}
