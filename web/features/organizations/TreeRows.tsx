import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { OrganizationNode } from '#shared/contract/organizations.ts'
import { useCount } from '../../platform/format-number.ts'
import { Icon } from '../../ui/Icon.tsx'
import { placeHint } from './place-hint.ts'
import type { TreeRow } from './tree-rows.ts'
import type { TreeDrag } from './use-tree-drag.ts'

type RowProps = { id: string; top: number; isActive: boolean; onActivate: () => void }

type NodeProps = RowProps & {
  row: TreeRow & { kind: 'node' }
  isSelected: boolean
  onSelect: () => void
  onToggle: () => void
  onMenu: (node: OrganizationNode, point: { x: number; y: number }) => void
  drag: TreeDrag
}

const rowStyle = (top: number, level: number) => ({ transform: `translateY(${top}px)`, '--level': level })

/** An organisation, with how many people are in it and below it. */
export function NodeRow({ id, top, isActive, row, isSelected, drag, ...on }: NodeProps) {
  const { t } = useTranslation()
  const { node, level, position: at, siblings, isOpen } = row
  const people = useCount()(node.people)
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names its active line.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree hears the keys.
    <div
      id={id}
      role="treeitem"
      className="tree-row"
      aria-level={level}
      aria-posinset={at}
      aria-setsize={siblings}
      aria-selected={isSelected}
      aria-expanded={node.hasChildren ? isOpen : undefined}
      title={[node.name, placeHint(t, node)].filter(Boolean).join('\n')}
      data-active={isActive || undefined}
      data-disabled={!node.enabled || undefined}
      style={rowStyle(top, level)}
      onClick={() => {
        on.onActivate()
        on.onSelect()
      }}
      onContextMenu={(event) => {
        event.preventDefault()
        on.onActivate()
        on.onMenu(node, { x: event.clientX, y: event.clientY })
      }}
      {...drag.of(row)}
    >
      <span
        className="tree-switch"
        data-open={isOpen || undefined}
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation()
          on.onActivate()
          if (node.hasChildren) on.onToggle()
        }}
      >
        {node.hasChildren && <Icon name="down" />}
      </span>
      <span className="tree-name">{node.name}</span>
      <span className="visually-hidden">
        {t(node.enabled ? 'organization.line' : 'organization.line-disabled', { count: node.people, people })}
      </span>
      {node.ending && <span className="tree-note">{t(`organization.ending.${node.ending.kind}`)}</span>}
      {!node.enabled && !node.ending && (
        <span className="tree-note" aria-hidden="true">
          {t('organization.disabled')}
        </span>
      )}
      <span className="tree-count" aria-hidden="true">
        {people}
      </span>
    </div>
  )
}

type MoreProps = RowProps & { row: TreeRow & { kind: 'more' }; onMore: () => void }

/** Placeholder for children not loaded yet; requested as soon as it is visible. */
export function MoreRow({ id, top, isActive, row, onMore, onActivate }: MoreProps) {
  const { t } = useTranslation()
  const { state } = row.branch
  useEffect(() => {
    if (state === 'ready') onMore()
  })
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names its active line.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree hears the keys.
    <div
      id={id}
      role="treeitem"
      aria-selected={false}
      aria-level={row.level}
      className="tree-row tree-more"
      data-active={isActive || undefined}
      style={rowStyle(top, row.level)}
      onClick={() => {
        onActivate()
        onMore()
      }}
    >
      {t(state === 'failed' ? 'organization.load-again' : 'organization.loading')}
    </div>
  )
}
