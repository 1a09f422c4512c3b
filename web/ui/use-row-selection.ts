import { useRef } from 'react'
import type { ListRows } from './list-table.types.ts'

type Input<Row extends object> = Pick<ListRows<Row>, 'rowKey' | 'selected' | 'isSelectable' | 'onSelect'> & {
  rows: Row[]
}

/** The checkboxes of a table: one row, with Shift a range, or the whole page. */
export function useRowSelection<Row extends object>({ rows, rowKey, selected, onSelect, ...rest }: Input<Row>) {
  const { isSelectable = () => true } = rest
  const last = useRef<unknown>(undefined)
  const keys = new Set(selected?.map((row) => row[rowKey]))
  const isTicked = (row: Row) => keys.has(row[rowKey])
  const selectable = rows.filter(isSelectable)
  const ticked = selectable.filter(isTicked).length
  const tick = (row: Row, isOn: boolean, isRange: boolean) => {
    const [from, to] = [rows.findIndex((one) => one[rowKey] === last.current), rows.indexOf(row)]
    last.current = row[rowKey]
    const range = isRange && from >= 0 ? rows.slice(Math.min(from, to), Math.max(from, to) + 1) : [row]
    const changed = new Set(range.filter(isSelectable))
    const others = (selected ?? []).filter((one) => ![...changed].some((other) => other[rowKey] === one[rowKey]))
    onSelect(isOn ? [...others, ...changed] : others)
  }
  return {
    isTicked,
    isSelectable,
    tick,
    page:
      selectable.length === 0
        ? ('none-selectable' as const)
        : ticked === 0
          ? ('none' as const)
          : ticked === selectable.length
            ? ('all' as const)
            : ('some' as const),
    tickPage: () => onSelect(ticked === selectable.length ? [] : selectable),
  }
}
