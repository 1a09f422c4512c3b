import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Column, ListRows, TableRows } from './list-table.types.ts'
import type { useRowSelection } from './use-row-selection.ts'

type Props<Row extends object> = {
  list: TableRows<Row>
  ticks: ReturnType<typeof useRowSelection<Row>>
  hasActions: boolean
}

export function DataTableHead<Row extends object>({ list, ticks, hasActions }: Props<Row>) {
  const { columns, details, selected } = list
  const { t } = useTranslation()
  return (
    <thead>
      <tr>
        {details && (
          <th scope="col" className="data-tool">
            <span className="visually-hidden">{t('list.details')}</span>
          </th>
        )}
        {selected && (
          <th scope="col" className="data-tool">
            <PageTick ticks={ticks} />
          </th>
        )}
        {columns.map((column) => (
          <ColumnHead key={column.key} column={column} list={list} />
        ))}
        {hasActions && (
          <th scope="col" className="list-verbs">
            {t('list.actions')}
          </th>
        )}
      </tr>
    </thead>
  )
}

function PageTick<Row extends object>({ ticks }: Pick<Props<Row>, 'ticks'>) {
  const { t } = useTranslation()
  const box = useRef<HTMLInputElement>(null)
  const isSome = ticks.page === 'some'
  useEffect(() => {
    if (box.current) box.current.indeterminate = isSome
  }, [isSome])
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label={t('list.select-page')}
      checked={ticks.page === 'all'}
      disabled={ticks.page === 'none-selectable'}
      onChange={ticks.tickPage}
    />
  )
}

/** The order after the next click on a heading: ascending, descending, then the default. */
const nextSort = (key: string, sort: string | undefined): string | undefined =>
  sort === key ? `-${key}` : sort === `-${key}` ? undefined : key

type HeadProps<Row extends object> = { column: Column<Row>; list: ListRows<Row> }

function ColumnHead<Row extends object>({ column, list }: HeadProps<Row>) {
  const { key, title, sortable = false, isNumber = false, width } = column
  const { state, onSort } = list
  const order = state.sort === key ? 'ascending' : state.sort === `-${key}` ? 'descending' : undefined
  return (
    <th
      scope="col"
      className={isNumber ? 'data-number' : undefined}
      aria-sort={order}
      // Set by script, which the content security policy allows.
      style={width ? { width: `calc(${width} * var(--dp))` } : undefined}
    >
      {sortable ? (
        <button type="button" className="sort-button" onClick={() => onSort(nextSort(key, state.sort))}>
          {title}
          <svg viewBox="0 0 10 14" aria-hidden="true" focusable="false">
            <path className="sort-up" d="M5 1l4 5H1z" />
            <path className="sort-down" d="M5 13l4-5H1z" />
          </svg>
        </button>
      ) : (
        title
      )}
    </th>
  )
}
