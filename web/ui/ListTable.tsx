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
  /** Name of the field; what `sort` says when the list can be sorted by it. */
  key: string
  title: string
  render: (row: Row) => ReactNode
  sortable?: boolean
  /** Its figures stand below each other. */
  isNumber?: boolean
  /** Many words: they go on in further lines rather than widen the table. */
  isLong?: boolean
  /** In design pixels. */
  width?: number
  /** Shown only to who asks for it. */
  isExtra?: boolean
  /** On a phone it stands in the head of the card, with the first one. */
  headsCard?: boolean
  /** Its cell opens the row's drawer. */
  opensDrawer?: boolean
}

/** Rows with how they are shown, as a table or as cards. */
export type ListRows<Row extends object> = {
  title: string
  rows: Row[] | undefined
  rowKey: keyof Row & string
  rowName: (row: Row) => string
  columns: readonly Column<Row>[]
  /** Columns that the person does not want to see; a row's details still have them. */
  hidden: readonly Column<Row>[]
  isCompact: boolean
  /** More about a row, behind a button. */
  details?: (row: Row) => ReactNode
  state: ListState
  isBusy: boolean
  /** Null: nothing can be selected. */
  selected: Row[] | null
  isSelectable?: (row: Row) => boolean
  rowActions?: (row: Row) => ReactNode
  onSelect: (rows: Row[]) => void
  onSort: (sort: string | undefined) => void
  /** Null: rows have no drawer. */
  onOpen: ((row: Row) => void) | null
  /** While there is nothing at all: what there is none of, or what to do. */
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
