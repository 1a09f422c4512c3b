import { type RefObject, useLayoutEffect, useRef } from 'react'
import { onReadingChange } from '../platform/reading-choices.ts'
import './overflow.css'

/**
 * Marks a bar whose parts don't fit on one line (`data-crowded`). Their length depends on language, institution,
 * permissions and text size, so no fixed width would do.
 */
export function useOverflow<T extends HTMLElement>(): RefObject<T | null> {
  const ref = useRef<T>(null)
  useLayoutEffect(() => {
    const bar = ref.current
    if (!bar) return
    const measure = () => {
      bar.removeAttribute('data-crowded')
      // A phone has the menu elsewhere.
      if (document.documentElement.hasAttribute('data-narrow')) return
      bar.setAttribute('data-measured', '')
      const end = bar.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(bar).paddingInlineEnd)
      const isCrowded = [...bar.children].some((part) => part.getBoundingClientRect().right > end + 1)
      bar.removeAttribute('data-measured')
      bar.toggleAttribute('data-crowded', isCrowded)
    }
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
