import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'

/** Specification, section 9. */
export const PAGE_SIZES = [10, 15, 30, 50, 100] as const
const DEFAULT_PAGE_SIZE = 10
/** Rows that a list can be paged through; beyond, the filters have to be narrowed. */
export const MOST_PAGED_ROWS = 10_000

/** Where a list keeps its state: one of a dialog, a tab or a drawer keeps it out of the address. */
export type ListPlace = 'address' | 'memory'

export type ListState = {
  pageIndex: number
  pageSize: number
  search: string
  sort: string | undefined
  /** By the names of the list's own filters; only those that are set. */
  filters: Record<string, string>
  /** The row whose drawer is open. */
  open: string | undefined
}

/** Does anything narrow the list down? */
export const isNarrowed = ({ search, filters }: ListState): boolean => search !== '' || Object.keys(filters).length > 0

type Change = { pageIndex?: number; pageSize?: number; search?: string; sort?: string | undefined } & {
  filters?: Record<string, string | undefined>
}

type Values = Record<string, string>

const whole = (text: string | undefined, otherwise: number): number =>
  text && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : otherwise

/** Named texts in the address, or in memory; a change leaves the others as they are. */
export function useValues(place: ListPlace): [Values, (change: Record<string, unknown>) => void] {
  const address = useSearch({ strict: false }) as Values
  const navigate = useNavigate()
  const [memory, setMemory] = useState<Values>({})
  if (place === 'memory') return [memory, (change) => setMemory((before) => withChange(before, change))]
  const change = (wanted: Record<string, unknown>) =>
    // What the address says when this is done: two changes at once must not undo each other.
    void navigate({
      to: '.',
      search: (before: unknown) => withChange(before as Values, wanted),
      replace: true,
      resetScroll: false,
    })
  return [address, change]
}

function withChange(before: Values, change: Record<string, unknown>): Values {
  const given = Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined && value !== '')
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}

export type ChangeList = (change: Change) => void

/** A list's state lives in the address: reload, back and a shared link keep it. Anything but a page change goes to page 1. */
export function useListState(
  filterNames: readonly string[],
  place: ListPlace = 'address',
): { state: ListState; change: ChangeList; open: (id: string | undefined, pageIndex?: number) => void } {
  const [values, setValues] = useValues(place)
  const wanted = whole(values['pageSize'], DEFAULT_PAGE_SIZE)
  const pageSize = PAGE_SIZES.some((size) => size === wanted) ? wanted : DEFAULT_PAGE_SIZE
  const state: ListState = {
    // Somebody may have written any number into the address.
    pageIndex: Math.min(whole(values['pageIndex'], 1), Math.ceil(MOST_PAGED_ROWS / pageSize)),
    pageSize,
    search: values['search'] ?? '',
    sort: values['sort'],
    filters: Object.fromEntries(filterNames.flatMap((name) => (values[name] ? [[name, values[name]]] : []))),
    open: values['open'],
  }
  return {
    state,
    change: ({ filters, ...rest }) => setValues({ pageIndex: undefined, ...filters, ...rest }),
    open: (id, pageIndex = state.pageIndex) =>
      setValues({ open: id, pageIndex: pageIndex === 1 ? undefined : pageIndex }),
  }
}
