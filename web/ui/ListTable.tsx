import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from './DataTable.tsx'
import { ListCards } from './ListCards.tsx'
import { isFiltered, type ListState } from './list-state.ts'
import { Skeleton } from './PageSkeleton.tsx'
import { StateBlock } from './StateBlock.tsx'
import { useNarrow } from './use-narrow.ts'
import './list-rows.css'

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

export function ListTable<Row extends object>(props: ListRows<Row>) {
  const { rows, state, isBusy } = props
  const { t } = useTranslation()
  const isNarrow = useNarrow()
  if (!rows) {
    return (
      <div className="list-waiting">
        <Skeleton lines={6} />
      </div>
    )
  }
  if (rows.length === 0) {
    if (isFiltered(state)) return <StateBlock title={t('list.empty-filtered')} />
    if (typeof props.empty === 'string') return <StateBlock title={props.empty} />
    return <StateBlock title={t('list.empty')}>{props.empty}</StateBlock>
  }
  if (!isNarrow) return <DataTable {...props} rows={rows} />
  return (
    <div aria-busy={isBusy} className={isBusy ? 'list-busy' : undefined}>
      <ListCards {...props} />
    </div>
  )
}
