import { type RefObject, useLayoutEffect } from 'react'

/** How many times wider than its container a table may be to be compacted: beyond that rows would grow too tall. */
const MAX_EXCESS = 1.6
const FITS = ['close', 'wrapped']

/**
 * Compacts the columns of a table, and lets its cells wrap only if all of them then fit next to the pinned one
 * (`data-fit`). Otherwise cells stay on one line and the table scrolls sideways (`data-wide`).
 */
export function useTableFit(scroller: RefObject<HTMLElement | null>, rows: unknown, columns: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows and columns are measured anew.
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    // Includes the scroll bar: one that appears with taller rows must not revert the change.
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
  element.removeAttribute('data-wide')
  if (fits(element)) return
  for (const fit of fits(element, MAX_EXCESS) ? FITS : []) {
    element.setAttribute('data-fit', fit)
    if (fits(element)) return
  }
  element.removeAttribute('data-fit')
  element.setAttribute('data-wide', isSidewaysOnly(element) ? 'sideways' : '')
}

/**
 * Whether the browser lets an element scroll in one direction alone: its sticky parts then follow the page in the other
 * one. Elsewhere `clip` is as good as `hidden` here, and they would follow nothing.
 */
function isSidewaysOnly(element: HTMLElement): boolean {
  element.style.overflow = 'auto clip'
  const { overflowY } = getComputedStyle(element)
  element.style.overflow = ''
  return overflowY === 'clip'
}
