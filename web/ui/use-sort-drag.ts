import { type DragEvent, useRef, useState } from 'react'

type Side = 'before' | 'behind'

type Input<Row> = {
  keyOf: (row: Row) => string
  /** Is the drop allowed? */
  mayDrop: (moved: Row, target: Row, side: Side) => boolean
  onDrop: (moved: Row, target: Row, side: Side) => void
}

/** Sorts rows by dragging. Offer buttons that do the same. */
export function useSortDrag<Row>({ keyOf, mayDrop, onDrop }: Input<Row>) {
  const moved = useRef<Row | null>(null)
  const [over, setOver] = useState<{ key: string; side: Side } | null>(null)
  const end = () => {
    moved.current = null
    setOver(null)
  }
  const sideOf = (event: DragEvent<HTMLElement>): Side => {
    const { top, height } = event.currentTarget.getBoundingClientRect()
    return event.clientY < top + height / 2 ? 'before' : 'behind'
  }
  return (row: Row) => ({
    draggable: true,
    'data-drop': over?.key === keyOf(row) ? over.side : undefined,
    onDragStart: (event: DragEvent) => {
      moved.current = row
      event.dataTransfer.effectAllowed = 'move'
      event.dataTransfer.setData('text/plain', keyOf(row))
    },
    onDragOver: (event: DragEvent<HTMLElement>) => {
      const side = sideOf(event)
      if (!moved.current || !mayDrop(moved.current, row, side)) return setOver(null)
      event.preventDefault()
      if (over?.key !== keyOf(row) || over.side !== side) setOver({ key: keyOf(row), side })
    },
    onDragEnd: end,
    onDrop: (event: DragEvent<HTMLElement>) => {
      event.preventDefault()
      const row0 = moved.current
      const side = sideOf(event)
      end()
      if (row0 && mayDrop(row0, row, side)) onDrop(row0, row, side)
    },
  })
}
