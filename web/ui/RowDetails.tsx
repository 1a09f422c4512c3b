import type { ListRows } from './ListTable.tsx'

/** What the row does not show: the columns that the person has hidden, and what the list says besides. */
export function RowDetails<Row extends object>({ row, list }: { row: Row; list: ListRows<Row> }) {
  return (
    <div className="row-details">
      {list.hidden.length > 0 && (
        <dl>
          {list.hidden.map(({ key, title, render }) => (
            <div key={key}>
              <dt>{title}</dt>
              <dd>{render(row)}</dd>
            </div>
          ))}
        </dl>
      )}
      {list.details?.(row)}
    </div>
  )
}
