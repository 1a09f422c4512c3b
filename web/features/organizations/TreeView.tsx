import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OrganizationNode } from '#shared/contract/organizations.ts'
import { MoreRow, NodeRow } from './TreeRows.tsx'
import { findRowByName, parentRowIndex, type TreeRow } from './tree-rows.ts'
import type { TreeStore } from './tree-store.ts'
import { type Drop, useTreeDrag } from './use-tree-drag.ts'
import { useVirtualRows } from './use-virtual-rows.ts'

export type Point = { x: number; y: number }

type Props = {
  store: TreeStore
  rows: readonly TreeRow[]
  selected: string | null
  onSelect: (id: string) => void
  /** By right click or the menu key. */
  onMenu: (node: OrganizationNode, point: Point) => void
  onRename: (node: OrganizationNode) => void
  onDrop: (drop: Drop) => void
}

/** Milliseconds within which letters belong to one search. */
const TYPING_MS = 700

/** The open part of the tree. One tab stop; arrows, Home, End and type-ahead move in it. */
export function TreeView(props: Props) {
  const { store, rows, selected, onSelect } = props
  const { t } = useTranslation()
  const [active, setActive] = useState<string | null>(null)
  const view = useVirtualRows(rows.length)
  const drag = useTreeDrag(store, props.onDrop)
  const isThere = (key: string | null) => rows.findIndex((row) => row.key === key)
  const activeAt = Math.max(0, isThere(active) >= 0 ? isThere(active) : isThere(selected))
  const row = rows[activeAt]
  const go = (at: number) => {
    const bounded = Math.min(Math.max(at, 0), rows.length - 1)
    setActive(rows[bounded]?.key ?? null)
    view.show(bounded)
  }
  const onKeyDown = useTreeKeys({ ...props, row, activeAt, go })
  useShownSelection(rows, selected, view.show)
  return (
    <div className="tree-scroll" ref={view.ref} onScroll={view.onScroll}>
      <div className="tree-ruler" ref={view.ruler} aria-hidden="true" />
      <div
        role="tree"
        tabIndex={0}
        className="tree"
        aria-label={t('organization.tree')}
        aria-activedescendant={row ? idOf(row.key) : undefined}
        style={{ blockSize: view.height }}
        onKeyDown={onKeyDown}
        onContextMenu={(event) => openMenu(event, row, props.onMenu)}
      >
        {rows.slice(view.from, view.to).map((one, index) => {
          const line = {
            id: idOf(one.key),
            top: (view.from + index) * view.rowHeight,
            isActive: one === row,
            onActivate: () => setActive(one.key),
          }
          return one.kind === 'more' ? (
            <MoreRow key={one.key} {...line} row={one} onMore={() => void store.loadMore(one.parentKey)} />
          ) : (
            <NodeRow
              key={one.key}
              {...line}
              row={one}
              isSelected={one.key === selected}
              onSelect={() => onSelect(one.key)}
              onToggle={() => (one.isOpen ? store.close(one.key) : void store.open(one.key))}
              onMenu={props.onMenu}
              drag={drag}
            />
          )
        })}
      </div>
    </div>
  )
}

const idOf = (key: string): string => `tree-${key}`

/** Scrolls to a selection made elsewhere (a link, a search), once. */
function useShownSelection(rows: readonly TreeRow[], selected: string | null, show: (at: number) => void): void {
  const shown = useRef<string | null>(null)
  useEffect(() => {
    if (selected === null || shown.current === selected) return
    const at = rows.findIndex(({ key }) => key === selected)
    if (at < 0) return
    shown.current = selected
    show(at)
  }, [rows, selected, show])
}

/** The menu key has no pointer position: open the menu below the focused row. */
function openMenu(event: MouseEvent, row: TreeRow | undefined, onMenu: Props['onMenu']): void {
  if (event.target !== event.currentTarget || row?.kind !== 'node') return
  event.preventDefault()
  const line = document.getElementById(idOf(row.key))?.getBoundingClientRect()
  if (line) onMenu(row.node, { x: line.left + line.height, y: line.bottom })
}

type Keys = Props & { row: TreeRow | undefined; activeAt: number; go: (at: number) => void }

function useTreeKeys(props: Keys): (event: KeyboardEvent) => void {
  const typed = useRef({ text: '', at: 0 })
  return (event) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const act = actionOf(props, event.key)
    if (act) {
      event.preventDefault()
      act()
      return
    }
    if (event.key.length !== 1 || event.key === ' ') return
    const { text, at } = typed.current
    typed.current = { text: event.timeStamp - at < TYPING_MS ? text + event.key : event.key, at: event.timeStamp }
    const found = findRowByName(props.rows, props.activeAt, typed.current.text)
    if (found >= 0) props.go(found)
  }
}

function actionOf(props: Keys, key: string): (() => void) | undefined {
  const { rows, activeAt, go, row } = props
  const moves: Record<string, number> = {
    ArrowDown: activeAt + 1,
    ArrowUp: activeAt - 1,
    Home: 0,
    End: rows.length - 1,
  }
  const to = moves[key]
  if (to !== undefined) return () => go(to)
  if (row?.kind === 'more')
    return key === 'Enter' || key === ' ' ? () => void props.store.loadMore(row.parentKey) : undefined
  return row && nodeActionOf(props, row, key)
}

function nodeActionOf(props: Keys, row: TreeRow & { kind: 'node' }, key: string): (() => void) | undefined {
  const { store, rows, activeAt, go, onSelect, onRename } = props
  const { node, isOpen } = row
  if (key === 'Enter' || key === ' ') return () => onSelect(node.id)
  if (key === 'F2' && node.may.change) return () => onRename(node)
  if (key === 'ArrowRight' && node.hasChildren) return isOpen ? () => go(activeAt + 1) : () => void store.open(node.id)
  if (key !== 'ArrowLeft') return undefined
  if (isOpen) return () => store.close(node.id)
  const above = parentRowIndex(rows, activeAt)
  return above < 0 ? undefined : () => go(above)
}
