import { type FocusEvent, type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Aria } from './Field.tsx'
import { Hanging } from './Hanging.tsx'
import { Option } from './Option.tsx'
import { useCombobox } from './use-combobox.ts'
import { type Found, type Picked, type Searchable, useFound } from './use-found.ts'

type Props<Row> = {
  label: string
  aria: Aria
  value: readonly Picked[]
  multiple: boolean
  placeholder: string
  source: Searchable<Row>
  onTake: (one: Picked) => void
  onRemoveLast: () => void
}

/** The field of a picker with what it found. */
export function PickerField<Row>(props: Props<Row>) {
  const { label, aria, value, multiple, placeholder, source, onTake, onRemoveLast } = props
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const composing = useRef(false)
  const field = useRef<HTMLInputElement>(null)
  const found = useFound(source, isOpen ? text : null)
  const options = found.options.filter(({ id }) => !multiple || !value.some((one) => one.id === id))
  const take = (at: number) => {
    const one = options[at]
    if (!one) return
    onTake(one)
    setText('')
    setOpen(multiple)
  }
  const closeAfterwards = ({ currentTarget }: FocusEvent) => {
    // Not before the click that took the focus is over: what moves below it would never be pressed.
    const close = () =>
      setTimeout(() => {
        if (document.activeElement !== currentTarget) setOpen(false)
      })
    for (const type of ['pointerup', 'keyup']) addEventListener(type, close, { once: true })
  }
  // A key pressed before the answer is here would take somebody else.
  const count = found.isStale ? 0 : options.length
  const combobox = useCombobox({ count, isOpen, onOpen: setOpen, onTake: take })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Backspace' && text === '') onRemoveLast()
    combobox.field.onKeyDown(event)
  }
  return (
    <>
      <input
        {...aria}
        {...combobox.field}
        ref={field}
        onKeyDown={onKeyDown}
        className="input"
        type="text"
        placeholder={placeholder}
        value={text}
        maxLength={100}
        onChange={(event) => {
          setText(event.target.value)
          combobox.first()
          if (!composing.current) setOpen(true)
        }}
        onCompositionStart={() => {
          composing.current = true
          setOpen(false)
        }}
        onCompositionEnd={() => {
          composing.current = false
          setOpen(true)
        }}
        onClick={() => setOpen(true)}
        onBlur={closeAfterwards}
      />
      {isOpen && (
        <Hanging from={field} className="picker-list">
          <div role="listbox" tabIndex={-1} id={combobox.listId} aria-label={label} aria-multiselectable={multiple}>
            {options.map((option, place) => (
              <Option
                key={option.id}
                id={combobox.idOf(place)}
                label={option.label}
                hint={option.hint}
                isActive={place === combobox.at}
                isSelected={value.some(({ id }) => id === option.id)}
                onTake={() => take(place)}
              />
            ))}
          </div>
          <FoundLine found={found} count={options.length} />
        </Hanging>
      )}
    </>
  )
}

function FoundLine({ found, count }: { found: Found; count: number }) {
  const { t } = useTranslation()
  if (found.isFailed) return <p className="field-error">{t('network.unreachable')}</p>
  const text = found.isBusy ? t('picker.searching') : count === 0 ? t('picker.none') : found.hasMore && t('picker.more')
  return (
    <p className="muted" role="status">
      {text}
    </p>
  )
}
