import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../platform/platform.ts'
import { applicationCategoryRestorer, applicationRestorer } from '../application-manage/index.ts'
import type { Restorer, Snapshot } from '../change-history/index.ts'
import { organizationRestorer } from '../organizations/index.ts'
import { recordAudits } from '../records/index.ts'
import { roleRestorer } from '../roles/index.ts'
import type { NamePlan } from './bootstrap.names.ts'
import type { RowPlan } from './bootstrap.plan.ts'
import { type NameTable, namesOf } from './names.store.ts'

type Snapshots = ReadonlyMap<string, Snapshot>

/** What a document changes of one kind, and how that is read for the history. */
type Watched = {
  targetKind: string
  noun: string
  plan: RowPlan<{ id: string }>
  read(ctx: Context, ids: readonly string[]): Promise<Snapshots>
}

const byRestorer =
  (restorer: Restorer): Watched['read'] =>
  async (ctx, ids) =>
    new Map([...(await restorer.current(ctx, ids))].map(([id, { snapshot }]) => [id, snapshot]))

const byTable =
  (table: NameTable): Watched['read'] =>
  async (ctx, ids) => {
    const wanted = new Set(ids)
    const rows = (await namesOf(ctx.db, table)).filter(({ id }) => wanted.has(id))
    return new Map(rows.map(({ id, code, name, names, position }) => [id, { code, name, names, position }]))
  }

const NAMED: Readonly<Record<NameTable, Omit<Watched, 'plan'>>> = {
  roles: { targetKind: 'role', noun: 'role', read: byRestorer(roleRestorer) },
  organization_attributes: {
    targetKind: 'organization-attribute',
    noun: 'vocabulary',
    read: byTable('organization_attributes'),
  },
  user_categories: { targetKind: 'user-category', noun: 'vocabulary', read: byTable('user_categories') },
  personnel_natures: { targetKind: 'user-feature', noun: 'vocabulary', read: byTable('personnel_natures') },
  application_categories: {
    targetKind: 'application-category',
    noun: 'application-category',
    read: byRestorer(applicationCategoryRestorer),
  },
}

type Changing = {
  organizations: RowPlan<{ id: string }>
  applications: RowPlan<{ id: string }>
  names: readonly NamePlan[]
}

/**
 * Reads what a document is about to change. @returns what writes a line for each of them once it is done, as a change in the back
 * office would leave one.
 */
export async function watchChanges(ctx: Context, plan: Changing, source: string): Promise<() => Promise<void>> {
  const watched: Watched[] = [
    {
      targetKind: 'organization',
      noun: 'organization',
      plan: plan.organizations,
      read: byRestorer(organizationRestorer),
    },
    { targetKind: 'application', noun: 'application', plan: plan.applications, read: byRestorer(applicationRestorer) },
    ...plan.names.map((names) => ({ ...NAMED[names.table], plan: names })),
  ]
  const before = await Promise.all(watched.map((one) => readIds(ctx, one, one.plan.updated)))
  return async () => {
    for (const [at, one] of watched.entries()) {
      const after = await readIds(ctx, one, [...one.plan.inserted, ...one.plan.updated])
      await recordAudits(ctx, linesOf(one, before[at] ?? new Map(), after, source))
    }
  }
}

const readIds = async (ctx: Context, { read }: Watched, rows: readonly { id: string }[]): Promise<Snapshots> =>
  rows.length === 0
    ? new Map()
    : await read(
        ctx,
        rows.map(({ id }) => id),
      )

function linesOf({ noun, targetKind }: Watched, before: Snapshots, after: Snapshots, source: string) {
  return [...after].flatMap(([targetId, now]) => {
    const then = before.get(targetId)
    if (isDeepStrictEqual(then, now)) return []
    const action = `${noun}.${then ? 'update' : 'create'}`
    const reason = source.slice(-200)
    return [{ action, targetKind, targetId, actor: 'bootstrap', before: then ?? null, after: now, reason }]
  })
}
