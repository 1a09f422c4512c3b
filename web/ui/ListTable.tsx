import { Table, type TableColumnType, type TableProps } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from './Icon.tsx'
import { ListCards } from './ListCards.tsx'
import { Cell } from './ListCell.tsx'
import { isNarrowed, type ListState } from './list-state.ts'
import { Waiting } from './PageSkeleton.tsx'
import { RowDetails } from './RowDetails.tsx'
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
  rowVerbs?: (row: Row) => ReactNode
  onSelect: (rows: Row[]) => void
  onSort: (sort: string | undefined) => void
  /** Null: rows have no drawer. */
  onOpen: ((row: Row) => void) | null
  /** While there is nothing at all: what there is none of, or what to do. */
  empty?: ReactNode
}

/** antd would make a live region of all rows, read out anew with each change; the pager says what there is. */
const QUIET = { spinning: false, 'aria-live': 'off' }

export function ListTable<Row extends object>(props: ListRows<Row>) {
  const { title, rows, rowKey, state, isBusy, isCompact, onSort } = props
  const { t } = useTranslation()
  const isNarrow = useNarrow()
  const expandable = useDetails(props)
  const columns = useColumns(props)
  if (!rows) {
    return (
      <div className="list-waiting">
        <Waiting lines={6} />
      </div>
    )
  }
  if (rows.length === 0) {
    if (isNarrowed(state)) return <StateBlock title={t('list.empty-filtered')} />
    if (typeof props.empty === 'string') return <StateBlock title={props.empty} />
    return <StateBlock title={t('list.empty')}>{props.empty}</StateBlock>
  }
  if (isNarrow) {
    return (
      <div aria-busy={isBusy} className={isBusy ? 'list-busy' : undefined}>
        <ListCards {...props} />
      </div>
    )
  }
  return (
    <div aria-busy={isBusy} className={isBusy ? 'list-scroll list-busy' : 'list-scroll'}>
      <Table<Row>
        aria-label={title}
        size={isCompact ? 'small' : 'middle'}
        rowKey={rowKey}
        dataSource={rows}
        columns={columns}
        pagination={false}
        loading={QUIET}
        showSorterTooltip={false}
        {...selectionOf(props, t('list.select-page'))}
        {...expandable}
        onChange={(_pages, _filters, sorter) => {
          const { columnKey, order } = Array.isArray(sorter) ? (sorter[0] ?? {}) : sorter
          onSort(order ? `${order === 'descend' ? '-' : ''}${columnKey}` : undefined)
        }}
      />
    </div>
  )
}

function selectionOf<Row extends object>(props: ListRows<Row>, all: string): Pick<TableProps<Row>, 'rowSelection'> {
  const { selected, rowKey, rowName, onSelect, isSelectable = () => true } = props
  if (!selected) return {}
  return {
    rowSelection: {
      selectedRowKeys: selected.map((row) => String(row[rowKey])),
      onChange: (_keys, rows) => onSelect(rows),
      // Its own name is in English in all languages.
      getTitleCheckboxProps: () => ({ 'aria-label': all }),
      getCheckboxProps: (row) => ({ disabled: !isSelectable(row), 'aria-label': rowName(row) }) as object,
    },
  }
}

function useDetails<Row extends object>(list: ListRows<Row>): Pick<TableProps<Row>, 'expandable'> {
  const { t } = useTranslation()
  if (!list.details) return {}
  return {
    expandable: {
      expandedRowRender: (row) => <RowDetails row={row} list={list} />,
      expandIcon: ({ expanded, onExpand, record }) => (
        <button
          type="button"
          className="row-opener"
          aria-expanded={expanded}
          aria-label={t('list.details-of', { row: list.rowName(record) })}
          onClick={(event) => onExpand(record, event)}
        >
          <Icon name="down" />
        </button>
      ),
      columnTitle: <span className="visually-hidden">{t('list.details')}</span>,
    },
  }
}

function useColumns<Row extends object>(list: ListRows<Row>): TableColumnType<Row>[] {
  const { columns, state, rowVerbs } = list
  const { t } = useTranslation()
  const shown = columns.map((column): TableColumnType<Row> => {
    const { key, title, sortable = false, isNumber = false, width } = column
    const order = state.sort === key ? 'ascend' : state.sort === `-${key}` ? 'descend' : null
    return {
      key,
      title,
      render: (_value, row) => <Cell row={row} column={column} list={list} />,
      ...(isNumber && { align: 'end' }),
      ...(width && { width }),
      ...(sortable && { sorter: true, sortOrder: order }),
    }
  })
  if (!rowVerbs) return shown
  return [
    ...shown,
    { key: 'verbs', className: 'list-verbs', title: t('list.actions'), render: (_value, row) => rowVerbs(row) },
  ]
}
