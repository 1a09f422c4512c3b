import { type ComponentType, useId, useRef, useState } from 'react'
import { loadChunk } from '../platform/load-chunk.ts'
import type { FieldAria } from './Field.tsx'
import { useFixedReason } from './fixed-field.ts'
import { Icon } from './Icon.tsx'
import type { SelectListProps } from './SelectList.tsx'
import type { SelectOption } from './select-options.ts'
import { useClosedSelect } from './use-closed-select.ts'
import './select.css'

type Props = {
  value: string
  options: readonly SelectOption[]
  onChange: (value: string) => void
  /** Its name, if there is no visible label. */
  label?: string
  /** From the `Field` around it. */
  aria?: FieldAria
  disabled?: boolean | undefined
  /** The first field of a dialog. */
  isFirst?: boolean
}

type Opened = { List: ComponentType<SelectListProps>; from: SelectListProps['from'] }

const importList = () => import('./SelectList.tsx')
/** Preloads when the pointer or focus approaches; errors surface when the list opens. */
const preload = () => void importList().catch(() => {})

/** One of a few: a button that shows the choice and opens the options. */
export function Select({ value, options, onChange, label, aria, disabled = false, isFirst = false }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  const ownLabelId = useId()
  const listId = useId()
  const labelId = aria?.['aria-labelledby'] ?? ownLabelId
  const [opened, setOpened] = useState<Opened | null>(null)
  const fixed = useFixedReason()
  const open = async (from: Opened['from']) => {
    if (fixed !== undefined) return
    // Safari does not focus a clicked button.
    button.current?.focus()
    const { SelectList } = await loadChunk(importList)
    // Don't take back a focus that has moved on.
    if (button.current === document.activeElement) setOpened({ List: SelectList, from })
  }
  const onKeyDown = useClosedSelect({ value, options, onChange, onOpen: (from) => void open(from) })
  const chosen = options.find((option) => option.value === value)
  return (
    <div className="select">
      {label && (
        <span className="visually-hidden" id={ownLabelId}>
          {label}
        </span>
      )}
      <button
        {...aria}
        ref={button}
        type="button"
        className="input select-button"
        // An ARIA combobox is named by its label; the choice is its value.
        role="combobox"
        aria-labelledby={labelId}
        aria-haspopup="listbox"
        aria-expanded={opened !== null}
        aria-controls={opened ? listId : undefined}
        aria-describedby={aria?.['aria-describedby'] ?? fixed}
        aria-disabled={fixed !== undefined || undefined}
        disabled={disabled}
        {...(isFirst && { 'data-first-focus': true })}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => void open(null)}
        onKeyDown={fixed === undefined ? onKeyDown : undefined}
      >
        <span className="select-value" title={chosen?.label} lang={chosen?.lang}>
          {chosen?.label}
        </span>
        <Icon name="down" />
      </button>
      {opened && (
        <opened.List
          id={listId}
          button={button}
          labelId={labelId}
          value={value}
          options={options}
          onChange={onChange}
          onClose={() => setOpened(null)}
          from={opened.from}
        />
      )}
    </div>
  )
}
