import { SCIM_CHANGE_KINDS, SCIM_LIMITS, type ScimScope } from '#shared/contract/scim-clients.ts'
import { DAY_MS, MINUTE_MS } from '#shared/rules/durations.ts'
import { sha256 } from '../../platform/crypto.ts'
import type { Refusal } from '../../platform/errors.ts'
import { countClientFailure, rateLimitFailures } from '../../platform/http/failure-limit.ts'
import type { Context } from '../../platform/platform.ts'
import { recordAudit } from '../records/index.ts'
import { errors } from './scim-clients.errors.ts'
import { countChanged, lockClient, type ScimChange, saveChanges, saveRefusedKind } from './scim-clients.store.ts'
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
 * Counts what the client changed, in the same transaction: a system that lost its people must not do the same to ours. Call it last: whoever
 * waits for the lock then holds everything else that they need.
 * @throws Refusal `scim.too-many-…` of the first kind that is beyond its limit, which `recordHeld` records; `scim.too-many-at-once` if these
 *   changes alone are, so that no release would help.
 */
export async function countChanges(ctx: Context, client: ScimCaller, changes: readonly ScimChange[]): Promise<void> {
  const limited = changes.filter(({ kind }) => client[SCIM_LIMITS[kind]] !== null)
  if (limited.length === 0) return
  // Somebody may have lowered them since the request began.
  const limits = (await lockClient(ctx.db, client.id)) ?? client
  const at = ctx.now()
  const since = new Date(at.getTime() - DAY_MS)
  await saveChanges(ctx.db, { clientId: client.id, changes: limited, at, since })
  const kinds = SCIM_CHANGE_KINDS.filter((one) => limited.some(({ kind }) => kind === one))
  const counts = await countChanged(ctx.db, { clientIds: [client.id], kinds, since })
  for (const kind of kinds) {
    const most = limits[SCIM_LIMITS[kind]]
    const used = counts.find((one) => one.kind === kind)?.count ?? 0
    if (most === null || used <= most) continue
    const own = new Set(limited.flatMap((one) => (one.kind === kind ? [one.id] : []))).size
    const code = most > 0 && own > most ? 'at-once' : kind
    throw errors[`scim.too-many-${code}`]({ params: { most, count: most } })
  }
}

/** Records once an hour for each kind that a client is held, outside the failed transaction; any other refusal is nothing to record. */
export async function recordHeld(ctx: Context, client: ScimCaller, { code }: Refusal): Promise<void> {
  const kind = SCIM_CHANGE_KINDS.find((one) => code === `scim.too-many-${one}`)
  if (!kind) return
  const hold = `${client.id} ${kind} ${client.releasedAt?.getTime() ?? ''}`
  if ((await ctx.state.increment('scim-held', hold, 3600)) > 1) return
  await saveRefusedKind(ctx.sql, { clientId: client.id, kind }, ctx.now())
  const limit = SCIM_LIMITS[kind]
  await recordAudit(
    { ...ctx, db: ctx.sql },
    {
      action: 'scim-client.hold',
      targetKind: 'scim-client',
      targetId: client.id,
      after: { client: client.name, [limit]: client[limit] },
    },
  )
}
