import type { ListRows } from './list-table.types.ts'
import { Value } from './Value.tsx'

/** The hidden columns of a row, and further details. */
export function RowDetails<Row extends object>({ row, list }: { row: Row; list: ListRows<Row> }) {
  return (
    <div className="row-details">
      {list.hidden.length > 0 && (
        <dl>
          {list.hidden.map(({ key, title, render }) => (
            <div key={key}>
              <dt>{title}</dt>
              <dd>
                <Value>{render(row)}</Value>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {list.details?.(row)}
    </div>
  )
}
