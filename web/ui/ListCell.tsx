import type { Column, ListRows } from './list-table.types.ts'
import { Value } from './Value.tsx'

/** A cell; in the column that opens the drawer it is a button. */
export function Cell<Row extends object>({
  row,
  column,
  list,
}: {
  row: Row
  column: Column<Row>
  list: ListRows<Row>
}) {
  const { onOpen, rowKey } = list
  const value = <Value>{column.render(row)}</Value>
  if (column.isLong) return <div className="cell-long">{value}</div>
  if (!column.opensDrawer || !onOpen) return value
  return (
    <button type="button" className="row-link" data-opens={String(row[rowKey])} onClick={() => onOpen(row)}>
      {value}
    </button>
  )
}
