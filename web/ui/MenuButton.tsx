import { type ComponentType, type ReactNode, useId, useRef, useState } from 'react'
import { loadChunk } from '../platform/load-chunk.ts'
import type { MenuListProps } from './MenuList.tsx'
import type { MenuEntry } from './menu.types.ts'
import { importMenuList, preloadMenuList } from './menu-entries.ts'

type Props = {
  label: string
  className?: string
  children: ReactNode
  entries: readonly MenuEntry[]
  /** Busy; not `disabled`, which would lose the focus. */
  isBusy?: boolean
}

/** A button that opens a menu and gets the focus back. */
export function MenuButton({ label, className = 'button button-quiet', children, entries, isBusy = false }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  const [opened, setOpened] = useState<{ List: ComponentType<MenuListProps> } | null>(null)
  const open = async () => {
    if (isBusy) return
    // Safari does not focus a clicked button.
    button.current?.focus()
    const { MenuList } = await loadChunk(importMenuList)
    // Don't take back a focus that has moved on.
    if (button.current === document.activeElement) setOpened({ List: MenuList })
  }
  return (
    <div className="menu">
      <button
        ref={button}
        type="button"
        className={className}
        aria-haspopup="menu"
        aria-expanded={opened !== null}
        aria-controls={opened ? id : undefined}
        aria-label={label}
        title={label}
        aria-disabled={isBusy || undefined}
        onPointerEnter={preloadMenuList}
        onFocus={preloadMenuList}
        onClick={() => void open()}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          void open()
        }}
      >
        {children}
      </button>
      {opened && (
        <opened.List
          id={id}
          label={label}
          trigger={button}
          entries={entries}
          placement="bottom end"
          onClose={() => setOpened(null)}
        />
      )}
    </div>
  )
}
