import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../platform/platform.ts'
import { applicationCategoryRestorer, applicationRestorer } from '../application-manage/index.ts'
import { organizationRestorer } from '../organizations/index.ts'
import { type Restorer, recordAudits, type Snapshot } from '../records/index.ts'
import { roleRestorer } from '../roles/index.ts'
import type { NamePlan } from './bootstrap-names.service.ts'
import type { RowPlan } from './bootstrap-plan.rules.ts'
import { listNames, type NameTable } from './names.store.ts'

type Snapshots = ReadonlyMap<string, Snapshot>

/** What a document changes of one kind, and how that is read for the history. */
type TrackedKind = {
  targetKind: string
  noun: string
  plan: RowPlan<{ id: string }>
  read(ctx: Context, ids: readonly string[]): Promise<Snapshots>
}

const readByRestorer =
  (restorer: Restorer): TrackedKind['read'] =>
  async (ctx, ids) =>
    new Map([...(await restorer.current(ctx, ids))].map(([id, { snapshot }]) => [id, snapshot]))

const readByTable =
  (table: NameTable): TrackedKind['read'] =>
  async (ctx, ids) => {
    const wanted = new Set(ids)
    const rows = (await listNames(ctx.db, table)).filter(({ id }) => wanted.has(id))
    return new Map(rows.map(({ id, code, name, names, position }) => [id, { code, name, names, position }]))
  }

const TRACKED_TABLES: Readonly<Record<NameTable, Omit<TrackedKind, 'plan'>>> = {
  roles: { targetKind: 'role', noun: 'role', read: readByRestorer(roleRestorer) },
  organization_attributes: {
    targetKind: 'organization-attribute',
    noun: 'reference-data',
    read: readByTable('organization_attributes'),
  },
  user_categories: { targetKind: 'user-category', noun: 'reference-data', read: readByTable('user_categories') },
  personnel_types: { targetKind: 'user-feature', noun: 'reference-data', read: readByTable('personnel_types') },
  application_categories: {
    targetKind: 'application-category',
    noun: 'application-category',
    read: readByRestorer(applicationCategoryRestorer),
  },
}

type TrackedPlan = {
  organizations: RowPlan<{ id: string }>
  applications: RowPlan<{ id: string }>
  names: readonly NamePlan[]
}

/**
 * Reads what a document is about to change. @returns writes an audit record for each of them afterwards, as a change in the back office
 * would.
 */
export async function trackChanges(ctx: Context, plan: TrackedPlan, source: string): Promise<() => Promise<void>> {
  const watched: TrackedKind[] = [
    {
      targetKind: 'organization',
      noun: 'organization',
      plan: plan.organizations,
      read: readByRestorer(organizationRestorer),
    },
    {
      targetKind: 'application',
      noun: 'application',
      plan: plan.applications,
      read: readByRestorer(applicationRestorer),
    },
    ...plan.names.map((names) => ({ ...TRACKED_TABLES[names.table], plan: names })),
  ]
  const before = await Promise.all(watched.map((one) => readIds(ctx, one, one.plan.updated)))
  return async () => {
    for (const [at, one] of watched.entries()) {
      const after = await readIds(ctx, one, [...one.plan.inserted, ...one.plan.updated])
      await recordAudits(ctx, toAuditRecords(one, before[at] ?? new Map(), after, source))
    }
  }
}

const readIds = async (ctx: Context, { read }: TrackedKind, rows: readonly { id: string }[]): Promise<Snapshots> =>
  rows.length === 0
    ? new Map()
    : await read(
        ctx,
        rows.map(({ id }) => id),
      )

function toAuditRecords({ noun, targetKind }: TrackedKind, before: Snapshots, after: Snapshots, source: string) {
  return [...after].flatMap(([targetId, now]) => {
    const then = before.get(targetId)
    if (isDeepStrictEqual(then, now)) return []
    const action = `${noun}.${then ? 'update' : 'create'}`
    const reason = source.slice(-200)
    return [{ action, targetKind, targetId, actor: 'bootstrap', before: then ?? null, after: now, reason }]
  })
}
