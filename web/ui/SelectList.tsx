import type { RefObject } from 'react'
import { Select as AriaSelect, ListBox, ListBoxItem } from 'react-aria-components'
import { AriaProvider } from './AriaProvider.tsx'
import { FieldPopover } from './FieldPopover.tsx'
import { Icon } from './Icon.tsx'
import type { SelectOption } from './select-options.ts'

export type SelectListProps = {
  /** Id of the list, for its button. */
  id: string
  button: RefObject<HTMLElement | null>
  labelId: string
  value: string
  options: readonly SelectOption[]
  onChange: (value: string) => void
  onClose: () => void
  /** Where the keyboard starts without a choice. */
  from: 'first' | 'last' | null
}

/** React keys must not be empty. */
const toKey = (value: string): string => `=${value}`

/**
 * The open list of a `Select`. Loaded when a select is about to be used, so that pages without react-aria show sooner.
 */
export function SelectList({ id, button, labelId, value, options, onChange, onClose, from }: SelectListProps) {
  const isChosen = options.some((option) => option.value === value)
  // As in native lists, Tab takes the focused option.
  const takeFocused = () => {
    const key = document.activeElement?.getAttribute('data-key')
    if (key) onChange(key.slice(1))
    onClose()
  }
  return (
    <AriaProvider>
      <AriaSelect
        aria-labelledby={labelId}
        value={isChosen ? toKey(value) : null}
        onChange={(key) => onChange(String(key).slice(1))}
        isOpen
        onOpenChange={(isOpen) => {
          if (!isOpen) onClose()
        }}
      >
        <FieldPopover root={button} triggerRef={button} className="select-popover" onTab={takeFocused}>
          <ListBox id={id} className="select-list" {...(from && { autoFocus: from })}>
            {options.map((option) => (
              <ListBoxItem
                key={option.value}
                id={toKey(option.value)}
                className="select-option"
                textValue={option.label}
                isDisabled={option.disabled ?? false}
              >
                <span lang={option.lang}>{option.label}</span>
                {option.value === value && <Icon name="check" />}
              </ListBoxItem>
            ))}
          </ListBox>
        </FieldPopover>
      </AriaSelect>
    </AriaProvider>
  )
}
