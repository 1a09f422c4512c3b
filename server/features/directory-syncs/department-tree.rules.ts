import type { DepartmentSyncFields } from '#shared/contract/sync-departments.ts'
import { eachInSlices, mapInSlices } from '../../platform/slices.ts'
import { MAX_LEVELS } from '../organizations/index.ts'
import { departmentProblem, isOwned, type Known, type Placed } from './departments.types.ts'
import type { Problem } from './rows.store.ts'

type Tree = {
  roots: ReadonlyMap<string, string | null>
  byKey: ReadonlyMap<string, Placed>
  placed: Map<string, Placed>
  known: Known
}

/** Finds the parent of each row, or why it can't be placed there; in the order of the rows. */
export async function placeDepartments(
  rows: readonly Placed[],
  known: Known,
  options: DepartmentSyncFields,
): Promise<Placed[]> {
  const tree: Tree = {
    roots: new Map(options.roots.map(({ value, organizationId }) => [value, organizationId])),
    byKey: new Map(rows.map((one) => [one.row.externalId, one])),
    placed: new Map(),
    known,
  }
  await eachInSlices(rows, (one) => {
    if (one.row.externalId !== '') placeBranch(one, tree)
  })
  return await checkTree(
    rows.map((one) => (one.row.outcome === 'bad' ? one : (tree.placed.get(one.row.externalId) ?? one))),
    known,
  )
}

/** Walks up to a known department, then down again: iterative, because sources can be arbitrarily deep. */
function placeBranch(start: Placed, tree: Tree): void {
  const { placed, roots, byKey } = tree
  const line: Placed[] = []
  const seen = new Set<string>()
  let one: Placed | undefined = start
  while (one && !placed.has(one.row.externalId) && !seen.has(one.row.externalId)) {
    seen.add(one.row.externalId)
    line.push(one)
    one = roots.has(one.row.parentKey) ? undefined : byKey.get(one.row.parentKey)
  }
  const circleKey = one && seen.has(one.row.externalId) ? one.row.externalId : null
  const at = circleKey === null ? line.length : line.findIndex(({ row }) => row.externalId === circleKey)
  for (const each of line.slice(at)) placed.set(each.row.externalId, broken(each, 'circle'))
  for (const each of line.slice(0, at).toReversed()) placed.set(each.row.externalId, place(each, tree))
}

function place(one: Placed, { roots, placed, known }: Tree): Placed {
  if (one.problems.length > 0) return one
  const { parentKey } = one.row
  const root = roots.get(parentKey)
  if (root === null) return one
  if (root !== undefined) return known.byId.has(root) ? { ...one, parentId: root } : bad(one, 'no-root')
  const parent = placed.get(parentKey)
  if (!parent) return broken(one, 'no-parent', { parent: parentKey })
  // A skipped department that exists can keep its children.
  if (parent.problems.length > 0 && parent.isNew) return bad(one, 'parent-left-out', { parent: parentKey })
  return { ...one, parentId: parent.id }
}

const bad = (one: Placed, key: string, params?: Problem['params']): Placed => ({
  ...one,
  problems: [...one.problems, departmentProblem(key, params)],
})
const broken = (one: Placed, key: string, params?: Problem['params']): Placed => ({
  ...bad(one, key, params),
  isBroken: true,
})

/** Checks circles and depth, including departments that are not part of the source. */
function checkTree(rows: readonly Placed[], known: Known): Promise<Placed[]> {
  const parents = new Map<string, string | null>([...known.byId.values()].map(({ id, parentId }) => [id, parentId]))
  // Where another sync places a department, it stays.
  for (const { id, problems, parentId } of rows)
    if (problems.length === 0 && !isOwned(known, id, 'parentId')) parents.set(id, parentId)
  const levelOf = countLevels(parents)
  return mapInSlices(rows, (one) => {
    if (one.problems.length > 0) return one
    const level = levelOf(one.id)
    if (level === Number.POSITIVE_INFINITY) return bad(one, 'below-itself')
    return level > MAX_LEVELS ? bad(one, 'too-deep', { most: MAX_LEVELS }) : one
  })
}

/** The level of each department; infinite if it is below itself. */
function countLevels(parents: ReadonlyMap<string, string | null>): (id: string) => number {
  const levels = new Map<string, number>()
  const known = (id: string | null): number | undefined => (id === null ? 0 : levels.get(id))
  return (id) => {
    const line: string[] = []
    let one: string | null = id
    while (known(one) === undefined && line.length <= parents.size) {
      line.push(one as string)
      one = parents.get(one as string) ?? null
    }
    let level = known(one) ?? Number.POSITIVE_INFINITY
    for (const each of line.toReversed()) levels.set(each, ++level)
    return levels.get(id) ?? 0
  }
}
