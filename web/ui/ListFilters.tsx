import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../platform/lazy-part.ts'
import { Chip } from './Chip.tsx'
import { Icon } from './Icon.tsx'
import { type Filter, filterNames, periodNames, toFilterChips } from './list-filter.ts'
import type { ListState } from './list-state.ts'
import { PeriodFilter } from './PeriodFilter.tsx'
import { useRestoreFocus } from './restore-focus.ts'
import { Select } from './Select.tsx'
import { useNarrow } from './use-narrow.ts'

type Props = {
  filters: readonly Filter[]
  searchLabel: string | undefined
  state: ListState
  onChange: (change: { search?: string; filters?: Record<string, string | undefined> }) => void
  /** How many are shown before "More filters". */
  most?: number | undefined
  /** At the end of the row. */
  children?: ReactNode
}

/** Milliseconds after the last key before the list is queried. */
const TYPING_MS = 300

/** More would push the rows down; the rest is one click away, and active ones are shown as chips anyway. */
const MAX_SHOWN = 6

export function ListFilters({ filters, searchLabel, state, onChange, most, children }: Props) {
  const set = toFilterChips(filters, state).length
  const isFiltered = state.search !== '' || set > 0
  const reset = () =>
    onChange({ search: '', filters: Object.fromEntries(filters.flatMap(filterNames).map((name) => [name, undefined])) })
  return (
    <>
      <search className="list-filters">
        {searchLabel && (
          <TypedFilter label={searchLabel} value={state.search} onChange={(search) => onChange({ search })} />
        )}
        <FilterRow filters={filters} set={set} most={most} state={state} onChange={onChange} />
        {isFiltered && <ResetButton onClick={reset} />}
        {children && <span className="list-view">{children}</span>}
      </search>
      {set > 0 && <FilterChips filters={filters} state={state} onChange={onChange} />}
    </>
  )
}

/** It disappears when used, and must not lose the focus. */
function ResetButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation()
  const button = useRef<HTMLButtonElement>(null)
  useRestoreFocus(button)
  return (
    <button type="button" className="button button-quiet" ref={button} onClick={onClick}>
      {t('action.reset')}
    </button>
  )
}

type RowProps = Pick<Props, 'filters' | 'state' | 'onChange' | 'most'> & { set: number }

function FilterRow({ filters, set, most = MAX_SHOWN, state, onChange }: RowProps) {
  const { t } = useTranslation()
  const isNarrow = useNarrow()
  const [isOpen, setOpen] = useState(false)
  const isFolded = isNarrow || filters.length > most
  const shown = isOpen || !isFolded ? filters : filters.slice(0, isNarrow ? 0 : most)
  const words = isOpen ? 'list.fewer-filters' : 'list.more-filters'
  return (
    <>
      {isNarrow && filters.length > 0 && (
        // On a phone the filters would fill the screen before the first row.
        <button type="button" className="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name="manage" />
          {set > 0 ? t('list.filters-set', { count: set }) : t('list.filters')}
        </button>
      )}
      {shown.map((filter) => (
        <OneFilter key={filterNames(filter).join()} filter={filter} state={state} onChange={onChange} />
      ))}
      {isFolded && !isNarrow && (
        <button type="button" className="button button-quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t(words)}
        </button>
      )}
    </>
  )
}

/** Loaded on demand: few lists have one. */
const PickFilter = lazyPart(() => import('./PickFilter.tsx'), 'PickFilter')

type OneProps = { filter: Filter } & Pick<Props, 'state' | 'onChange'>

function OneFilter({ filter, state, onChange }: OneProps) {
  const { t } = useTranslation()
  if (filter.kind === 'period') {
    const names = periodNames(filter)
    return (
      <PeriodFilter
        label={filter.label}
        value={{ from: state.filters[names.from], to: state.filters[names.to] }}
        onChange={({ from, to }) => onChange({ filters: { [names.from]: from, [names.to]: to } })}
      />
    )
  }
  if (filter.kind === 'pick') {
    const waiting = <input className="input" placeholder={filter.label} aria-label={filter.label} readOnly aria-busy />
    return (
      <div className="pick-filter">
        <Suspense fallback={waiting}>
          <PickFilter filter={filter} state={state} onChange={onChange} />
        </Suspense>
      </div>
    )
  }
  const { name, label, options, any } = filter
  const value = state.filters[name] ?? ''
  const set = (next: string) => onChange({ filters: { [name]: next || undefined } })
  if (!options) return <TypedFilter label={label} value={value} onChange={set} />
  const named = (answer: string) => t('list.filter', { label, value: answer })
  // Of several filters that are open, each still says which it is.
  const isOpen = (answer: string) => answer === t('list.any')
  return (
    <Select
      label={label}
      value={value}
      options={[
        { value: '', label: named(any ?? t('list.any')) },
        ...options.map((one) => (isOpen(one.label) ? { ...one, label: named(one.label) } : one)),
      ]}
      onChange={set}
    />
  )
}

type TypedProps = { label: string; value: string; onChange: (value: string) => void }

/** Queries after a pause in typing, never during IME composition. */
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
      title={label}
      aria-label={label}
      value={text}
      maxLength={100}
      autoComplete="off"
      onChange={(event) => setText(event.target.value)}
      onKeyDown={(event) => {
        const wanted = text.normalize('NFKC').trim()
        // Ignore Enter that ends an IME composition.
        if (event.key !== 'Enter' || event.nativeEvent.isComposing || event.keyCode === 229 || wanted === known) return
        setKnown(wanted)
        onChange(wanted)
      }}
      onCompositionStart={() => setComposing(true)}
      onCompositionEnd={() => setComposing(false)}
    />
  )
}

function FilterChips({ filters, state, onChange }: Omit<Props, 'searchLabel' | 'children' | 'most'>) {
  const { t } = useTranslation()
  const list = useRef<HTMLUListElement>(null)
  useRestoreFocus(list)
  const remove = (at: number, names: readonly string[]) => {
    // Moves the focus to a remaining chip, or to the title.
    const buttons = list.current?.querySelectorAll('button')
    ;(buttons?.[at + 1] ?? buttons?.[at - 1])?.focus()
    onChange({ filters: Object.fromEntries(names.map((name) => [name, undefined])) })
  }
  return (
    <ul className="filter-chips" ref={list}>
      {toFilterChips(filters, state).map(({ key, label, value, names }, at) => {
        const filter = t('list.filter', { label, value })
        return (
          <Chip key={key} removeLabel={t('list.remove-filter', { filter })} onRemove={() => remove(at, names)}>
            {filter}
          </Chip>
        )
      })}
    </ul>
  )
}
