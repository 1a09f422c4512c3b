import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import type { TableKey } from '#shared/contract/tables.ts'
import type { BulkAction } from './BulkBar.tsx'
import type { RowDrawer } from './ListDrawer.tsx'
import type { Filter } from './list-filter.ts'
import type { ListStateStorage, PageSizes } from './list-state.ts'
import type { Column } from './list-table.types.ts'

export type Page<Row> = {
  records: Row[]
  total: number
  totalIsLowerBound?: boolean | undefined
  /** Older records were not searched. */
  searchedBackTo?: string | null | undefined
}

export type ListEndpoint<Row> = Endpoint<z.ZodType, z.ZodType, z.ZodType<Page<Row>>>

export type ListProps<Row extends object> = {
  title: string
  /** A sentence below the title. */
  explain?: ReactNode
  /** Right of the title: import, new … */
  actions?: ReactNode
  /** Actions on all rows; hidden while there are none. */
  rowsActions?: ReactNode
  /** A list call of the contract. */
  endpoint: ListEndpoint<Row>
  /** The export call with the same filters. */
  exportEndpoint?: Endpoint
  /** Names the file of a filtered list instead of the title, when that would promise all rows. */
  filteredTitle?: string
  /** First part of the query key, for invalidation. */
  queryKey: string
  /** Sent with each query: values fixed by the page, such as the selected organisation. */
  fixedQuery?: Record<string, string>
  /** Absent: all columns are always shown. */
  tableKey?: TableKey
  rowKey: keyof Row & string
  /** The name of a row, for its checkbox and its actions. */
  rowName: (row: Row) => string
  columns: readonly Column<Row>[]
  filters: readonly Filter[]
  /** How many filters are shown before "More filters". */
  filtersShown?: number
  /** Absent: no search. */
  searchLabel?: string
  /** The total next to the title, with the formatted number. */
  countLabel?: (total: string, count: number) => string
  /** Actions on selected rows. */
  bulkActions?: readonly BulkAction<Row>[]
  /** Actions on one row. */
  rowActions?: (row: Row) => ReactNode
  /** Expandable details of a row, including hidden columns. */
  details?: (row: Row) => ReactNode
  /** The side panel of a row, opened by the column with `opensDrawer` or by the address. */
  drawer?: RowDrawer<Row>
  /** Milliseconds between refreshes, for lists that change by themselves. */
  refreshEvery?: number
  isSelectable?: (row: Row) => boolean
  /** The server's default order. */
  defaultSort?: string
  /** Shown when the list is completely empty. */
  empty?: ReactNode
  /** Logs have larger pages. */
  pageSizes?: PageSizes
  /** Where page, filters and order are kept; lists in dialogs, tabs and drawers use memory. */
  place?: ListStateStorage
  /** Part of another page: no card and no page heading. */
  embedded?: boolean
  children?: ReactNode
}
