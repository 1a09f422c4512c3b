import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Cell } from './ListCell.tsx'
import type { Column, ListRows } from './list-table.types.ts'
import { RowDetails } from './RowDetails.tsx'
import { Select } from './Select.tsx'

/** A list on a phone: a card per row with its fields below each other, without horizontal scrolling. */
export function ListCards<Row extends object>(props: ListRows<Row>) {
  const { title, rows = [], rowKey } = props
  return (
    <>
      <div className="list-card-tools">
        <SelectPage {...props} />
        <SortChoice {...props} />
      </div>
      <ul className="list-cards" aria-label={title}>
        {rows.map((row) => (
          <li key={String(row[rowKey])}>
            <RowCard row={row} list={props} />
          </li>
        ))}
      </ul>
    </>
  )
}

function RowCard<Row extends object>({ row, list }: { row: Row; list: ListRows<Row> }) {
  const { columns, rowName, rowActions, details, selected, rowKey, onSelect, isSelectable = () => true } = list
  const { t } = useTranslation()
  const nameId = useId()
  const [first, ...further] = columns
  const heads = further.filter(({ headsCard }) => headsCard)
  const others = further.filter(({ headsCard }) => !headsCard)
  const isSelected = selected?.some((one) => one[rowKey] === row[rowKey]) ?? false
  const rest = selected?.filter((one) => one[rowKey] !== row[rowKey]) ?? []
  return (
    <article aria-labelledby={nameId}>
      <header>
        {selected && (
          <input
            type="checkbox"
            aria-label={rowName(row)}
            checked={isSelected}
            disabled={!isSelectable(row)}
            onChange={(event) => onSelect(event.target.checked ? [...rest, row] : rest)}
          />
        )}
        <strong id={nameId}>
          {first && <Cell row={row} column={first} list={list} />}
          {heads.map((column) => (
            <span key={column.key}>
              {' '}
              <Cell row={row} column={column} list={list} />
            </span>
          ))}
        </strong>
      </header>
      <dl>
        {others.map((column) => (
          <div key={column.key}>
            <dt>{column.title}</dt>
            <dd>
              <Cell row={row} column={column} list={list} />
            </dd>
          </div>
        ))}
      </dl>
      {details && (
        <details>
          <summary aria-label={t('list.details-of', { row: rowName(row) })}>{t('list.details')}</summary>
          <RowDetails row={row} list={list} />
        </details>
      )}
      {rowActions && <div className="list-card-verbs">{rowActions(row)}</div>}
    </article>
  )
}

/** Replaces the checkbox of the table's head. */
function SelectPage<Row extends object>({ rows = [], selected, onSelect, isSelectable = () => true }: ListRows<Row>) {
  const { t } = useTranslation()
  const able = rows.filter(isSelectable)
  if (!selected || able.length === 0) return null
  const isWhole = selected.length >= able.length
  return (
    <label className="list-select-page">
      <input type="checkbox" checked={isWhole} onChange={() => onSelect(isWhole ? [] : able)} />
      <span>{t('list.select-page')}</span>
    </label>
  )
}

/** Replaces sorting by headings. */
function SortChoice<Row extends object>({ columns, state, onSort }: ListRows<Row>) {
  const { t } = useTranslation()
  const sortable = columns.filter((column: Column<Row>) => column.sortable)
  if (sortable.length === 0) return null
  return (
    <div className="list-sort">
      <span className="muted" aria-hidden="true">
        {t('list.sort')}
      </span>
      <Select
        label={t('list.sort')}
        value={state.sort ?? ''}
        options={[
          ...(state.sort ? [] : [{ value: '', label: t('list.sort.usual') }]),
          ...sortable.flatMap(({ key, title }) => [
            { value: `-${key}`, label: `${title} ↓` },
            { value: key, label: `${title} ↑` },
          ]),
        ]}
        onChange={(sort) => onSort(sort || undefined)}
      />
    </div>
  )
}
