import type { OrganizationNode } from '#shared/contract/organizations.ts'

/** The loaded children of one node: the first ones, and those revealed by a link before their turn. */
export type Branch = {
  ids: readonly string[]
  pinned: readonly string[]
  state: 'loading' | 'ready' | 'failed'
  hasMore: boolean
  total: number
}

/** The key of the root branch. */
export const ROOT_KEY = ''

export type TreeState = {
  nodes: ReadonlyMap<string, OrganizationNode>
  branches: ReadonlyMap<string, Branch>
  expanded: ReadonlySet<string>
  /** Why the last load failed. */
  failure: unknown
}

/** A visible row of the tree; `more` represents children not loaded yet. */
export type TreeRow =
  | {
      kind: 'node'
      key: string
      level: number
      position: number
      siblings: number
      node: OrganizationNode
      isOpen: boolean
    }
  | { kind: 'more'; key: string; level: number; parentKey: string; branch: Branch }

const visibleIds = ({ ids, pinned }: Branch): readonly string[] =>
  pinned.length === 0 ? ids : [...ids, ...pinned.filter((id) => !ids.includes(id))]

/** The open part of the tree, from top to bottom. */
export function visibleRows(state: TreeState): TreeRow[] {
  const rows: TreeRow[] = []
  pushBranch(rows, state, ROOT_KEY, 1)
  return rows
}

function pushBranch(rows: TreeRow[], state: TreeState, parentKey: string, level: number): void {
  const branch = state.branches.get(parentKey)
  if (!branch) return
  const shown = visibleIds(branch)
  const siblings = Math.max(branch.total, shown.length)
  for (const [at, key] of shown.entries()) {
    const node = state.nodes.get(key)
    if (!node) continue
    const isOpen = node.hasChildren && state.expanded.has(key)
    rows.push({ kind: 'node', key, level, position: at + 1, siblings, node, isOpen })
    if (isOpen) pushBranch(rows, state, key, level + 1)
  }
  if (branch.hasMore || branch.state !== 'ready') {
    rows.push({ kind: 'more', key: `more-${parentKey}`, level, parentKey, branch })
  }
}

/** The index of a row's parent; -1 for a root. */
export function parentRowIndex(rows: readonly TreeRow[], at: number): number {
  const level = rows[at]?.level ?? 1
  for (let above = at - 1; above >= 0; above -= 1) {
    if ((rows[above]?.level ?? 0) < level) return above
  }
  return -1
}

/** The next row whose name begins with the typed text, starting at `at` and wrapping around. */
export function findRowByName(rows: readonly TreeRow[], at: number, typed: string): number {
  const text = typed.toLowerCase()
  // A single letter moves on to the next match; more letters may stay on this one.
  const first = typed.length === 1 ? 1 : 0
  for (let step = first; step < rows.length + first; step += 1) {
    const index = (at + step) % rows.length
    const row = rows[index]
    if (row?.kind === 'node' && row.node.name.toLowerCase().startsWith(text)) return index
  }
  return -1
}
