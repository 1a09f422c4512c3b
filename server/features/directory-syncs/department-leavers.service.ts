import type { DirectorySync } from '#shared/contract/directory-syncs.ts'
import type { DepartmentSyncFields } from '#shared/contract/sync-departments.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import type { Context } from '../../platform/platform.ts'
import { type BulkOrganization, listEmpty, loadTree } from '../organizations/index.ts'
import { type DepartmentLink, listElsewhere } from './department-links.store.ts'
import { departmentOptions } from './department-world.service.ts'
import { departmentProblem } from './departments.types.ts'
import type { NewRow } from './rows.store.ts'
import type { RunRow } from './runs.store.ts'

/**
 * Rows, after those read, for linked departments that the source no longer has: leavers if they have been missing long enough and no other
 * sync has them.
 */
export async function planMissing(
  ctx: Context,
  gone: readonly DepartmentLink[],
  { run, sync }: { run: RunRow; sync: DirectorySync },
): Promise<NewRow[]> {
  const { action, runs, days } = departmentOptions(sync).missing
  const byId = new Map((await loadTree(ctx, false)).map((one) => [one.id, one]))
  const now = ctx.now()
  const since = new Date(now.getTime() - days * DAY_MS)
  const ids = gone.map(({ organizationId }) => organizationId)
  const elsewhere = await listElsewhere(ctx.db, run.syncId, ids)
  const empty = action === 'delete-empty' ? await listEmpty(ctx.db, ids) : new Set<string>()
  return gone.map((link, at): NewRow => {
    const { externalId, organizationId, missingRuns, missingSince } = link
    const isLong = missingRuns + 1 >= runs && (missingSince ?? now) <= since
    const isDue = action !== 'keep' && isLong && !elsewhere.has(organizationId)
    const removal = isDue ? toGone(link, byId.get(organizationId), action, empty) : null
    const problems = isDue && action === 'delete-empty' && !removal ? [departmentProblem('not-empty')] : null
    const kept = { outcome: 'missing' as const, before: null, after: null }
    return { row: run.rowsRead + at + 1, externalId, organizationId, problems, ...(removal ?? kept) }
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
