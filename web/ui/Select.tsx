import { useId, useRef } from 'react'
import { Select as AriaSelect, Button, ListBox, ListBoxItem } from 'react-aria-components'
import { AriaProvider } from './AriaProvider.tsx'
import type { FieldAria } from './Field.tsx'
import { FieldPopover } from './FieldPopover.tsx'
import { Icon } from './Icon.tsx'
import './select.css'

export type SelectOption = { value: string; label: string; disabled?: boolean }

type Props = {
  value: string
  options: readonly SelectOption[]
  onChange: (value: string) => void
  /** Its name where no label stands beside it. */
  label?: string
  /** From the `Field` around it. */
  aria?: FieldAria
  disabled?: boolean | undefined
}

/** Keys of the list: an empty one would be none. */
const toKey = (value: string): string => `=${value}`

/** One of a few: a button that names what is chosen and opens the list of options. */
export function Select({ value, options, onChange, label, aria, disabled = false }: Props) {
  const root = useRef<HTMLDivElement>(null)
  const ownLabelId = useId()
  const labelId = aria?.['aria-labelledby'] ?? ownLabelId
  const chosen = options.find((option) => option.value === value)
  return (
    <AriaProvider>
      <AriaSelect
        ref={root}
        className="select"
        {...(aria && { id: aria.id })}
        aria-labelledby={labelId}
        value={chosen ? toKey(value) : null}
        onChange={(key) => onChange(String(key).slice(1))}
        isDisabled={disabled}
      >
        {label && (
          <span className="visually-hidden" id={ownLabelId}>
            {label}
          </span>
        )}
        <Button
          className="input select-button"
          // A select of ARIA is named by its label alone; what is chosen is its value.
          render={(props) => (
            <button
              {...props}
              {...aria}
              role="combobox"
              aria-expanded={props['aria-expanded'] ?? false}
              aria-labelledby={labelId}
            />
          )}
        >
          <span className="select-value" title={chosen?.label}>
            {chosen?.label}
          </span>
          <Icon name="down" />
        </Button>
        <FieldPopover root={root} className="select-popover">
          <ListBox className="select-list">
            {options.map((option) => (
              <ListBoxItem
                key={option.value}
                id={toKey(option.value)}
                className="select-option"
                textValue={option.label}
                isDisabled={option.disabled ?? false}
              >
                <span>{option.label}</span>
                {option === chosen && <Icon name="check" />}
              </ListBoxItem>
            ))}
          </ListBox>
        </FieldPopover>
      </AriaSelect>
    </AriaProvider>
  )
}
