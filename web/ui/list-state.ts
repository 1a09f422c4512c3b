import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

/** Specification, section 9: for lists and logs; the first is the default. */
export const PAGE_SIZES = { list: [10, 15, 30, 50, 100], log: [15, 30, 50, 100] } as const
export type PageSizes = keyof typeof PAGE_SIZES
/** Rows that can be paged; beyond that the filters have to be narrowed. */
export const MAX_PAGED_ROWS = 10_000

/** Where a list keeps its state: in a dialog, a tab or a drawer not in the address. */
export type ListStateStorage = 'address' | 'memory'

export type ListState = {
  pageIndex: number
  pageSize: number
  search: string
  sort: string | undefined
  /** By filter name; active ones only. */
  filters: Record<string, string>
  /** The row with the open drawer. */
  open: string | undefined
}

/** Is any search or filter active? */
export const isFiltered = ({ search, filters }: ListState): boolean => search !== '' || Object.keys(filters).length > 0

type Change = { pageIndex?: number; pageSize?: number; search?: string; sort?: string | undefined } & {
  filters?: Record<string, string | undefined>
}

type Values = Record<string, string>

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The history entry before this one shows the same list without the drawer. */
    listBehind?: string
  }
}

const parsePositive = (text: string | undefined, otherwise: number): number =>
  text && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : otherwise

/** Named values in the address, or in memory; a change keeps the others. */
export function useValues(place: ListStateStorage): [Values, (change: Record<string, unknown>) => void] {
  const address = useSearch({ strict: false }) as Values
  const navigate = useNavigate()
  const [memory, setMemory] = useState<Values>({})
  if (place === 'memory') return [memory, (change) => setMemory((before) => withChange(before, change))]
  const change = (wanted: Record<string, unknown>) =>
    // Computed from the current address: two changes at once must not undo each other.
    void navigate({
      to: '.',
      search: (before: object) => withChange(before as Values, wanted),
      replace: true,
      resetScroll: false,
      state: true,
    })
  return [address, change]
}

function withChange(before: Values, change: Record<string, unknown>): Values {
  const given = Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined && value !== '')
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}

const listOf = ({ open, ...list }: Values): string => JSON.stringify(Object.entries(list).toSorted())

/**
 * Opening a drawer adds a history entry, so that Back closes it, and closing it goes back; moving between rows adds
 * none, and a drawer opened by the address is closed in place.
 */
function useOpen(place: ListStateStorage, [values, setValues]: ReturnType<typeof useValues>) {
  const navigate = useNavigate()
  const { history } = useRouter()
  const isClosing = useRef(false)
  const { open } = values
  // biome-ignore lint/correctness/useExhaustiveDependencies: the step back is done when another row, or none, is open.
  useEffect(() => {
    isClosing.current = false
  }, [open])
  return (change: { open: string | undefined; pageIndex: number | undefined }) => {
    if (place === 'memory' || (change.open && open)) return setValues(change)
    if (change.open) {
      const search = (before: object) => withChange(before as Values, change)
      const state = { listBehind: listOf(values) }
      return void navigate({ to: '.', search, resetScroll: false, state })
    }
    // Another step back would leave the list.
    if (isClosing.current) return
    if (history.location.state.listBehind !== listOf(values)) return setValues(change)
    isClosing.current = true
    history.back()
  }
}

export type ChangeList = (change: Change) => void

/**
 * A list's state is in the address, so that reload, back and shared links keep it. Any change other than paging resets
 * to page 1.
 */
export function useListState(
  filterNames: readonly string[],
  place: ListStateStorage = 'address',
  sizes: PageSizes = 'list',
): { state: ListState; change: ChangeList; open: (id: string | undefined, pageIndex?: number) => void } {
  const kept = useValues(place)
  const [values, setValues] = kept
  const openRow = useOpen(place, kept)
  const [usual] = PAGE_SIZES[sizes]
  const wanted = parsePositive(values['pageSize'], usual)
  const pageSize = PAGE_SIZES[sizes].some((size) => size === wanted) ? wanted : usual
  const state: ListState = {
    // An address may contain any number.
    pageIndex: Math.min(parsePositive(values['pageIndex'], 1), Math.ceil(MAX_PAGED_ROWS / pageSize)),
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
      openRow({ open: id, pageIndex: pageIndex === 1 ? undefined : pageIndex }),
  }
}
