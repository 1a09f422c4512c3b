import { useEffect, useState } from 'react'
import { MAX_SELECTED, type Selection } from './selection.ts'

/** `seenOn`: the page, in its order and size, that showed the row last. */
type SelectedRow<Row> = { row: Row; seenOn: string }

type Input<Row> = {
  rowKey: keyof Row & string
  /** What is listed: search, filters and what the page fixes. Another list begins without a selection. */
  listed: Record<string, string>
  /** Names the page within that list. */
  pageName: string
  /** The rows of that very page; undefined while they are awaited. */
  records: Row[] | undefined
}

/**
 * The ticked rows. They stay ticked from page to page; other filters take the ticks away, for nobody should act on rows that the
 * list does not show any more, and a row that left its page by itself is not ticked either.
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
  /** The ticks of this page; those of other pages stay. */
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
