import { eachInSlices, mapInSlices } from '../../platform/slices.ts'
import type { BulkOrganization, OrganizationSnapshot, OrganizationWrite } from '../organizations/index.ts'
import type { DepartmentValues } from './departments.types.ts'

/** Gap between neighbours, for insertions. */
const POSITION_GAP = 1024

export type DepartmentChange = { row: number; organizationId: string; after: Partial<DepartmentValues> }
type Write = OrganizationWrite & { row: number }

const snapshotOf = ({ id: _, version: __, isEnding: ___, ...snapshot }: BulkOrganization): OrganizationSnapshot =>
  snapshot

/**
 * The changes that can be written together, parents first: no repeated code, no circle, no missing parent. A change that depends on an
 * excluded one is excluded too.
 */
export async function toDepartmentWrites(
  changes: readonly DepartmentChange[],
  organizations: readonly BulkOrganization[],
): Promise<Write[]> {
  const byId = new Map(organizations.map((one) => [one.id, one]))
  const places = nextPositions(organizations)
  let writes = await mapInSlices(changes, ({ row, organizationId: id, after: given }): Write => {
    const current = byId.get(id)
    const before = current ? snapshotOf(current) : null
    const { position, ...others } = given
    const empty = { code: '', name: '', attribute: null, parentId: null, position: 0, enabled: true, names: {} }
    const after: OrganizationSnapshot = { ...(before ?? empty), ...others }
    // Translations of the former name would be wrong.
    if (before && before.name !== after.name) after.names = {}
    const isPlaced = before !== null && before.parentId === after.parentId
    after.position = position ?? (isPlaced ? before.position : places(after.parentId))
    return { row, id, before, after }
  })
  for (;;) {
    const possible = await feasible(writes, byId)
    if (possible.length === writes.length) return await sortByParents(possible)
    writes = possible
  }
}

function nextPositions(organizations: readonly BulkOrganization[]): (parentId: string | null) => number {
  const last = new Map<string | null, number>()
  for (const { parentId, position } of organizations) last.set(parentId, Math.max(last.get(parentId) ?? 0, position))
  return (parentId) => {
    const next = (last.get(parentId) ?? 0) + POSITION_GAP
    last.set(parentId, next)
    return next
  }
}

async function feasible(writes: readonly Write[], byId: ReadonlyMap<string, BulkOrganization>): Promise<Write[]> {
  const parents = new Map<string, string | null>()
  const codes = new Map<string, string>()
  await eachInSlices([...byId.values()], ({ id, parentId, code }) => {
    parents.set(id, parentId)
    codes.set(id, code)
  })
  await eachInSlices(writes, ({ id, after }) => {
    parents.set(id, after.parentId)
    codes.set(id, after.code)
  })
  const owners = new Map<string, number>()
  await eachInSlices([...codes.values()], (code) => void owners.set(code, (owners.get(code) ?? 0) + 1))
  const isUnder = reachesTop(parents)
  const possible: Write[] = []
  await eachInSlices(writes, (one) => {
    if (owners.get(one.after.code) === 1 && isUnder(one.id)) possible.push(one)
  })
  return possible
}

/** Does a department's chain of parents reach the top? Not if one is missing or they form a circle. */
function reachesTop(parents: ReadonlyMap<string, string | null>): (id: string) => boolean {
  const known = new Map<string, boolean>()
  return (id) => {
    const line: string[] = []
    let one: string | null = id
    let answer: boolean | undefined
    while (answer === undefined) {
      if (one === null) answer = true
      else if (!parents.has(one) || line.length > parents.size) answer = false
      else {
        answer = known.get(one)
        line.push(one)
        one = parents.get(one) ?? null
      }
    }
    for (const each of line) known.set(each, answer)
    return answer
  }
}

async function sortByParents(writes: readonly Write[]): Promise<Write[]> {
  const byId = new Map(writes.map((one) => [one.id, one]))
  const sorted = new Set<Write>()
  await eachInSlices(writes, (start) => {
    const line: Write[] = []
    let one: Write | undefined = start
    while (one && !sorted.has(one)) {
      line.push(one)
      one = one.after.parentId === null ? undefined : byId.get(one.after.parentId)
    }
    for (const each of line.toReversed()) sorted.add(each)
  })
  return [...sorted]
}
