import { v7 } from 'uuid'
import type { Db } from '../../platform/db.ts'
import { listOrganizationOwners } from '../field-authority/index.ts'
import { buildSearchKeys } from '../name-search/index.ts'
import { lockTree, saveOrganizations } from '../organizations/index.ts'
import { insertUnknownAttributes } from '../reference-data/index.ts'
import type { OrganizationEntry } from './bootstrap-document.types.ts'
import { addToPlan, emptyPlan, mapConcurrently, mergeGiven, type RowPlan } from './bootstrap-plan.rules.ts'
import { OutdatedPlanError, type Problems } from './bootstrap-problems.errors.ts'
import { listOrganizations, type OrganizationRow } from './organizations.store.ts'

/** Far deeper than any institution; a cycle of parents never ends. */
const MAX_LEVELS = 64

export type OrganizationPlan = RowPlan<OrganizationRow> & {
  /** Every organisation by code, in its planned state. */
  byCode: ReadonlyMap<string, OrganizationRow>
}

/** Plans the organisations of a document, in any order: parents may come after their children. */
export async function planOrganizations(
  db: Db,
  entries: readonly OrganizationEntry[],
  problems: Problems,
): Promise<OrganizationPlan> {
  const before = new Map((await listOrganizations(db)).map((row) => [row.code, row]))
  const after = new Map(before)
  const given = await leaveOwned(db, entries, before)
  for (const [at, entry] of given.entries()) after.set(entry.code, toRow(entry, before.get(entry.code), at))
  // Also where a source has placed it: what the file says counts as soon as the source has lost it.
  for (const [at, { parent }] of entries.entries()) {
    if (parent && !after.has(parent))
      problems.add(`organizations[${at}].parent`, `no organisation with the code "${parent}"`)
  }
  for (const entry of given) setParent(after, entry)
  const unplaced = assignAncestors(after)
  for (const [at, { code, parent }] of entries.entries()) {
    if (parent && unplaced.has(code)) {
      problems.add(`organizations[${at}].parent`, `leads back to itself, or is more than ${MAX_LEVELS} levels deep`)
    }
  }
  return toPlan(entries, before, after)
}

/** Without what directory syncs own: it would be changed back by their next run. */
async function leaveOwned(
  db: Db,
  entries: readonly OrganizationEntry[],
  before: ReadonlyMap<string, OrganizationRow>,
): Promise<OrganizationEntry[]> {
  const ids = entries.flatMap(({ code }) => before.get(code)?.id ?? [])
  const owners = ids.length > 0 ? await listOrganizationOwners(db, { ids }) : new Map<string, never[]>()
  return entries.map((entry) => {
    const existing = before.get(entry.code)
    const owned = new Set<string>(owners.get(existing?.id ?? '')?.map(({ field }) => field))
    if (!existing || owned.size === 0) return entry
    return {
      ...entry,
      ...(owned.has('name') && { name: existing.name }),
      ...(owned.has('attribute') && { attribute: undefined }),
      ...(owned.has('position') && { position: undefined }),
      ...(owned.has('parentId') && { parent: undefined }),
    }
  })
}

function setParent(rows: Map<string, OrganizationRow>, { code, parent }: OrganizationEntry): void {
  const row = rows.get(code)
  if (row && parent !== undefined) rows.set(code, { ...row, parentId: rows.get(parent ?? '')?.id ?? null })
}

function toRow(entry: OrganizationEntry, existing: OrganizationRow | undefined, position: number): OrganizationRow {
  const { code, name } = entry
  const created = { parentId: null, ancestorIds: [], names: {}, attribute: null, position, enabled: true }
  return mergeGiven<OrganizationRow>(existing ?? { ...created, id: v7(), code, name }, {
    name,
    names: entry.names,
    attribute: entry.attribute,
    position: entry.position,
    enabled: entry.enabled,
  })
}

/** Sets the ancestors of every row from the parents. @returns the codes that have no place in a tree */
function assignAncestors(rows: Map<string, OrganizationRow>): Set<string> {
  const byId = new Map([...rows.values()].map((row) => [row.id, row]))
  const unplaced = new Set<string>()
  for (const [code, row] of rows) {
    const ancestorIds = ancestorPath(row, byId)
    if (ancestorIds) rows.set(code, { ...row, ancestorIds })
    else unplaced.add(code)
  }
  return unplaced
}

/** The ids from the root down to `row`; null if the parents form a cycle. */
function ancestorPath(row: OrganizationRow, byId: ReadonlyMap<string, OrganizationRow>): string[] | null {
  const path: string[] = []
  for (let step: OrganizationRow | undefined = row; step; step = byId.get(step.parentId ?? '')) {
    path.unshift(step.id)
    if (path.length > MAX_LEVELS) return null
  }
  return path
}

function toPlan(
  entries: readonly OrganizationEntry[],
  before: ReadonlyMap<string, OrganizationRow>,
  after: ReadonlyMap<string, OrganizationRow>,
): OrganizationPlan {
  const plan: OrganizationPlan = { ...emptyPlan<OrganizationRow>(), byCode: after }
  const listed = new Set(entries.map(({ code }) => code))
  for (const [code, row] of after) {
    const old = before.get(code)
    // The move of an ancestor is not a change of its own.
    if (listed.has(code)) addToPlan(plan, old && { ...old, ancestorIds: row.ancestorIds }, row)
  }
  return plan
}

/** Writes the plan. The tree may have changed since it was made, so the paths are computed from the database. */
export async function writeOrganizations(db: Db, { inserted, updated }: OrganizationPlan, now: Date): Promise<void> {
  if (inserted.length + updated.length === 0) return
  await lockTree(db)
  const attributes = [...inserted, ...updated].flatMap(({ attribute }) => attribute ?? [])
  await insertUnknownAttributes(db, [...new Set(attributes)])
  const found = (rows: readonly OrganizationRow[]) =>
    mapConcurrently(rows, 1, async (row) => ({ ...row, ...(await buildSearchKeys(row.name, 'thing')) }))
  const rows = { inserted: await found(inserted), updated: await found(updated) }
  if (!(await saveOrganizations(db, rows, now)))
    throw new OutdatedPlanError('the organisations were changed meanwhile: start again')
}
