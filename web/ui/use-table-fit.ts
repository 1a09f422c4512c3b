import { type RefObject, useLayoutEffect } from 'react'

/** So many times as wide as its place a table may be and still be fitted: beyond, rows would grow too tall to scan. */
const MAX_EXCESS = 1.6
const FITS = ['close', 'wrapped']

/**
 * Sets the columns of a table closer, and only then lets its cells take more lines, where all of them fit so beside the pinned one
 * (`data-fit`). What doesn't fit even so keeps its lines and scrolls sideways.
 */
export function useTableFit(scroller: RefObject<HTMLElement | null>, rows: unknown, columns: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows and columns are measured anew.
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    // With its scroll bar: one that comes with taller rows must not take them back.
    let width = element.offsetWidth
    fitTable(element)
    const observer = new ResizeObserver(() => {
      if (element.offsetWidth === width) return
      width = element.offsetWidth
      fitTable(element)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller, rows, columns])
}

const fits = ({ scrollWidth, clientWidth }: HTMLElement, times = 1): boolean => scrollWidth <= clientWidth * times

function fitTable(element: HTMLElement): void {
  element.removeAttribute('data-fit')
  if (fits(element) || !fits(element, MAX_EXCESS)) return
  for (const fit of FITS) {
    element.setAttribute('data-fit', fit)
    if (fits(element)) return
  }
  element.removeAttribute('data-fit')
}
