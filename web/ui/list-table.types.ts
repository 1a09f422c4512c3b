import type { ReactNode } from 'react'
import type { ListState } from './list-state.ts'

export type Column<Row> = {
  /** Field name; also the value of `sort`, if sortable. */
  key: string
  title: string
  render: (row: Row) => ReactNode
  sortable?: boolean
  /** Right-aligned figures. */
  isNumber?: boolean
  /** Long text: wraps instead of widening the table. */
  isLong?: boolean
  /** In design pixels. */
  width?: number
  /** Hidden unless chosen. */
  isExtra?: boolean
  /** On a phone it joins the first column in the card's head. */
  headsCard?: boolean
  /** Its cell opens the drawer. */
  opensDrawer?: boolean
}

/** Rows and how to show them, as a table or as cards. */
export type ListRows<Row extends object> = {
  title: string
  rows: Row[] | undefined
  rowKey: keyof Row & string
  rowName: (row: Row) => string
  columns: readonly Column<Row>[]
  /** Columns that the person has hidden; they appear in the details. */
  hidden: readonly Column<Row>[]
  isCompact: boolean
  /** Expandable details. */
  details?: (row: Row) => ReactNode
  state: ListState
  isBusy: boolean
  /** Null: nothing can be selected. */
  selected: Row[] | null
  isSelectable?: (row: Row) => boolean
  rowActions?: (row: Row) => ReactNode
  onSelect: (rows: Row[]) => void
  onSort: (sort: string | undefined) => void
  /** Null: no drawer. */
  onOpen: ((row: Row) => void) | null
  /** Shown when the list is completely empty. */
  empty?: ReactNode
}

/** The props of a table and its rows. */
export type TableRows<Row extends object> = ListRows<Row> & { rows: Row[] }
