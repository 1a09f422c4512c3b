import { useNavigate, useSearch } from '@tanstack/react-router'

/** Specification, section 9. */
export const PAGE_SIZES = [10, 15, 30, 50, 100] as const
const DEFAULT_PAGE_SIZE = 10
/** Rows that a list can be paged through; beyond, the filters have to be narrowed. */
export const MOST_PAGED_ROWS = 10_000

export type ListState = {
  pageIndex: number
  pageSize: number
  search: string
  sort: string | undefined
  /** By the names of the list's own filters; only those that are set. */
  filters: Record<string, string>
}

type Change = { pageIndex?: number; pageSize?: number; search?: string; sort?: string | undefined } & {
  filters?: Record<string, string | undefined>
}

const whole = (text: string | undefined, otherwise: number): number =>
  text && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : otherwise

/** A list's state lives in the address: reload, back and a shared link keep it. Anything but a page change goes to page 1. */
export function useListState(filterNames: readonly string[]): [ListState, (change: Change) => void] {
  const address = useSearch({ strict: false }) as Record<string, string>
  const navigate = useNavigate()
  const wanted = whole(address['pageSize'], DEFAULT_PAGE_SIZE)
  const pageSize = PAGE_SIZES.some((size) => size === wanted) ? wanted : DEFAULT_PAGE_SIZE
  const state: ListState = {
    // Somebody may have written any number into the address.
    pageIndex: Math.min(whole(address['pageIndex'], 1), Math.ceil(MOST_PAGED_ROWS / pageSize)),
    pageSize,
    search: address['search'] ?? '',
    sort: address['sort'],
    filters: Object.fromEntries(filterNames.flatMap((name) => (address[name] ? [[name, address[name]]] : []))),
  }
  const change = ({ filters, ...rest }: Change) => {
    const next: Record<string, unknown> = { ...address, pageIndex: undefined, ...filters, ...rest }
    const given = Object.entries(next).filter(([, value]) => value !== undefined && value !== '')
    const search = Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
    void navigate({ to: '.', search: () => search, replace: true, resetScroll: false })
  }
  return [state, change]
}
