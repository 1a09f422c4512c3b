import { type RefObject, useLayoutEffect, useRef } from 'react'
import { onReadingChange } from '../platform/reading-choices.ts'
import './overflow.css'

/**
 * Marks a bar whose parts have no room on one line (`data-crowded`): how long they are depends on language, institution, rights
 * and the size of text, which no width could stand for.
 */
export function useOverflow<T extends HTMLElement>(): RefObject<T | null> {
  const ref = useRef<T>(null)
  useLayoutEffect(() => {
    const bar = ref.current
    if (!bar) return
    const measure = () => {
      bar.removeAttribute('data-crowded')
      // On a phone the menu is elsewhere.
      if (document.documentElement.hasAttribute('data-narrow')) return
      bar.setAttribute('data-measured', '')
      const end = bar.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(bar).paddingInlineEnd)
      const isCrowded = [...bar.children].some((part) => part.getBoundingClientRect().right > end + 1)
      bar.removeAttribute('data-measured')
      bar.toggleAttribute('data-crowded', isCrowded)
    }
    // It answers at once, before anything is painted: measured here, the page would be laid out once more.
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
