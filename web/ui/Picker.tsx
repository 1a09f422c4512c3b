import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import { call } from '../platform/api.ts'
import { Field } from './Field.tsx'
import { useFieldErrors } from './field-errors.ts'
import { Icon } from './Icon.tsx'
import './picker.css'

export type Picked = { id: string; label: string; hint?: string | undefined }

type Page<Row> = { records: Row[]; total: number }

type Props<Row> = {
  label: string
  /** A list of the contract that takes `search`. */
  endpoint: Endpoint<z.ZodType, z.ZodType, z.ZodType<Page<Row>>>
  /** Sent with each search. */
  query?: Record<string, string>
  toPicked: (row: Row) => Picked
  /** What is chosen: one at most unless `multiple`. */
  value: readonly Picked[]
  onChange: (value: Picked[]) => void
  multiple?: boolean
  /** Its name in the contract: what the server says of it is shown here. */
  name?: string
  hint?: string | undefined
  error?: string | undefined
  placeholder?: string
  isOptional?: boolean
}

const TYPING_MS = 300
const SHOWN = 10

/** Finds one or several of many by what is typed: arrows choose, Enter takes, Backspace in the empty field takes the last one away. */
export function Picker<Row>(props: Props<Row>) {
  const { label, value, onChange, multiple = false, name, hint, error, isOptional } = props
  const { t } = useTranslation()
  const errorOf = useFieldErrors()
  return (
    <Field label={label} hint={hint} error={error ?? errorOf(name)} isOptional={isOptional} isWide>
      {(aria) => (
        <div className="picker">
          {value.length > 0 && (
            <ul className="picker-chosen">
              {value.map((one) => (
                <li key={one.id} className="tag">
                  {one.label}
                  <button
                    type="button"
                    aria-label={t('picker.remove', { name: one.label })}
                    onClick={() => onChange(value.filter(({ id }) => id !== one.id))}
                  >
                    <Icon name="close" />
                  </button>
                </li>
              ))}
            </ul>
          )}
          <Combobox
            {...props}
            aria={aria}
            onTake={(one) => onChange(multiple ? [...value.filter(({ id }) => id !== one.id), one] : [one])}
          />
        </div>
      )}
    </Field>
  )
}

type ComboProps<Row> = Props<Row> & { aria: { id: string }; onTake: (one: Picked) => void }

function Combobox<Row>(props: ComboProps<Row>) {
  const { aria, value, onChange, multiple = false, onTake, placeholder } = props
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  const composing = useRef(false)
  const found = useFound(props, isOpen ? text : null)
  const listId = useId()
  const options = found.options.filter(({ id }) => !multiple || !value.some((one) => one.id === id))
  const take = (one: Picked) => {
    onTake(one)
    setText('')
    setAt(0)
    setOpen(multiple)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // The Enter that ends an input method's composition chooses nothing.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    const active = options[at]
    if (event.key === 'Enter' && isOpen) {
      event.preventDefault()
      if (active) take(active)
    } else if (event.key === 'Escape' && isOpen) {
      // Only the list closes, not the dialog around it.
      event.preventDefault()
      event.stopPropagation()
      setOpen(false)
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      const step = event.key === 'ArrowDown' ? 1 : -1
      setAt(isOpen && options.length > 0 ? (at + step + options.length) % options.length : 0)
    } else if (event.key === 'Backspace' && text === '' && value.length > 0) onChange(value.slice(0, -1))
  }
  return (
    <>
      <input
        {...aria}
        className="input"
        type="text"
        role="combobox"
        autoComplete="off"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && options[at] ? `${listId}-${at}` : undefined}
        placeholder={placeholder ?? t('picker.search')}
        value={text}
        maxLength={100}
        onChange={(event) => {
          setText(event.target.value)
          setAt(0)
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
        onKeyDown={onKeyDown}
        onFocus={() => setAt(0)}
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
      />
      {isOpen && (
        <div className="picker-list">
          {/* biome-ignore lint/a11y/useSemanticElements: a select can't be filled while somebody types. */}
          <div role="listbox" id={listId} aria-label={props.label} aria-multiselectable={multiple || undefined}>
            {options.map((option, place) => (
              <Option
                key={option.id}
                id={`${listId}-${place}`}
                option={option}
                isActive={place === at}
                isChosen={value.some(({ id }) => id === option.id)}
                onTake={() => take(option)}
              />
            ))}
          </div>
          <p className="muted" role="status">
            {found.isBusy
              ? t('picker.searching')
              : options.length === 0
                ? t('picker.none')
                : found.hasMore && t('picker.more')}
          </p>
        </div>
      )}
    </>
  )
}

type OptionProps = { id: string; option: Picked; isActive: boolean; isChosen: boolean; onTake: () => void }

function Option({ id, option, isActive, isChosen, onTake }: OptionProps) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) ref.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the active option.
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys arrive in the field.
    <div
      ref={ref}
      id={id}
      role="option"
      aria-selected={isChosen}
      data-active={isActive || undefined}
      // Otherwise the field would lose the focus, and the list would close, before the click arrives.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onTake}
    >
      <span>{option.label}</span>
      {option.hint && <span className="muted">{option.hint}</span>}
    </div>
  )
}

/** Null: nobody asks. */
function useFound<Row>({ endpoint, query, toPicked }: Props<Row>, text: string | null) {
  const [search, setSearch] = useState('')
  const wanted = (text ?? '').normalize('NFKC').trim()
  useEffect(() => {
    const timer = setTimeout(() => setSearch(wanted), TYPING_MS)
    return () => clearTimeout(timer)
  }, [wanted])
  const asked = { ...query, ...(search && { search }), pageSize: String(SHOWN) }
  const { data, isFetching } = useQuery({
    queryKey: ['picker', endpoint.path, asked],
    queryFn: ({ signal }) => call(endpoint, { query: asked as never }, { signal }) as Promise<Page<Row>>,
    enabled: text !== null,
    placeholderData: keepPreviousData,
  })
  return {
    options: (data?.records ?? []).map(toPicked),
    hasMore: (data?.total ?? 0) > (data?.records.length ?? 0),
    isBusy: isFetching || search !== wanted,
  }
}
