import { useEffect, useState } from 'react'
import type { ChangeList, ListState } from './list-state.ts'

type Counted = { records: readonly unknown[]; total: number }

/** A page that is not there any more, because rows went or the address says anything, becomes the last one. */
export function useClampedPage(
  page: Counted | undefined,
  { pageIndex, pageSize }: ListState,
  change: ChangeList,
): void {
  const last = page && page.records.length === 0 ? Math.ceil(page.total / pageSize) : 0
  useEffect(() => {
    if (last > 0 && pageIndex > last) change({ pageIndex: last })
  })
}

/** Another organisation in the tree beside the list: its people begin at the first page. */
export function useResetPage(fixed: Record<string, string> | undefined, change: ChangeList): void {
  const name = JSON.stringify(fixed ?? {})
  const [known, setKnown] = useState(name)
  useEffect(() => {
    if (known === name) return
    setKnown(name)
    change({})
  })
}
