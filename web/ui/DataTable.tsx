import { Fragment, type MouseEvent as ReactMouseEvent, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTableHead } from './DataTableHead.tsx'
import { Icon } from './Icon.tsx'
import { Cell } from './ListCell.tsx'
import type { TableRows } from './list-table.types.ts'
import { RowDetails } from './RowDetails.tsx'
import { useRowSelection } from './use-row-selection.ts'
import { useTableFit } from './use-table-fit.ts'
import './data-table.css'

/** The rows of a list as a native table; its head and the rows' actions stay visible. */
export function DataTable<Row extends object>(props: TableRows<Row>) {
  const { title, rows, rowKey, columns, isBusy, isCompact } = props
  const scroller = useRef<HTMLDivElement>(null)
  useTableFit(scroller, rows, JSON.stringify([columns.map(({ key, title: name }) => [key, name]), isCompact]))
  const [opened, setOpened] = useState<readonly string[]>([])
  const ticks = useRowSelection(props)
  const hasActions = rows.some((row) => props.rowActions?.(row))
  return (
    <div ref={scroller} aria-busy={isBusy} className={isBusy ? 'list-scroll list-busy' : 'list-scroll'}>
      <table className="data-table" aria-label={title} data-compact={isCompact || undefined}>
        <DataTableHead list={props} ticks={ticks} hasActions={hasActions} />
        <tbody>
          {rows.map((row) => {
            const key = String(row[rowKey])
            const isOpen = opened.includes(key)
            const onToggle = () => setOpened(isOpen ? opened.filter((one) => one !== key) : [...opened, key])
            return <DataRow key={key} {...{ row, list: props, ticks, hasActions, isOpen, onToggle }} />
          })}
        </tbody>
      </table>
    </div>
  )
}

const CONTROLS = 'a, button, input, label, select, textarea, summary, [role], .data-tool, .list-verbs'

/** Not on a control, not in a menu or dialog rendered by the row, and not the end of a text selection. */
const isRowClick = ({ target, currentTarget }: ReactMouseEvent<HTMLElement>): boolean =>
  target instanceof Element &&
  currentTarget.contains(target) &&
  target.closest(CONTROLS) === null &&
  getSelection()?.isCollapsed !== false

type RowProps<Row extends object> = {
  row: Row
  list: TableRows<Row>
  ticks: ReturnType<typeof useRowSelection<Row>>
  hasActions: boolean
  isOpen: boolean
  onToggle: () => void
}

function DataRow<Row extends object>({ row, list, ticks, hasActions, isOpen, onToggle }: RowProps<Row>) {
  const { columns, rowActions, details, selected } = list
  const detailsId = useId()
  const isTicked = ticks.isTicked(row)
  const span = columns.length + [details, selected, hasActions].filter(Boolean).length
  return (
    <Fragment>
      <tr
        className="data-row"
        data-ticked={isTicked || undefined}
        data-opens-by-click={list.onOpen ? true : undefined}
        onClick={(event) => {
          if (isRowClick(event)) list.onOpen?.(row)
        }}
      >
        {details && (
          <td className="data-tool">
            <RowOpener row={row} list={list} isOpen={isOpen} detailsId={detailsId} onToggle={onToggle} />
          </td>
        )}
        {selected && (
          <td className="data-tool">
            <input
              type="checkbox"
              aria-label={list.rowName(row)}
              checked={isTicked}
              disabled={!ticks.isSelectable(row)}
              onChange={(event) => ticks.tick(row, event.target.checked, (event.nativeEvent as MouseEvent).shiftKey)}
            />
          </td>
        )}
        {columns.map((column) => (
          <td key={column.key} className={column.isNumber ? 'data-number' : undefined}>
            <Cell row={row} column={column} list={list} />
          </td>
        ))}
        {hasActions && (
          <td className="list-verbs">
            <div className="row-verbs">{rowActions?.(row)}</div>
          </td>
        )}
      </tr>
      {details && isOpen && (
        <tr className="data-details" id={detailsId}>
          <td colSpan={span}>
            <RowDetails row={row} list={list} />
          </td>
        </tr>
      )}
    </Fragment>
  )
}

type OpenerProps<Row extends object> = Pick<RowProps<Row>, 'row' | 'list' | 'isOpen' | 'onToggle'> & {
  detailsId: string
}

function RowOpener<Row extends object>({ row, list, isOpen, detailsId, onToggle }: OpenerProps<Row>) {
  const { t } = useTranslation()
  return (
    <button
      type="button"
      className="row-opener"
      aria-expanded={isOpen}
      aria-controls={isOpen ? detailsId : undefined}
      aria-label={t('list.details-of', { row: list.rowName(row) })}
      onClick={onToggle}
    >
      <Icon name="down" />
    </button>
  )
}
