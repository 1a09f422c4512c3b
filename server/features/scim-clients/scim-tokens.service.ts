import { v7 } from 'uuid'
import type { issueScimToken, ScimClient } from '#shared/contract/scim-clients.ts'
import { DAY_MS, HOUR_MS } from '#shared/rules/durations.ts'
import { randomToken, sha256 } from '../../platform/crypto.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { recordAudit } from '../records/index.ts'
import { lockResource } from '../resources/index.ts'
import { errors } from './scim-clients.errors.ts'
import { clientsService, describeClient } from './scim-clients.service.ts'
import { expireTokens, insertToken, listValidTokens } from './scim-tokens.store.ts'

const HINT_LENGTH = 4

/** A prefix by which secret scanners recognise a token. */
const generateToken = (): string => `ghs_${randomToken(43)}`

const auditTarget = (id: string) => ({ targetKind: 'scim-client', targetId: id })

/** At most two are valid: the new one and, for `keepHours`, the previous one. @throws Refusal `resource.not-found`. */
export async function issueToken(
  ctx: Context,
  id: string,
  { days, keepHours }: Input<typeof issueScimToken>['body'],
): Promise<{ token: string; client: ScimClient }> {
  const { userId: by } = callerOf(ctx)
  const token = generateToken()
  return await transaction(ctx, async (inner) => {
    await lockResource(inner.db, 'scim-client')
    const row = await clientsService.get(inner, id)
    const at = inner.now()
    const expiresAt = new Date(at.getTime() + days * DAY_MS)
    const [newest, ...older] = await listValidTokens(inner.db, [id], at)
    await expireTokens(
      inner.db,
      older.map((one) => one.id),
      at,
    )
    if (newest) await expireTokens(inner.db, [newest.id], new Date(at.getTime() + keepHours * HOUR_MS))
    const hint = token.slice(-HINT_LENGTH)
    await insertToken(inner.db, { id: v7(), clientId: id, hash: sha256(token), hint, at, by, expiresAt })
    const before = newest && { client: row.name, hint: newest.hint }
    const after = { client: row.name, hint, keepHours, expiresAt: expiresAt.toISOString() }
    await recordAudit(inner, { action: 'scim-token.create', ...auditTarget(id), before, after })
    return { token, client: await describeClient(inner, row) }
  })
}

/** From now on requests with it are rejected, on every node. @throws Refusal `resource.not-found`, `scim-client.token-not-found`. */
export async function revokeToken(ctx: Context, id: string, tokenId: string): Promise<ScimClient> {
  return await transaction(ctx, async (inner) => {
    await lockResource(inner.db, 'scim-client')
    const row = await clientsService.get(inner, id)
    const at = inner.now()
    const token = (await listValidTokens(inner.db, [id], at)).find((one) => one.id === tokenId)
    if (!token) throw errors['scim-client.token-not-found']()
    await expireTokens(inner.db, [tokenId], at)
    const before = { client: row.name, hint: token.hint }
    await recordAudit(inner, { action: 'scim-token.revoke', ...auditTarget(id), before })
    return await describeClient(inner, row)
  })
}
