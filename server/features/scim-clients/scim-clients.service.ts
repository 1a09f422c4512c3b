import {
  MAX_SCIM_CLIENTS,
  SCIM_CHANGE_KINDS,
  SCIM_LIMITS,
  type ScimChangeKind,
  type ScimClient,
  ScimClientFields,
  type ScimToken,
} from '#shared/contract/scim-clients.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import { toIso } from '../../platform/iso-time.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { recordAudit } from '../records/index.ts'
import { countNamed, resourceService } from '../resources/index.ts'
import { errors } from './scim-clients.errors.ts'
import {
  type ChangeCount,
  type ClientQuery,
  clientsStore,
  countChanged,
  listRefusedKinds,
  releaseClient,
  type StoredClient,
} from './scim-clients.store.ts'
import { listValidTokens, type TokenRow } from './scim-tokens.store.ts'

/** The base path of SCIM. */
export const SCIM_PATH = '/scim/v2'

export const clientsService = resourceService<ScimClientFields, StoredClient, ClientQuery>({
  kind: 'scim-client',
  fields: ScimClientFields,
  store: clientsStore,
  async check(ctx, fields, id) {
    const { count, isTaken } = await countNamed(ctx.db, 'scim_clients', fields.name, id)
    if (isTaken) throw errors['scim-client.name-taken']({ params: { name: fields.name }, data: { fields: ['name'] } })
    if (id === null && count >= MAX_SCIM_CLIENTS)
      throw errors['scim-client.too-many']({ params: { most: MAX_SCIM_CLIENTS } })
    return fields
  },
  async changed() {},
})

export const scimClientRestorer = clientsService.restorer

const toToken = ({ id, hint, createdAt, createdBy, expiresAt, lastUsedAt }: TokenRow): ScimToken => ({
  ...{ id, hint, createdBy, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() },
  lastUsedAt: toIso(lastUsedAt),
})

const later = (one: string | null, other: string | null): string | null =>
  one !== null && (other === null || one > other) ? one : other

const toCounts = (counts: readonly ChangeCount[]): ScimClient['changedLastDay'] => ({
  ...{ disabled: 0, moved: 0, renamed: 0, created: 0 },
  ...Object.fromEntries(counts.map(({ kind, count }) => [kind, count])),
})

/** Clients with their tokens and counts. */
export async function describeClients(ctx: Context, rows: readonly StoredClient[]): Promise<ScimClient[]> {
  const now = ctx.now()
  const ids = rows.map(({ id }) => id)
  const tokens = await listValidTokens(ctx.db, ids, now)
  const since = new Date(now.getTime() - DAY_MS)
  const counts = await countChanged(ctx.db, { clientIds: ids, kinds: SCIM_CHANGE_KINDS, since })
  const refused = await listRefusedKinds(ctx.db, ids, since)
  return rows.map(({ updatedAt, ...row }) => {
    const changedLastDay = toCounts(counts.filter(({ clientId }) => clientId === row.id))
    const isHeld = (one: ScimChangeKind) =>
      refused.some(({ clientId, kind }) => clientId === row.id && kind === one) ||
      (changedLastDay[one] > 0 && changedLastDay[one] >= (row[SCIM_LIMITS[one]] ?? Number.POSITIVE_INFINITY))
    const own = tokens.filter(({ clientId }) => clientId === row.id).map(toToken)
    return {
      ...row,
      updatedAt: updatedAt.toISOString(),
      url: ctx.config.publicUrl + SCIM_PATH,
      tokens: own,
      lastUsedAt: own.map(({ lastUsedAt }) => lastUsedAt).reduce(later, null),
      changedLastDay,
      // Nothing releases a client from a limit of 0.
      heldKinds: SCIM_CHANGE_KINDS.filter((kind) => (row[SCIM_LIMITS[kind]] ?? 0) > 0 && isHeld(kind)),
    }
  })
}

export async function describeClient(ctx: Context, row: StoredClient): Promise<ScimClient> {
  const [client] = await describeClients(ctx, [row])
  return client as ScimClient
}

/** @throws Refusal `list.too-deep`. */
export async function pageClients(ctx: Context, query: ClientQuery) {
  const { records, ...total } = await clientsService.page(ctx, query)
  return { records: await describeClients(ctx, records), ...total }
}

/** Resets all counts of what the client has changed. @throws Refusal `resource.not-found`. */
export async function release(ctx: Context, id: string, reason: string): Promise<ScimClient> {
  return await transaction(ctx, async (inner) => {
    const row = await clientsService.get(inner, id)
    const { changedLastDay } = await describeClient(inner, row)
    await releaseClient(inner.db, id, inner.now())
    const target = { targetKind: 'scim-client', targetId: id }
    const used = Object.fromEntries(Object.entries(changedLastDay).filter(([, count]) => count > 0))
    const after = { client: row.name, changedLastDay: used }
    await recordAudit(inner, { action: 'scim-client.release', ...target, after, reason })
    return await describeClient(inner, row)
  })
}
