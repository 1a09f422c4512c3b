import { type KeyboardEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { hangMenu } from './hang-menu.ts'
import { Icon, type IconName } from './Icon.tsx'

export type MenuEntry =
  | { heading: string }
  | { label: string; icon?: IconName; lang?: string; checked?: boolean; disabled?: boolean; onSelect: () => void }

type Props = {
  label: string
  className?: string
  children: ReactNode
  entries: MenuEntry[]
  /** What was chosen is still under way; not `disabled`, where the button would lose the focus. */
  isBusy?: boolean
}

/** A button that opens a menu: arrow keys, Home, End and first letters move, Esc closes and gives the focus back. */
export function MenuButton({ label, className = 'button button-quiet', children, entries, isBusy = false }: Props) {
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    if (!open || !list.current) return
    // It ends where its button ends; where that has no room beside it, it begins where the button begins.
    list.current.toggleAttribute('data-at-start', list.current.getBoundingClientRect().left < 0)
    return hangMenu(list.current)
  }, [open])
  useEffect(() => {
    if (!open) return
    const items = itemsOf(root.current)
    ;(items.find((item) => item.ariaChecked === 'true') ?? items[0])?.focus()
    const onOutside = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false)
    }
    addEventListener('pointerdown', onOutside)
    return () => removeEventListener('pointerdown', onOutside)
  }, [open])
  const close = () => {
    setOpen(false)
    root.current?.querySelector<HTMLElement>('button')?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!open) return
    if (event.key === 'Escape') close()
    else if (event.key === 'Tab') setOpen(false)
    else if (moveFocus(itemsOf(root.current), event.key)) event.preventDefault()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys bubble up from the menu's own items.
    <div className="menu" ref={root} onKeyDown={onKeyDown}>
      <button
        type="button"
        className={className}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-label={label}
        title={label}
        aria-disabled={isBusy || undefined}
        onClick={() => !isBusy && setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' || open || isBusy) return
          event.preventDefault()
          setOpen(true)
        }}
      >
        {children}
      </button>
      {open && (
        <div className="menu-list" ref={list} id={id} role="menu" aria-label={label}>
          {entries.map((entry) => (
            <Entry key={'heading' in entry ? entry.heading : entry.label} entry={entry} onDone={close} />
          ))}
        </div>
      )}
    </div>
  )
}

function Entry({ entry, onDone }: { entry: MenuEntry; onDone: () => void }) {
  if ('heading' in entry) return <div className="menu-heading">{entry.heading}</div>
  const checkable = entry.checked !== undefined
  const select = () => {
    if (entry.disabled) return
    onDone()
    entry.onSelect()
  }
  const role = checkable ? { role: 'menuitemradio', 'aria-checked': entry.checked } : { role: 'menuitem' }
  return (
    <button
      type="button"
      className="menu-item"
      {...role}
      lang={entry.lang}
      tabIndex={-1}
      aria-disabled={entry.disabled || undefined}
      onClick={select}
    >
      {entry.icon && <Icon name={entry.icon} />}
      <span>{entry.label}</span>
      {entry.checked && (
        <span className="menu-check">
          <Icon name="check" />
        </span>
      )}
    </button>
  )
}

const itemsOf = (root: HTMLElement | null): HTMLElement[] =>
  Array.from(root?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])

/** @returns true when the key moved the focus. */
function moveFocus(items: HTMLElement[], key: string): boolean {
  const at = items.indexOf(document.activeElement as HTMLElement)
  const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }
  const step = steps[key]
  if (step !== undefined) {
    items.at(step % items.length)?.focus()
    return true
  }
  const found = key.length === 1 && items.find((item) => item.textContent?.toLowerCase().startsWith(key.toLowerCase()))
  if (found) found.focus()
  return Boolean(found)
}
