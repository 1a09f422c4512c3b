import { type ComponentType, useEffect, useId, useRef, useState } from 'react'
import { loadChunk } from '../../platform/load-chunk.ts'
import type { MenuListProps } from '../../ui/MenuList.tsx'
import type { MenuEntry } from '../../ui/menu.types.ts'
import { importMenuList } from '../../ui/menu-entries.ts'

type Props = { label: string; point: { x: number; y: number }; entries: readonly MenuEntry[]; onClose: () => void }

/** The right-click menu of an organisation; a button offers the same actions. */
export function ContextMenu({ label, point, entries, onClose }: Props) {
  const id = useId()
  const anchor = useRef<HTMLSpanElement>(null)
  const before = useRef<HTMLElement | null>(null)
  const [opened, setOpened] = useState<{ List: ComponentType<MenuListProps> } | null>(null)
  useEffect(() => {
    if (document.activeElement instanceof HTMLElement) before.current = document.activeElement
    void loadChunk(importMenuList).then(({ MenuList }) => setOpened({ List: MenuList }))
  }, [])
  return (
    <span ref={anchor} className="context-anchor" style={{ left: point.x, top: point.y }}>
      {opened && (
        <opened.List
          id={id}
          label={label}
          trigger={anchor}
          opener={before}
          entries={entries}
          placement="bottom start"
          className="context-menu"
          onClose={onClose}
        />
      )}
    </span>
  )
}
