import { v7 } from 'uuid'
import type { AppKey, createAppKey, listAppKeys, revokeAppKey } from '#shared/contract/api-manage.ts'
import { HOUR_MS } from '#shared/rules/durations.ts'
import { randomToken } from '../../platform/crypto.ts'
import type { Input } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { recordAudit } from '../records/index.ts'
import { errors } from './api-registry.errors.ts'
import { type AppKeyRow, expireKeys, insertKey, listValidKeys } from './app-keys.store.ts'
import { findApplication } from './interfaces.store.ts'

const HINT_LENGTH = 4

/** A prefix by which secret scanners recognise a key. */
const generateKey = (): string => `ghk_${randomToken(40)}`

const toAppKey = ({ createdAt, validUntil, lastUsedAt, ...key }: AppKeyRow): AppKey => ({
  ...key,
  createdAt: createdAt.toISOString(),
  validUntil: toIso(validUntil),
  lastUsedAt: toIso(lastUsedAt),
})

async function lockApplication(ctx: Context, id: string) {
  const application = await findApplication(ctx.db, id, true)
  if (!application) throw errors['application.not-found']()
  return application
}

export async function listValidAppKeys(ctx: Context, { id }: Input<typeof listAppKeys>['query']) {
  const application = await findApplication(ctx.db, id)
  if (!application) throw errors['application.not-found']()
  const keys = await listValidKeys(ctx.db, id, ctx.now())
  return { appId: application.appId, keys: keys.map(toAppKey) }
}

/** At most two are valid: the new one and, for `keepHours`, the previous one. */
export async function createKey(ctx: Context, { query: { id }, body: { keepHours } }: Input<typeof createAppKey>) {
  const { userId: by } = callerOf(ctx)
  const appKey = generateKey()
  const key = { id: v7(), applicationId: id, sealed: ctx.secrets.seal(appKey), hint: appKey.slice(-HINT_LENGTH), by }
  return await transaction(ctx, async (inner) => {
    const now = ctx.now()
    await lockApplication(inner, id)
    const [newest, ...older] = await listValidKeys(inner.db, id, now)
    await expireKeys(inner.db, [...older.map((one) => one.id), ...(newest && keepHours === 0 ? [newest.id] : [])], now)
    if (newest) await expireKeys(inner.db, [newest.id], new Date(now.getTime() + keepHours * HOUR_MS))
    await insertKey(inner.db, { ...key, at: now })
    const before = newest && { hint: newest.hint }
    const after = { hint: key.hint, keepHours }
    await recordAudit(inner, { action: 'app-key.create', targetKind: 'application-key', targetId: id, before, after })
    const made = (await listValidKeys(inner.db, id, now)).find((one) => one.id === key.id)
    if (!made) throw new Error('a key is not there right after it was written')
    return { appKey, key: toAppKey(made) }
  })
}

/** From now on its signatures are rejected, on every node. @throws Refusal `app-key.not-found`. */
export async function revokeKey(ctx: Context, { query: { id }, body: { keyId } }: Input<typeof revokeAppKey>) {
  return await transaction(ctx, async (inner) => {
    await lockApplication(inner, id)
    const key = (await listValidKeys(inner.db, id, ctx.now())).find((one) => one.id === keyId)
    if (!key) throw errors['app-key.not-found']()
    await expireKeys(inner.db, [keyId], ctx.now())
    const before = { hint: key.hint }
    await recordAudit(inner, { action: 'app-key.revoke', targetKind: 'application-key', targetId: id, before })
    return null
  })
}
