import { useEffect, useState } from 'react'
import { MAX_SELECTED, type Selection } from './selection.ts'

/** `seenOn`: the page that last showed the row. */
type SelectedRow<Row> = { row: Row; seenOn: string }

type Input<Row> = {
  rowKey: keyof Row & string
  /** Search, filters and fixed values; another list starts without a selection. */
  listed: Record<string, string>
  /** Identifies the page within that list. */
  pageName: string
  /** The rows of that page; undefined while loading. */
  records: Row[] | undefined
}

/**
 * The ticked rows. Paging keeps them; other filters clear them, because nobody should act on rows that are no longer
 * listed, and a row that left its page by itself is unticked.
 */
export function useSelection<Row extends object>({ rowKey, listed, pageName, records }: Input<Row>) {
  const [ticked, setTicked] = useState<SelectedRow<Row>[]>([])
  const [isAll, setAll] = useState(false)
  const list = JSON.stringify(listed)
  const [known, setKnown] = useState(list)
  const clear = () => {
    setTicked([])
    setAll(false)
  }
  if (known !== list) {
    setKnown(list)
    clear()
  }
  useEffect(() => {
    if (!records) return
    const byKey = new Map(records.map((row) => [row[rowKey], row]))
    setTicked((before) =>
      before.flatMap(({ row, seenOn }) => {
        const fresh = byKey.get(row[rowKey])
        if (fresh) return [{ row: fresh, seenOn: pageName }]
        return seenOn === pageName ? [] : [{ row, seenOn }]
      }),
    )
  }, [records, pageName, rowKey])
  const onPage = ticked.filter(({ row }) => records?.some((other) => other[rowKey] === row[rowKey]))
  /** Changes this page's ticks and keeps those of other pages. */
  const tick = (rows: Row[]) => {
    setAll(false)
    const elsewhere = ticked.filter((one) => !onPage.includes(one))
    setTicked([...elsewhere, ...rows.map((row) => ({ row, seenOn: pageName }))].slice(0, MAX_SELECTED))
  }
  const selectionOf = (expected: number): Selection<Row> =>
    isAll ? { all: listed, expected } : { rows: ticked.map(({ row }) => row) }
  return {
    isAll,
    isEmpty: !isAll && ticked.length === 0,
    onPage: onPage.map(({ row }) => row),
    onOtherPages: isAll ? 0 : ticked.length - onPage.length,
    selectionOf,
    tick,
    selectAll: () => setAll(true),
    clear,
  }
}
