import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AppOption } from '#shared/contract/application-grants.ts'
import { AppIcon } from '../../ui/AppIcon.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { type Category, checkedState, rowForKey, type TreeRow, visibleRows } from './app-tree.ts'

type Props = {
  label: string
  categories: readonly Category[]
  apps: readonly AppOption[]
  ticked: ReadonlySet<string>
  onTick: (ticked: ReadonlySet<string>) => void
}

/**
 * Categories with their applications as a tree with checkboxes. One tab stop: arrows move, open and close, Space ticks,
 * letters jump to the next match.
 */
export function AppTree({ label, categories, apps, ticked, onTick }: Props) {
  const { t } = useTranslation()
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [active, setActive] = useState('')
  const tree = useRef<HTMLDivElement>(null)
  const rows = visibleRows({ categories, apps, closed, none: t('authorise.no-category') })
  const at = Math.max(
    0,
    rows.findIndex(({ key }) => key === active),
  )
  const focus = (index: number) => {
    const row = rows[index]
    if (!row) return
    setActive(row.key)
    tree.current?.querySelectorAll<HTMLElement>('[role=treeitem]')[index]?.focus()
  }
  const toggle = (row: TreeRow) => {
    const next = new Set(closed)
    if (!next.delete(row.key)) next.add(row.key)
    setClosed(next)
  }
  const tick = (row: TreeRow) => {
    const next = new Set(ticked)
    const isOn = checkedState(row, ticked) === true
    for (const appId of row.appIds) isOn ? next.delete(appId) : next.add(appId)
    onTick(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const answer = isShortcut(event) ? null : answerTo(event.key, rows, at)
    if (!answer) return
    event.preventDefault()
    if ('index' in answer) focus(answer.index)
    else if (answer.work === 'tick') tick(answer.row)
    else toggle(answer.row)
  }
  return (
    <div
      ref={tree}
      className="app-tree"
      role="tree"
      tabIndex={-1}
      aria-label={label}
      aria-multiselectable
      onKeyDown={onKeyDown}
    >
      {rows.map((row, index) => (
        <Row
          key={row.key}
          row={row}
          tick={checkedState(row, ticked)}
          isActive={index === at}
          onFocus={() => setActive(row.key)}
          onTick={() => tick(row)}
          onToggle={() => toggle(row)}
        />
      ))}
    </div>
  )
}

const isShortcut = ({ nativeEvent, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || ctrlKey || metaKey || altKey

type KeyAction = { index: number } | { work: 'tick' | 'toggle'; row: TreeRow }

/** What a key does: an action on the focused row, or a move to another. */
function answerTo(key: string, rows: readonly TreeRow[], at: number): KeyAction | null {
  const row = rows[at]
  if (!row) return null
  if (key === ' ' || key === 'Enter') return { work: 'tick', row }
  if ((key === 'ArrowRight' && row.isOpen === false) || (key === 'ArrowLeft' && row.isOpen))
    return { work: 'toggle', row }
  const index = rowForKey(rows, at, key) ?? typed(rows, at, key)
  return index === null ? null : { index }
}

/** The next row that begins with the letter. */
function typed(rows: readonly TreeRow[], at: number, key: string): number | null {
  if (key.length !== 1 || key === ' ') return null
  const begins = ({ label }: TreeRow) => label.toLowerCase().startsWith(key.toLowerCase())
  const later = rows.findIndex((row, index) => index > at && begins(row))
  const found = later < 0 ? rows.findIndex(begins) : later
  return found < 0 ? null : found
}

type RowProps = {
  row: TreeRow
  tick: boolean | 'mixed'
  isActive: boolean
  onFocus: () => void
  onTick: () => void
  onToggle: () => void
}

function Row({ row, tick, isActive, onFocus, onTick, onToggle }: RowProps) {
  const { t } = useTranslation()
  const { app, isOpen, level, label, appIds } = row
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys arrive in the tree.
    <div
      role="treeitem"
      className="app-tree-row"
      style={{ '--level': level } as object}
      tabIndex={isActive ? 0 : -1}
      aria-level={level}
      aria-checked={tick}
      aria-selected={tick === true}
      {...(isOpen !== undefined && { 'aria-expanded': isOpen })}
      onFocus={onFocus}
      onClick={onTick}
    >
      {app ? (
        <span className="app-tree-gap" />
      ) : (
        // For pointers; the tree's keys do the same.
        <span
          className="app-tree-opener"
          aria-hidden="true"
          onClick={(event) => {
            event.stopPropagation()
            onToggle()
          }}
        >
          <Icon name="down" />
        </span>
      )}
      <span className="app-tree-box" data-tick={tick} aria-hidden="true" />
      {app && <AppIcon app={app} />}
      <span className="app-tree-label">{label}</span>
      {!app && <span className="muted">{appIds.length}</span>}
      {app?.state === 0 && <span className="tag tag-plain">{t('authorise.disabled')}</span>}
    </div>
  )
}
