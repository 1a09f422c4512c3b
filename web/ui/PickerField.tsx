import type { KeyboardEvent, RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { FieldAria } from './Field.tsx'
import { Option } from './Option.tsx'
import { Popover } from './Popover.tsx'
import { useCombobox } from './use-combobox.ts'
import { type OptionSearch, type OptionSource, type PickerOption, useOptionSearch } from './use-option-search.ts'
import { usePickerText } from './use-picker-text.ts'

type Props<Row> = {
  field: RefObject<HTMLInputElement | null>
  label: string
  aria: FieldAria | { id: string; 'aria-label': string }
  value: readonly PickerOption[]
  multiple: boolean
  placeholder: string
  source: OptionSource<Row>
  onTake: (one: PickerOption) => void
  onRemoveLast: () => void
}

/** The field of a picker with its results. */
export function PickerField<Row>(props: Props<Row>) {
  const { field, label, aria, value, multiple, placeholder, source, onTake, onRemoveLast } = props
  const text = usePickerText({ value, multiple, onRemoveLast })
  const { isOpen, shown } = text
  const found = useOptionSearch(source, isOpen ? text.search : null)
  const options = found.options.filter(({ id }) => !multiple || !value.some((one) => one.id === id))
  const take = (at: number) => {
    const one = options[at]
    if (!one) return
    onTake(one)
    text.forget()
    // Left open, it would cover the next field, and another Enter would take an unwanted option.
    text.setOpen(false)
  }
  // Ignore keys until the results match the text.
  const count = found.isStale ? 0 : options.length
  const combobox = useCombobox({
    count,
    isOpen,
    isUnasked: text.search.trim() === '',
    onOpen: text.setOpen,
    onTake: take,
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Backspace' && shown === '') onRemoveLast()
    combobox.field.onKeyDown(event)
  }
  return (
    <>
      <input
        {...aria}
        {...combobox.field}
        {...text.field}
        ref={field}
        onKeyDown={onKeyDown}
        className="input"
        type="text"
        placeholder={placeholder}
        value={shown}
        maxLength={100}
        onChange={(event) => {
          text.field.onChange(event)
          combobox.first()
        }}
      />
      {isOpen && (
        <Popover from={field} className="picker-list">
          <div role="listbox" tabIndex={-1} id={combobox.listId} aria-label={label} aria-multiselectable={multiple}>
            {options.map((option, index) => (
              <Option
                key={option.id}
                id={combobox.idOf(index)}
                label={option.label}
                hint={option.hint}
                isActive={index === combobox.at}
                isSelected={value.some(({ id }) => id === option.id)}
                onTake={() => take(index)}
              />
            ))}
          </div>
          <FoundLine found={found} count={options.length} />
        </Popover>
      )}
    </>
  )
}

function FoundLine({ found, count }: { found: OptionSearch; count: number }) {
  const { t } = useTranslation()
  if (found.isFailed) return <p className="field-error">{t('network.unreachable')}</p>
  const text = found.isBusy ? t('picker.searching') : count === 0 ? t('picker.none') : found.hasMore && t('picker.more')
  return (
    <p className="muted" role="status">
      {text}
    </p>
  )
}
