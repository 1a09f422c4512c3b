import { isDeepStrictEqual } from 'node:util'
import { type Context, transaction } from '../../platform/platform.ts'
import type { RunningTask } from '../background-tasks/index.ts'
import { listOrganizationOwners } from '../field-authority/index.ts'
import {
  type BulkOrganization,
  deleteEmptyOrganizations,
  loadTree,
  writeOrganizations,
} from '../organizations/index.ts'
import { recordAudit } from '../records/index.ts'
import { listElsewhere, markDepartmentsTaken, unmarkDepartmentsTaken } from './department-links.store.ts'
import { type DepartmentChange, toDepartmentWrites } from './department-writes.rules.ts'
import type { DepartmentStep } from './departments.service.ts'
import { type DepartmentValues, type DepartmentWorld, isOwned } from './departments.types.ts'
import { countUndone, listAllRows, type StoredRow, type UndoneRow, updateUndoneRows } from './rows.store.ts'
import { syncTarget } from './run-start.service.ts'
import { findRun, type RunRow, updateRun } from './runs.store.ts'

/** Undoes a run's changes to departments in one transaction, where nothing has changed since and the fields are still the sync's own. */
export async function undoDepartmentRun(ctx: Context, task: RunningTask, { run, sync }: DepartmentStep): Promise<void> {
  await transaction(ctx, async (inner) => {
    if ((await findRun(inner.db, run.id, true))?.state !== 'undoing') return
    const tree = new Map((await loadTree(inner, true)).map((one) => [one.id, one]))
    const rows = (await listAllRows(inner.db, run.id)).filter((row) => row.isApplied && row.organizationId)
    const owners = await listOthersOwning(inner, sync, rows)
    const undone = [
      ...(await putBack(inner, run, rows, { tree, owners })),
      ...(await removeCreated(inner, run, rows, tree)),
    ]
    await updateUndoneRows(inner.db, run.id, undone)
    const undo = await countUndone(inner.db, run.id)
    await updateRun(inner.db, run.id, ['undoing'], { state: 'undone', undo, finishedAt: inner.now() })
    const after = { run: run.id, state: 'undone', ...undo }
    await recordAudit(inner, { action: 'directory-sync.finish', ...syncTarget(run.syncId), after })
    await task.progress(0, inner.db)
  })
}

/** The fields of these departments that another sync owns by now, whatever its rank. */
async function listOthersOwning({ db }: Context, { id }: { id: string }, rows: readonly StoredRow[]): Promise<Owners> {
  const owners = await listOrganizationOwners(db, { ids: rows.flatMap(({ organizationId }) => organizationId ?? []) })
  return new Map([...owners].map(([one, owned]) => [one, owned.filter(({ syncId }) => syncId !== id)]))
}

type Owners = DepartmentWorld['owners']
type Tree = ReadonlyMap<string, BulkOrganization>
type Present = { tree: Tree; owners: Owners }
type Values = Partial<DepartmentValues> & { gone?: boolean }

/** The fields of a row that can be undone: those that still are as the run left them. */
function toUndo({ row, organizationId, before, after }: StoredRow, { tree, owners }: Present) {
  const id = organizationId ?? ''
  const current = tree.get(id)
  const { gone, ...left } = (after ?? {}) as Values
  const former = (before ?? {}) as Values
  if (gone) return { row, id, total: 1, fields: current ? {} : former, isGone: false }
  const same = Object.entries(former).filter(([name]) => {
    if (isOwned({ owners }, id, name)) return false
    const now = current?.[name as keyof BulkOrganization]
    const made = left[name as keyof DepartmentValues]
    return name === 'position' && made === null ? true : isDeepStrictEqual(now, made)
  })
  const fields = Object.fromEntries(same)
  // A place among the former siblings means something only there.
  if (left.position === null && 'parentId' in former && !('parentId' in fields)) delete fields['position']
  return { row, id, total: Object.keys(former).length, fields, isGone: !current }
}

async function putBack(ctx: Context, run: RunRow, rows: readonly StoredRow[], here: Present): Promise<UndoneRow[]> {
  const undos = rows.filter(({ outcome }) => outcome !== 'new').map((row) => toUndo(row, here))
  const changes = undos
    .filter(({ fields, isGone }) => !isGone && Object.keys(fields).length > 0)
    .map(({ row, id, fields }): DepartmentChange => ({ row, organizationId: id, after: fields }))
  const writes = await toDepartmentWrites(changes, [...here.tree.values()])
  await writeOrganizations(ctx, writes, run.syncName)
  const written = new Set(writes.map(({ row }) => row))
  const enabledAs = (value: boolean) =>
    writes.flatMap(({ id, before, after }) => (before?.enabled === !value && after.enabled === value ? [id] : []))
  await unmarkDepartmentsTaken(ctx.db, run.syncId, enabledAs(true))
  await markDepartmentsTaken(ctx.db, run.syncId, enabledAs(false))
  return undos.map(({ row, total, fields, isGone }) => {
    const count = Object.keys(fields).length
    if (isGone) return { row, undo: 'gone' }
    if (count === 0) return { row, undo: 'touched' }
    if (!written.has(row)) return { row, undo: 'refused' }
    return { row, undo: count >= total ? 'undone' : 'partly' }
  })
}

/** Deletes departments that the run created, that are unused and unchanged and that no other sync has; children first, so that their parents are empty. */
async function removeCreated(ctx: Context, run: RunRow, rows: readonly StoredRow[], tree: Tree): Promise<UndoneRow[]> {
  const created = rows.filter(({ outcome }) => outcome === 'new')
  const ids = created.flatMap(({ organizationId }) => organizationId ?? [])
  const elsewhere = await listElsewhere(ctx.db, run.syncId, ids)
  const deleted = new Set<string>()
  let rest = created.flatMap(({ organizationId }) => {
    const one = tree.get(organizationId ?? '')
    if (one?.version !== 1 || elsewhere.has(one.id)) return []
    const { id, version: _, isEnding: __, ...before } = one
    return [{ id, before, after: before }]
  })
  for (;;) {
    const removed = await deleteEmptyOrganizations(ctx, rest, run.syncName)
    for (const id of removed) deleted.add(id)
    rest = rest.filter(({ id }) => !removed.has(id))
    if (removed.size === 0 || rest.length === 0) break
  }
  return created.map(({ row, organizationId }) => {
    const id = organizationId ?? ''
    if (!tree.has(id)) return { row, undo: 'gone' }
    return { row, undo: deleted.has(id) ? 'removed' : 'touched' }
  })
}
