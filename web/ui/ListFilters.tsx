import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from './Icon.tsx'
import type { ListState } from './list-state.ts'

/** With options a choice, without a text. */
export type Filter = { name: string; label: string; options?: readonly { value: string; label: string }[] }

type Props = {
  filters: readonly Filter[]
  searchLabel: string
  state: ListState
  onChange: (change: { search?: string; filters?: Record<string, string | undefined> }) => void
}

/** Milliseconds after the last key before the list is asked. */
const TYPING_MS = 300

export function ListFilters({ filters, searchLabel, state, onChange }: Props) {
  const { t } = useTranslation()
  const isFiltered = state.search !== '' || Object.keys(state.filters).length > 0
  const reset = () =>
    onChange({ search: '', filters: Object.fromEntries(filters.map(({ name }) => [name, undefined])) })
  return (
    <>
      <search className="list-filters">
        <TypedFilter label={searchLabel} value={state.search} onChange={(search) => onChange({ search })} />
        {filters.map(({ name, label, options }) => {
          const value = state.filters[name] ?? ''
          const set = (next: string) => onChange({ filters: { [name]: next || undefined } })
          return options ? (
            <select
              key={name}
              className="input"
              aria-label={label}
              value={value}
              onChange={(event) => set(event.target.value)}
            >
              <option value="">{`${label}: ${t('list.any')}`}</option>
              {options.map((option) => (
                <option key={option.value} value={option.value}>
                  {option.label}
                </option>
              ))}
            </select>
          ) : (
            <TypedFilter key={name} label={label} value={value} onChange={set} />
          )
        })}
        {isFiltered && (
          <button type="button" className="button button-quiet" onClick={reset}>
            {t('action.reset')}
          </button>
        )}
      </search>
      <FilterChips filters={filters} state={state} onChange={onChange} />
    </>
  )
}

type TypedProps = { label: string; value: string; onChange: (value: string) => void }

/** Asks after a pause in typing, and never in the middle of an input method's composition. */
function TypedFilter({ label, value, onChange }: TypedProps) {
  const [text, setText] = useState(value)
  const [composing, setComposing] = useState(false)
  const [known, setKnown] = useState(value)
  const latest = useRef(onChange)
  latest.current = onChange
  if (known !== value) {
    setKnown(value)
    setText(value)
  }
  useEffect(() => {
    const wanted = text.normalize('NFKC').trim()
    if (composing || wanted === known) return
    const timer = setTimeout(() => {
      setKnown(wanted)
      latest.current(wanted)
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [text, known, composing])
  return (
    <input
      className="input"
      type="search"
      placeholder={label}
      aria-label={label}
      value={text}
      maxLength={100}
      autoComplete="off"
      onChange={(event) => setText(event.target.value)}
      onCompositionStart={() => setComposing(true)}
      onCompositionEnd={() => setComposing(false)}
    />
  )
}

function FilterChips({ filters, state, onChange }: Omit<Props, 'searchLabel'>) {
  const { t } = useTranslation()
  const chips = filters.flatMap(({ name, label, options }) => {
    const value = state.filters[name]
    if (!value) return []
    return [{ name, text: `${label}: ${options?.find((option) => option.value === value)?.label ?? value}` }]
  })
  if (chips.length === 0) return null
  return (
    <ul className="filter-chips">
      {chips.map(({ name, text }) => (
        <li key={name} className="tag">
          {text}
          <button
            type="button"
            aria-label={t('list.remove-filter', { filter: text })}
            onClick={() => onChange({ filters: { [name]: undefined } })}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  )
}
