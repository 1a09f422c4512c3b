import { type DragEvent, useRef, useState } from 'react'
import type { OrganizationNode } from '#shared/contract/organizations.ts'
import { ROOT_KEY, type TreeRow } from './tree-rows.ts'
import type { TreeStore } from './tree-store.ts'

type NodeRow = TreeRow & { kind: 'node' }

/**
 * Where a dragged organisation was dropped: below `parent` (null: at the top), after `after` (null: first; absent:
 * last).
 */
export type Drop = { moved: OrganizationNode; parent: OrganizationNode | null; after?: string | null }

type Zone = 'before' | 'inside' | 'behind'
type DropTarget = { key: string; zone: Zone }

/** Milliseconds of hovering that open a closed node. */
const OPEN_DELAY_MS = 800

export type TreeDrag = { of: (row: NodeRow) => object }

/** Drag and drop of rows: between two others, or into one. Impossible targets are not offered; the server decides. */
export function useTreeDrag(store: TreeStore, onDrop: (drop: Drop) => void): TreeDrag {
  const moved = useRef<OrganizationNode | null>(null)
  const [over, setOver] = useState<DropTarget | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const end = () => {
    clearTimeout(timer.current)
    moved.current = null
    setOver(null)
  }
  const updateTarget = (event: DragEvent<HTMLElement>, row: NodeRow) => {
    const node = moved.current
    const zone = zoneOf(event, row)
    const drop = node && toDrop(store, row, zone, node)
    if (!drop) return setOver(null)
    event.preventDefault()
    if (over?.key === row.key && over.zone === zone) return
    setOver({ key: row.key, zone })
    clearTimeout(timer.current)
    if (zone === 'inside' && row.node.hasChildren && !row.isOpen) {
      timer.current = setTimeout(() => void store.open(row.key), OPEN_DELAY_MS)
    }
  }
  const of = (row: NodeRow) => ({
    draggable: row.node.may.move && !row.node.ending,
    'data-drop': over?.key === row.key ? over.zone : undefined,
    onDragStart: (event: DragEvent) => {
      moved.current = row.node
      event.dataTransfer.effectAllowed = 'move'
      event.dataTransfer.setData('text/plain', row.node.name)
    },
    onDragOver: (event: DragEvent<HTMLElement>) => updateTarget(event, row),
    onDragEnd: end,
    onDrop: (event: DragEvent<HTMLElement>) => {
      event.preventDefault()
      const node = moved.current
      const drop = node && toDrop(store, row, zoneOf(event, row), node)
      end()
      if (drop) onDrop(drop)
    },
  })
  return { of }
}

/** The upper and lower quarter of a row mean before and after it. */
function zoneOf(event: DragEvent<HTMLElement>, row: NodeRow): Zone {
  const { top, height } = event.currentTarget.getBoundingClientRect()
  const part = (event.clientY - top) / height
  if (part < 0.25) return 'before'
  return part > 0.75 && !row.isOpen ? 'behind' : 'inside'
}

function toDrop(store: TreeStore, row: NodeRow, zone: Zone, moved: OrganizationNode): Drop | null {
  const { nodes, branches } = store.state()
  const parentId = zone === 'inside' ? row.key : row.node.parentId
  if (row.key === moved.id || isWithin(nodes, parentId, moved.id) || isKeptFrom(moved, parentId)) return null
  const parent = nodes.get(parentId ?? '') ?? null
  // Only people who may change the roots see the whole tree.
  if (!(parent ? parent.may.hold : row.node.may.change)) return null
  if (zone === 'inside') return { moved, parent }
  if (zone === 'behind') return { moved, parent, after: row.key }
  return { moved, parent, after: previousSibling(branches.get(parentId ?? ROOT_KEY)?.ids ?? [], row.key, moved.id) }
}

/** Does a source keep it below another parent? */
const isKeptFrom = ({ parentId, placedBy }: OrganizationNode, target: string | null): boolean =>
  placedBy.parentId !== null && target !== parentId

/** The sibling before `key`, ignoring `without`. */
function previousSibling(siblings: readonly string[], key: string, without: string): string | null {
  const others = siblings.filter((id) => id !== without)
  return others[others.indexOf(key) - 1] ?? null
}

/** Is `id` the node `above` or below it? */
function isWithin(nodes: ReadonlyMap<string, OrganizationNode>, id: string | null, above: string): boolean {
  for (let step = id; step; step = nodes.get(step)?.parentId ?? null) if (step === above) return true
  return false
}
