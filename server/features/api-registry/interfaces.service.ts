import type {
  GrantedInterface,
  grantInterfaces,
  Interface,
  limitInterface,
  listGrantedInterfaces,
  listInterfaces,
  updateInterface,
} from '#shared/contract/api-manage.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { recordAudit } from '../records/index.ts'
import { errors } from './api-registry.errors.ts'
import { type CatalogueEntry, pageOfEntries } from './catalogue.rules.ts'
import {
  countGrants,
  countUsageSince,
  deleteGrants,
  findApplication,
  type GrantRow,
  grantsOf,
  insertGrants,
  listSwitches,
  updateLimit,
  upsertSwitch,
} from './interfaces.store.ts'

/** The calls of the contract in the caller's language, by `apiId`. */
export type Catalogue = Map<string, CatalogueEntry>

type InterfaceUsage = Omit<Interface, 'applications'>

/** The catalogue with disabled calls marked and usage counts; for one application, or all. */
async function loadInterfaceUsage(
  ctx: Context,
  catalogue: Catalogue,
  applicationId: string | null,
): Promise<InterfaceUsage[]> {
  const since = new Date(ctx.now().getTime() - DAY_MS)
  const [switched, usage] = await Promise.all([listSwitches(ctx.db), countUsageSince(ctx.db, since, applicationId)])
  return [...catalogue.values()].map((entry) => {
    const row = switched.find(({ apiId }) => apiId === entry.apiId)
    const used = usage.find(({ apiId }) => apiId === entry.apiId)
    return {
      ...entry,
      status: row && !row.enabled ? (0 as const) : (1 as const),
      calls: used?.calls ?? 0,
      failures: used?.failures ?? 0,
      version: row?.version ?? 0,
    }
  })
}

async function loadInterfaces(ctx: Context, catalogue: Catalogue): Promise<Interface[]> {
  const [interfaces, counts] = [await loadInterfaceUsage(ctx, catalogue, null), await countGrants(ctx.db)]
  const countOf = (id: string) => counts.find(({ apiId }) => apiId === id)?.applications ?? 0
  return interfaces.map((one) => ({ ...one, applications: countOf(one.apiId) }))
}

export async function interfacesPage(ctx: Context, catalogue: Catalogue, query: Input<typeof listInterfaces>['query']) {
  const { status } = query
  const rows = (await loadInterfaces(ctx, catalogue)).filter(
    (row) => status === undefined || row.status === Number(status),
  )
  return pageOfEntries(rows, query)
}

/** @throws Refusal `interface.not-found`, `version.conflict` with the current interface. */
export async function setInterfaceEnabled(ctx: Context, catalogue: Catalogue, input: Input<typeof updateInterface>) {
  const { apiId } = input.query
  const { status, version } = input.body
  const { userId: by } = callerOf(ctx)
  if (!catalogue.has(apiId)) throw errors['interface.not-found']()
  const one = async () => (await loadInterfaces(ctx, catalogue)).find((row) => row.apiId === apiId)
  const before = await one()
  const saved = await transaction(ctx, async (inner) => {
    const done = await upsertSwitch(inner.db, { apiId, enabled: status === 1, version, at: ctx.now(), by })
    if (done) {
      const audit = { action: 'interface.update', targetKind: 'interface', targetId: apiId }
      await recordAudit(inner, { ...audit, before: { status: before?.status }, after: { status } })
    }
    return done
  })
  const current = await one()
  if (!saved || !current) throw platformErrors['version.conflict']({ data: { current } })
  return current
}

async function getApplication(ctx: Context, id: string, lock = false) {
  const application = await findApplication(ctx.db, id, lock)
  if (!application) throw errors['application.not-found']()
  return application
}

async function loadGrantedInterfaces(
  ctx: Context,
  catalogue: Catalogue,
  applicationId: string,
): Promise<GrantedInterface[]> {
  const [interfaces, grants] = [
    await loadInterfaceUsage(ctx, catalogue, applicationId),
    await grantsOf(ctx.db, applicationId),
  ]
  const byId = new Map(interfaces.map((one) => [one.apiId, one]))
  return grants.flatMap(({ grantedAt, ...grant }) => {
    const one = byId.get(grant.apiId)
    return one ? [{ ...one, ...grant, grantedAt: grantedAt.toISOString() }] : []
  })
}

/** The catalogue entries that an application may call; a grant for a call that no longer exists is not shown. */
export async function grantedInterfacesPage(
  ctx: Context,
  catalogue: Catalogue,
  query: Input<typeof listGrantedInterfaces>['query'],
) {
  await getApplication(ctx, query.id)
  return pageOfEntries(await loadGrantedInterfaces(ctx, catalogue, query.id), query)
}

/** Changes the grants of an application, with all of them before and after in one audit record. */
async function changeGrants(
  ctx: Context,
  applicationId: string,
  action: string,
  change: (inner: Context) => Promise<number>,
): Promise<number> {
  return await transaction(ctx, async (inner) => {
    // Concurrent changes are serialised, so that each record shows what the change really found.
    await getApplication(inner, applicationId, true)
    const before = await grantsOf(inner.db, applicationId)
    const changed = await change(inner)
    if (changed === 0) return 0
    const after = await grantsOf(inner.db, applicationId)
    const target = { targetKind: 'application-interface', targetId: applicationId }
    await recordAudit(inner, { action, ...target, before: snapshot(before), after: snapshot(after) })
    return changed
  })
}

const snapshot = (grants: readonly GrantRow[]) => ({
  interfaces: Object.fromEntries(grants.map(({ apiId, callsPerMinute }) => [apiId, { callsPerMinute }])),
})

/** @throws Refusal `interface.not-found` if one of them is not in the catalogue, and then none is granted. */
export async function grant(ctx: Context, catalogue: Catalogue, input: Input<typeof grantInterfaces>) {
  const { id } = input.query
  const { apiIds } = input.body
  if (apiIds.some((apiId) => !catalogue.has(apiId))) throw errors['interface.not-found']()
  const { userId: by } = callerOf(ctx)
  const changed = await changeGrants(ctx, id, 'application-interface.grant', (inner) =>
    insertGrants(inner.db, { applicationId: id, apiIds, at: ctx.now(), by }),
  )
  return { changed }
}

export async function withdraw(ctx: Context, { query: { id }, body: { apiIds } }: Input<typeof grantInterfaces>) {
  const changed = await changeGrants(ctx, id, 'application-interface.withdraw', (inner) =>
    deleteGrants(inner.db, id, apiIds),
  )
  return { changed }
}

/** @throws Refusal `interface.not-granted`, `version.conflict` with the current grant. */
export async function limit(ctx: Context, catalogue: Catalogue, input: Input<typeof limitInterface>) {
  const { id } = input.query
  const one = async () =>
    (await loadGrantedInterfaces(ctx, catalogue, id)).find(({ apiId }) => apiId === input.body.apiId)
  const changed = await changeGrants(ctx, id, 'application-interface.limit', async (inner) =>
    Number(await updateLimit(inner.db, { applicationId: id, ...input.body })),
  )
  const current = await one()
  if (!current) throw errors['interface.not-granted']()
  if (changed === 0) throw platformErrors['version.conflict']({ data: { current } })
  return current
}
