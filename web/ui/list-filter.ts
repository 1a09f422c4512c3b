import i18next from 'i18next'
import { isCustomName, keyOfCustom } from '#shared/contract/field-rules.ts'
import { STORABLE_YEARS } from '#shared/rules/moment-range.ts'
import { formatDateTime, formatDay as formatDayInWords } from '../platform/format-time.ts'
import type { ListState } from './list-state.ts'
import type { OptionSource } from './use-option-search.ts'

type Option = { value: string; label: string }

/** One of many, found by typing. `valueName`: the name of the chosen one, once known. */
type PickOfList = {
  kind: 'pick'
  name: string
  label: string
  // Each source has its own row type.
  // biome-ignore lint/suspicious/noExplicitAny: a list of filters holds sources of different rows
  source: OptionSource<any>
  valueName: string | undefined
}

type PeriodOfList = { kind: 'period'; label: string; names?: { from: string; to: string } }

/**
 * With options a choice, otherwise text; a period is two dates, `from` and `to` unless `names` says otherwise, in the
 * person's zone. `any` labels the empty choice, if that does not mean everything; `gone` an id that is no option any more.
 */
export type Filter =
  | { kind?: 'choice'; name: string; label: string; options?: readonly Option[]; any?: string; gone?: string }
  | PeriodOfList
  | PickOfList

/** The names of a period's two dates in the address and in the call. */
export const periodNames = ({ names = { from: 'from', to: 'to' } }: PeriodOfList) => names

/** The names of a filter in the address. */
export const filterNames = (filter: Filter): string[] =>
  filter.kind === 'period' ? Object.values(periodNames(filter)) : [filter.name]

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/

/** Midnight of a date such as `2026-11-21` in the person's zone, optionally days later; null if invalid. */
function startOfDay(day: string | undefined, later = 0): Date | null {
  const [, year, month, date] = DAY.exec(day ?? '')?.map(Number) ?? []
  if (!year || !month || !date) return null
  const time = new Date(year, month - 1, date + later)
  // A year being typed passes through 0002 before 2026.
  return year >= STORABLE_YEARS.first && !Number.isNaN(time.getTime()) ? time : null
}

const TIME = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2})\.(\d{3}))?$/

/** A limit of a period: midnight of a date, `later` days on, or a time such as `2026-11-21T14:30` or `…T14:30:05.250`. */
function limitOf(text: string | undefined, later = 0): Date | null {
  const [, day, hour, minute, second = 0, fraction = 0] = TIME.exec(text ?? '') ?? []
  const time = startOfDay(day ?? text, day ? 0 : later)
  if (day) time?.setHours(Number(hour), Number(minute), Number(second), Number(fraction))
  return time
}

/** A time as `2026-11-21T14:30`, in the person's zone; `isExact`: with its milliseconds. */
export function formatLimit(time: Date, isExact = false): string {
  const digits = (number: number, length = 2) => String(number).padStart(length, '0')
  const within = `:${digits(time.getSeconds())}.${digits(time.getMilliseconds(), 3)}`
  return `${formatDay(time)}T${digits(time.getHours())}:${digits(time.getMinutes())}${isExact ? within : ''}`
}

/** The date of a time as `2026-11-21`, in the person's zone. */
export function formatDay(time: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
}

/** The query of the call: dates become times, including the whole last day. */
export function toListQuery(filters: readonly Filter[], state: ListState): Record<string, string> {
  const query: Record<string, string> = Object.fromEntries(
    Object.entries(state.filters).filter(([name]) => !isCustomName(name)),
  )
  const custom = Object.entries(state.filters).flatMap(([name, value]) =>
    isCustomName(name) && value ? [[keyOfCustom(name), value]] : [],
  )
  if (custom.length > 0) query['custom'] = new URLSearchParams(custom).toString()
  const setMoment = (name: string, moment: Date | null) => {
    if (moment) query[name] = moment.toISOString()
    else delete query[name]
  }
  for (const filter of filters) {
    if (filter.kind !== 'period') continue
    const { from, to } = periodNames(filter)
    setMoment(from, limitOf(state.filters[from]))
    setMoment(to, limitOf(state.filters[to], 1))
  }
  return query
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Options may still be loading, or not contain every valid id. */
const isChoice = ({ options = [] }: { options?: readonly Option[] }, value: string): boolean =>
  options.length === 0 || UUID.test(value) || options.some((option) => option.value === value)

/** Drops unknown orders and choices: an address may contain anything. */
export function sanitizeListState(
  state: ListState,
  filters: readonly Filter[],
  columns: readonly { key: string; sortable?: boolean }[] = [],
): ListState {
  const isKnown = ([name, value]: [string, string]): boolean =>
    filters.some(
      (one) =>
        filterNames(one).includes(name) && (one.kind === 'period' || one.kind === 'pick' || isChoice(one, value)),
    )
  const column = state.sort?.replace(/^-/, '')
  return {
    ...state,
    sort: columns.some(({ key, sortable }) => sortable && key === column) ? state.sort : undefined,
    filters: Object.fromEntries(Object.entries(state.filters).filter(isKnown)),
  }
}

export type FilterChip = { key: string; label: string; value: string; names: string[] }

/** The active filters, in words. */
export const toFilterChips = (filters: readonly Filter[], state: ListState): FilterChip[] =>
  filters.flatMap((filter) => chipOf(filter, state))

/** A date, or a date and time, in words; invalid values from the address stay as they are. */
function limitWords(text: string | undefined): string {
  const time = limitOf(text)
  if (!text || !time) return text ?? '…'
  return DAY.test(text) ? formatDayInWords(text, i18next.language) : formatDateTime(time, i18next.language)
}

function choiceWord({ options = [], gone }: Extract<Filter, { kind?: 'choice' }>, value: string): string | undefined {
  const isGone = options.length > 0 && UUID.test(value)
  return options.find((option) => option.value === value)?.label ?? (isGone ? gone : undefined)
}

function chipOf(filter: Filter, state: ListState): FilterChip[] {
  const names = filterNames(filter)
  const { label } = filter
  if (filter.kind === 'period') {
    const [from, to] = names.map((name) => state.filters[name])
    return from || to ? [{ key: names.join(), label, value: `${limitWords(from)} – ${limitWords(to)}`, names }] : []
  }
  const value = state.filters[filter.name]
  if (!value) return []
  const word = filter.kind === 'pick' ? filter.valueName : choiceWord(filter, value)
  return [{ key: filter.name, label, value: word ?? value, names }]
}
