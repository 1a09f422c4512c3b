import { useEffect, useState } from 'react'
import type { ChangeList, ListState } from './list-state.ts'

type Counted = { records: readonly unknown[]; total: number }

/** Replaces a page number beyond the end by the last page. */
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

/** When the selected organisation changes, its people start at page 1. */
export function useResetPage(fixed: Record<string, string> | undefined, change: ChangeList): void {
  const name = JSON.stringify(fixed ?? {})
  const [known, setKnown] = useState(name)
  useEffect(() => {
    if (known === name) return
    setKnown(name)
    change({})
  })
}
