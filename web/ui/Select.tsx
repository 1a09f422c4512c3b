import { type ComponentType, useId, useRef, useState } from 'react'
import { loadChunk } from '../platform/load-chunk.ts'
import type { FieldAria } from './Field.tsx'
import { Icon } from './Icon.tsx'
import type { SelectListProps } from './SelectList.tsx'
import type { SelectOption } from './select-options.ts'
import { useClosedSelect } from './use-closed-select.ts'
import './select.css'

type Props = {
  value: string
  options: readonly SelectOption[]
  onChange: (value: string) => void
  /** Its name where no label stands beside it. */
  label?: string
  /** From the `Field` around it. */
  aria?: FieldAria
  disabled?: boolean | undefined
  /** A dialog begins here. */
  isFirst?: boolean
}

type Opened = { List: ComponentType<SelectListProps>; from: SelectListProps['from'] }

const importList = () => import('./SelectList.tsx')
/** As soon as somebody comes near; what fails here is told when the list is wanted. */
const preload = () => void importList().catch(() => {})

/** One of a few: a button that names what is chosen and opens the list of options. */
export function Select({ value, options, onChange, label, aria, disabled = false, isFirst = false }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  const ownLabelId = useId()
  const listId = useId()
  const labelId = aria?.['aria-labelledby'] ?? ownLabelId
  const [opened, setOpened] = useState<Opened | null>(null)
  const open = async (from: Opened['from']) => {
    // Safari does not give the focus to a button that is clicked.
    button.current?.focus()
    const { SelectList } = await loadChunk(importList)
    // Who has gone on meanwhile is not called back.
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
        // A select of ARIA is named by its label alone; what is chosen is its value.
        role="combobox"
        aria-labelledby={labelId}
        aria-haspopup="listbox"
        aria-expanded={opened !== null}
        aria-controls={opened ? listId : undefined}
        disabled={disabled}
        {...(isFirst && { 'data-first-focus': true })}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => void open(null)}
        onKeyDown={onKeyDown}
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
