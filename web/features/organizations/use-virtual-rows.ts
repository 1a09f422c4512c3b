import { useCallback, useLayoutEffect, useRef, useState } from 'react'

/** Rows drawn beyond the visible ones, so that nothing flashes while scrolling. */
const OVERSCAN_ROWS = 12

/** Rows scrolled before the next render. */
const STEP_ROWS = 4

/** The visible rows of a long list of equal height; only those are drawn. */
export function useVirtualRows(count: number) {
  const ref = useRef<HTMLDivElement>(null)
  const ruler = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState({ first: 0, height: 600, rowHeight: 34 })
  const measure = useCallback(() => {
    const { scrollTop = 0, clientHeight = 0 } = ref.current ?? {}
    const rowHeight = ruler.current?.getBoundingClientRect().height || 34
    const first = Math.floor(scrollTop / rowHeight / STEP_ROWS) * STEP_ROWS
    setSeen((was) =>
      was.first === first && was.height === clientHeight && was.rowHeight === rowHeight
        ? was
        : { first, height: clientHeight, rowHeight },
    )
  }, [])
  useLayoutEffect(() => {
    measure()
    const observer = new ResizeObserver(measure)
    for (const one of [ref.current, ruler.current]) if (one) observer.observe(one)
    return () => observer.disconnect()
  }, [measure])
  const { first, height, rowHeight } = seen
  const show = useCallback((at: number) => {
    const view = ref.current
    const line = ruler.current?.getBoundingClientRect().height || 34
    if (!view) return
    if (at * line < view.scrollTop) view.scrollTop = at * line
    else if ((at + 1) * line > view.scrollTop + view.clientHeight) view.scrollTop = (at + 1) * line - view.clientHeight
  }, [])
  return {
    ref,
    ruler,
    rowHeight,
    height: count * rowHeight,
    from: Math.max(0, first - OVERSCAN_ROWS),
    to: first + STEP_ROWS + Math.ceil(height / rowHeight) + OVERSCAN_ROWS,
    onScroll: measure,
    show,
  }
}
