import { Table, type TableColumnType, type TableProps } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListState } from './list-state.ts'
import { Waiting } from './PageSkeleton.tsx'
import { StateBlock } from './StateBlock.tsx'

export type Column<Row> = {
  /** Name of the field; what `sort` says when the list can be sorted by it. */
  key: string
  title: string
  render: (row: Row) => ReactNode
  sortable?: boolean
  /** In design pixels. */
  width?: number
}

type Props<Row extends object> = {
  title: string
  rows: Row[] | undefined
  rowKey: keyof Row & string
  rowName: (row: Row) => string
  columns: readonly Column<Row>[]
  state: ListState
  isBusy: boolean
  /** Null: nothing can be selected. */
  selected: Row[] | null
  isSelectable?: (row: Row) => boolean
  rowVerbs?: (row: Row) => ReactNode
  onSelect: (rows: Row[]) => void
  onSort: (sort: string | undefined) => void
}

export function ListTable<Row extends object>(props: Props<Row>) {
  const { title, rows, rowKey, state, isBusy, onSort } = props
  const { t } = useTranslation()
  const columns = useColumns(props)
  if (!rows) {
    return (
      <div className="list-waiting">
        <Waiting lines={6} />
      </div>
    )
  }
  const isFiltered = state.search !== '' || Object.keys(state.filters).length > 0
  if (rows.length === 0) return <StateBlock title={t(isFiltered ? 'list.empty-filtered' : 'list.empty')} />
  return (
    <div aria-busy={isBusy} className={isBusy ? 'list-scroll list-busy' : 'list-scroll'}>
      <Table<Row>
        aria-label={title}
        size="middle"
        rowKey={rowKey}
        dataSource={rows}
        columns={columns}
        pagination={false}
        showSorterTooltip={false}
        {...selectionOf(props)}
        onChange={(_pages, _filters, sorter) => {
          const { columnKey, order } = Array.isArray(sorter) ? (sorter[0] ?? {}) : sorter
          onSort(order ? `${order === 'descend' ? '-' : ''}${columnKey}` : undefined)
        }}
      />
    </div>
  )
}

function selectionOf<Row extends object>(props: Props<Row>): Pick<TableProps<Row>, 'rowSelection'> {
  const { selected, rowKey, rowName, onSelect, isSelectable = () => true } = props
  if (!selected) return {}
  return {
    rowSelection: {
      selectedRowKeys: selected.map((row) => String(row[rowKey])),
      onChange: (_keys, rows) => onSelect(rows),
      getCheckboxProps: (row) => ({ disabled: !isSelectable(row), 'aria-label': rowName(row) }) as object,
    },
  }
}

function useColumns<Row extends object>({ columns, state, rowVerbs }: Props<Row>): TableColumnType<Row>[] {
  const { t } = useTranslation()
  const shown = columns.map(({ key, title, render, sortable = false, width }): TableColumnType<Row> => {
    const order = state.sort === key ? 'ascend' : state.sort === `-${key}` ? 'descend' : null
    return {
      key,
      title,
      render: (_value, row) => render(row),
      ...(width && { width }),
      ...(sortable && { sorter: true, sortOrder: order }),
    }
  })
  if (!rowVerbs) return shown
  return [...shown, { key: 'verbs', title: t('list.actions'), render: (_value, row) => rowVerbs(row) }]
}
