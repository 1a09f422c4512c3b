import type { KeyboardEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Chip } from '../../ui/Chip.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { type Filter, filterNames } from '../../ui/list-filter.ts'
import type { ListState } from '../../ui/list-state.ts'
import { useCoarsePointer } from '../../ui/use-coarse-pointer.ts'

/** Only records with this value, or (`isKeptOut`) only those without it. */
export type Narrow = (name: string, value: string, isKeptOut: boolean) => void

/** A value of a record that can be filtered by; `nameOf`: its name, if that follows from the value. */
export type Pivot = { name: string; label: string; nameOf?: (value: string) => string }

type Picked = { name: string; value: string; isKeptOut: boolean }

const excludedOf = (filters: ListState['filters']): [string, string][] => [
  ...new URLSearchParams(filters['without'] ?? ''),
]

/** Of two values: leaving out one leaves the other. */
const EITHER: ReadonlySet<string> = new Set(['result', 'onCampus'])

/** Adds a value to the filters; a value can't be both included and excluded. */
export function withPivot(filters: ListState['filters'], { name, value, isKeptOut }: Picked) {
  if (EITHER.has(name)) return { [name]: isKeptOut === (value === '1') ? '0' : '1' }
  const others = excludedOf(filters).filter(([one, text]) => one !== name || text !== value)
  const without = new URLSearchParams(isKeptOut ? [...others, [name, value]] : others).toString()
  const isAsked = filters[name] === value
  return { [name]: isKeptOut ? (isAsked ? undefined : filters[name]) : value, without: without || undefined }
}

type ValueProps = { name: string; value: string | null; label: string; onPick: Narrow; children: ReactNode }

/** A value in a record: a click or Enter filters by it, with Alt it is excluded. */
export function LogValue({ name, value, label, onPick, children }: ValueProps) {
  const { t } = useTranslation()
  const isCoarse = useCoarsePointer()
  if (!value) return children
  // Not every browser makes a click of Enter with Alt.
  const excludeByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !event.altKey) return
    event.preventDefault()
    onPick(name, value, true)
  }
  return (
    <button
      type="button"
      className="log-value"
      title={t(isCoarse ? 'log.only-value' : 'log.pick', { label })}
      aria-keyshortcuts="Alt+Enter"
      onClick={(event) => onPick(name, value, event.altKey)}
      onKeyDown={excludeByKey}
    >
      {children}
    </button>
  )
}

type WordProps = Omit<ValueProps, 'label' | 'children'> & { word: string | null }

/** A value that is shown as a word; a dash if there is none. */
export const LogWord = ({ word, ...props }: WordProps) => (
  <LogValue {...props} label={word ?? ''}>
    {word ?? '—'}
  </LogValue>
)

/** The same in a drawer, with a button for each. */
export function LogFact({ name, value, label, onPick, children }: ValueProps) {
  const { t } = useTranslation()
  if (!value) return children
  return (
    <span className="log-fact">
      <span>{children}</span>
      <span className="log-fact-verbs">
        <button
          type="button"
          className="button button-quiet"
          aria-label={t('log.only-value', { label })}
          title={t('log.only-value', { label })}
          onClick={() => onPick(name, value, false)}
        >
          <Icon name="check" />
        </button>
        <button
          type="button"
          className="button button-quiet"
          aria-label={t('log.without-value', { label })}
          title={t('log.without-value', { label })}
          onClick={() => onPick(name, value, true)}
        >
          <Icon name="close" />
        </button>
      </span>
    </span>
  )
}

type ChipsProps = {
  state: ListState
  pivots: readonly Pivot[]
  filters: readonly Filter[]
  /** Of ids; undefined: not known yet. */
  names: Readonly<Record<string, string>> | undefined
  onChange: (change: { filters: Record<string, string | undefined> }) => void
}

/** The filters picked from records, in words. */
export function LogChips({ state, pivots, filters, names, onChange }: ChipsProps) {
  const { t } = useTranslation()
  const wordOf = (name: string, value: string): [string, string] => {
    const pivot = pivots.find((one) => one.name === name)
    const filter = filters.find((one) => filterNames(one).includes(name))
    const options = filter && 'options' in filter ? filter.options : undefined
    const word = options?.find((option) => option.value === value)?.label
    const named = word ?? names?.[value] ?? pivot?.nameOf?.(value)
    return [pivot?.label ?? filter?.label ?? name, named ?? (names ? value : '…')]
  }
  const shownAbove = new Set(filters.flatMap(filterNames))
  const chosenChips = pivots.flatMap(({ name }) => {
    const value = state.filters[name]
    if (!value || shownAbove.has(name)) return []
    const [label, word] = wordOf(name, value)
    return [{ text: t('list.filter', { label, value: word }), change: { [name]: undefined } }]
  })
  const excluded = excludedOf(state.filters)
  const keptOut = excluded.map(([name, value], at) => {
    const [label, word] = wordOf(name, value)
    const without = new URLSearchParams(excluded.filter((_, one) => one !== at)).toString()
    return { text: t('log.without', { label, value: word }), change: { without: without || undefined } }
  })
  const chips = [...chosenChips, ...keptOut]
  if (chips.length === 0) return null
  return (
    <ul className="filter-chips" aria-label={t('log.picked')}>
      {chips.map(({ text, change }) => (
        <Chip
          key={text}
          removeLabel={t('list.remove-filter', { filter: text })}
          onRemove={() => onChange({ filters: change })}
        >
          {text}
        </Chip>
      ))}
    </ul>
  )
}
