import type { Column, ListRows } from './ListTable.tsx'

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
  if (column.isLong) return <div className="cell-long">{column.render(row)}</div>
  if (!column.opensDrawer || !onOpen) return column.render(row)
  return (
    <button type="button" className="row-link" data-opens={String(row[rowKey])} onClick={() => onOpen(row)}>
      {column.render(row)}
    </button>
  )
}
