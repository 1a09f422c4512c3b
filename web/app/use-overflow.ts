import { type RefObject, useLayoutEffect, useRef } from 'react'
import { onReadingChange } from '../platform/reading-choices.ts'
import './overflow.css'

/** Each leaves out more than the one before; the last one takes two lines. */
const MARKS = ['data-tight', 'data-icons', 'data-crowded'] as const

/**
 * Marks a bar whose parts fit on one line only without the words of its tools (`data-tight`), only without those of its
 * menu as well (`data-icons`), or not at all (`data-crowded`). Their length depends on language, institution,
 * permissions and text size, so no fixed width would do.
 */
export function useOverflow<T extends HTMLElement>(): RefObject<T | null> {
  const ref = useRef<T>(null)
  useLayoutEffect(() => {
    const bar = ref.current
    if (!bar) return
    const measure = () => markOverflow(bar)
    // ResizeObserver fires before the first paint; measuring here would cost another layout.
    const observer = new ResizeObserver(measure)
    for (const part of [bar, ...bar.children]) observer.observe(part)
    const stop = onReadingChange(measure)
    return () => {
      observer.disconnect()
      stop()
    }
  })
  return ref
}

function markOverflow(bar: HTMLElement): void {
  const setMark = (mark: string | null) => {
    for (const one of MARKS) bar.toggleAttribute(one, one === mark)
  }
  setMark(null)
  // A phone has the menu elsewhere.
  if (document.documentElement.hasAttribute('data-narrow')) return
  bar.setAttribute('data-measured', '')
  for (const mark of MARKS) {
    if (fits(bar)) break
    setMark(mark)
  }
  bar.removeAttribute('data-measured')
}

/** From right to left the parts run out on the other side. */
function fits(bar: HTMLElement): boolean {
  const { left, right } = bar.getBoundingClientRect()
  const { paddingLeft, paddingRight } = getComputedStyle(bar)
  return [...bar.children].every((part) => {
    const box = part.getBoundingClientRect()
    return (
      box.right <= right - Number.parseFloat(paddingRight) + 1 && box.left >= left + Number.parseFloat(paddingLeft) - 1
    )
  })
}
