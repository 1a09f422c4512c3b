import type { DepartmentSyncFields } from '#shared/contract/sync-departments.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import type { Context } from '../../platform/platform.ts'
import { type BulkOrganization, listEmpty } from '../organizations/index.ts'
import type { DepartmentLink } from './department-links.store.ts'
import { type DepartmentPlan, type DepartmentWorld, departmentProblem } from './departments.types.ts'
import type { NewRow } from './rows.store.ts'

/** A row for each linked department that the source no longer has: a leaver if it has been missing long enough. */
export async function planMissing(
  ctx: Context,
  plans: readonly DepartmentPlan[],
  { links, organizations }: DepartmentWorld,
  { missing: { action, runs, days } }: DepartmentSyncFields,
): Promise<NewRow[]> {
  const present = new Set(plans.map(({ externalId }) => externalId))
  const byId = new Map(organizations.map((one) => [one.id, one]))
  const now = ctx.now()
  const since = new Date(now.getTime() - days * DAY_MS)
  const gone = links.filter(({ externalId }) => !present.has(externalId))
  const ids = gone.map(({ organizationId }) => organizationId)
  const empty = action === 'delete-empty' ? await listEmpty(ctx.db, ids) : new Set<string>()
  const last = plans.reduce((most, { row }) => Math.max(most, row), 0)
  return gone.map((link, at): NewRow => {
    const { externalId, organizationId, missingRuns, missingSince } = link
    const isDue = action !== 'keep' && missingRuns + 1 >= runs && (missingSince ?? now) <= since
    const removal = isDue ? toGone(link, byId.get(organizationId), action, empty) : null
    const problems = isDue && action === 'delete-empty' && !removal ? [departmentProblem('not-empty')] : null
    const kept = { outcome: 'missing' as const, before: null, after: null }
    return { row: last + at + 1, externalId, organizationId, problems, ...(removal ?? kept) }
  })
}

type Gone = Pick<NewRow, 'outcome' | 'before' | 'after'>

function toGone(
  { takenVersion }: DepartmentLink,
  current: BulkOrganization | undefined,
  action: DepartmentSyncFields['missing']['action'],
  empty: ReadonlySet<string>,
): Gone | null {
  if (!current || current.isEnding) return null
  if (action === 'delete-empty') {
    const { id, version: _, isEnding: __, ...before } = current
    return empty.has(id) ? { outcome: 'leaver', before, after: { gone: true } } : null
  }
  if (!current.enabled || takenVersion !== null) return null
  return { outcome: 'leaver', before: { enabled: true }, after: { enabled: false } }
}
