import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react'

type Entry = { label: string; onSelect: () => void }
type Props = { label: string; point: { x: number; y: number }; entries: readonly Entry[]; onClose: () => void }

const itemsOf = (menu: HTMLElement | null): HTMLElement[] =>
  Array.from(menu?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])

/** The menu of the right mouse button, where it was pressed; the same verbs stand behind a button for everybody else. */
export function ContextMenu({ label, point, entries, onClose }: Props) {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const menu = ref.current
    if (!menu) return
    const { width, height } = menu.getBoundingClientRect()
    menu.style.left = `${Math.max(8, Math.min(point.x, innerWidth - width - 8))}px`
    menu.style.top = `${Math.max(8, Math.min(point.y, innerHeight - height - 8))}px`
  }, [point])
  useEffect(() => {
    const before = document.activeElement
    itemsOf(ref.current)[0]?.focus()
    return () => {
      // Whatever a verb has opened keeps the focus it took.
      if (before instanceof HTMLElement && !document.querySelector('dialog[open]')) before.focus()
    }
  }, [])
  useEffect(() => {
    const onOutside = (event: Event) => {
      if (!ref.current?.contains(event.target as Node)) onClose()
    }
    addEventListener('pointerdown', onOutside)
    addEventListener('blur', onClose)
    return () => {
      removeEventListener('pointerdown', onOutside)
      removeEventListener('blur', onClose)
    }
  }, [onClose])
  const onKeyDown = (event: KeyboardEvent) => {
    const items = itemsOf(ref.current)
    const at = items.indexOf(document.activeElement as HTMLElement)
    const to: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }
    if (event.key === 'Escape' || event.key === 'Tab') onClose()
    else if (to[event.key] !== undefined) items.at((to[event.key] ?? 0) % items.length)?.focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      className="menu-list context-menu"
      ref={ref}
      role="menu"
      tabIndex={-1}
      aria-label={label}
      onKeyDown={onKeyDown}
    >
      {entries.map((entry) => (
        <button
          key={entry.label}
          type="button"
          role="menuitem"
          className="menu-item"
          tabIndex={-1}
          onClick={() => {
            onClose()
            entry.onSelect()
          }}
        >
          {entry.label}
        </button>
      ))}
    </div>
  )
}
