import { v7 } from 'uuid'
import { Code } from '#shared/contract/organizations.ts'
import type { Context } from '../../platform/platform.ts'
import { listOrganizationOwners } from '../field-authority/index.ts'
import {
  type BulkOrganization,
  deleteEmptyOrganizations,
  loadTree,
  MAX_LEVELS,
  type OrganizationSnapshot,
  writeOrganizations,
} from '../organizations/index.ts'
import type { ScimCaller } from '../scim-clients/index.ts'
import { errors } from './scim-provisioning.errors.ts'
import { noteOrganization, type Writer } from './writing.service.ts'

export type OrganizationChange = { name?: string; code?: string; parentId?: string | null; enabled?: boolean }

/** Distance to the last sibling. */
const POSITION_GAP = 1024

function snapshotOf({ id: _, version: __, isEnding: ___, ...snapshot }: BulkOrganization): OrganizationSnapshot {
  return snapshot
}

const invalid = (ctx: Context, key: string) =>
  errors['scim.invalid-value']({ params: { reason: ctx.translate(ctx.client.language, key) } })

/** @returns its id. @throws Refusal `scim.taken`, `scim.invalid-value`. */
export async function createOrganizationGroup(
  ctx: Context,
  client: ScimCaller,
  { name = '', code, parentId = null }: OrganizationChange,
): Promise<string> {
  const tree = await loadTree(ctx, true)
  const id = v7()
  const siblings = tree.filter((one) => one.parentId === parentId).map(({ position }) => position)
  const position = Math.max(0, ...siblings) + POSITION_GAP
  const after = { code: code ?? id, name, names: {}, parentId, attribute: null, position, enabled: true }
  checkPlace(ctx, tree, { id, after })
  await writeOrganizations(ctx, [{ id, before: null, after }], client.name)
  return id
}

/** @throws Refusal `scim.not-found`, `scim.taken`, `scim.invalid-value`. */
export async function changeOrganizationGroup(
  ctx: Context,
  writer: Writer,
  id: string,
  change: OrganizationChange,
): Promise<void> {
  const tree = await loadTree(ctx, true)
  const current = tree.find((one) => one.id === id)
  if (!current) throw errors['scim.not-found']({ params: { id } })
  const before = snapshotOf(current)
  const after = { ...before, ...change, ...(await ownedValues(ctx, current)) }
  if (JSON.stringify(after) === JSON.stringify(before)) return
  if (current.isEnding) throw invalid(ctx, 'scim.group-ending')
  checkPlace(ctx, tree, { id, after })
  await writeOrganizations(ctx, [{ id, before, after }], writer.name)
  noteOrganization(writer, { id, before, after })
}

/** What a directory sync owns stays as it is, as with people: the client may send whole resources. */
async function ownedValues({ db }: Context, current: BulkOrganization): Promise<Partial<OrganizationSnapshot>> {
  const owners = (await listOrganizationOwners(db, { ids: [current.id] })).get(current.id) ?? []
  return Object.fromEntries(owners.map(({ field }) => [field, current[field]]))
}

/** Deletes it if it is empty and no directory sync has it. @returns whether it did */
export async function deleteIfEmpty(ctx: Context, writer: Writer, id: string): Promise<boolean> {
  const current = (await loadTree(ctx, true)).find((one) => one.id === id)
  if (!current) throw errors['scim.not-found']({ params: { id } })
  if ((await listOrganizationOwners(ctx.db, { ids: [id] })).has(id)) return false
  const before = snapshotOf(current)
  const gone = await deleteEmptyOrganizations(ctx, [{ id, before, after: before }], writer.name)
  if (gone.has(id)) writer.changes.push({ kind: 'disabled', id })
  return gone.has(id)
}

type Placed = { id: string; after: OrganizationSnapshot }

function checkPlace(ctx: Context, tree: readonly BulkOrganization[], { id, after }: Placed): void {
  if (!Code.safeParse(after.code).success) throw invalid(ctx, 'scim.bad-code')
  if (tree.some((one) => one.code === after.code && one.id !== id))
    throw errors['scim.taken']({ params: { attribute: 'code' } })
  const byId = new Map(tree.map((one) => [one.id, one]))
  let levels = 1
  for (let at = after.parentId; at !== null; levels++) {
    const parent = byId.get(at)
    if (!parent) throw invalid(ctx, 'scim.no-parent')
    if (parent.isEnding) throw invalid(ctx, 'scim.group-ending')
    if (at === id || levels > MAX_LEVELS) throw invalid(ctx, 'scim.parent-below')
    at = parent.parentId
  }
  if (levels - 1 + heightOf(tree, id) > MAX_LEVELS) throw invalid(ctx, 'scim.too-deep')
}

/** Levels of a subtree, including itself; parents come before children. */
function heightOf(tree: readonly BulkOrganization[], id: string): number {
  const levels = new Map([[id, 1]])
  for (const one of tree) {
    const above = levels.get(one.parentId ?? '')
    if (above !== undefined) levels.set(one.id, above + 1)
  }
  return Math.max(...levels.values())
}
