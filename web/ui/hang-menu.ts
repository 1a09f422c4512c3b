/** Pixels between a button and its menu, and to the edge of the screen. */
const GAP = 6
const EDGE = 8

/**
 * The rows of a table scroll, and would cut a menu off: there it hangs in the browser's top layer, below its button or, where there is
 * no room, above.
 * @returns what ends it.
 */
export function hangMenu(list: HTMLElement): (() => void) | undefined {
  const button = list.parentElement?.querySelector('button')
  if (!button || !list.closest('.list-scroll') || typeof list.showPopover !== 'function') return
  list.popover = 'manual'
  list.showPopover()
  const place = () => {
    const { top, bottom, right } = button.getBoundingClientRect()
    const { offsetWidth, offsetHeight } = list
    const isAbove = bottom + GAP + offsetHeight > innerHeight && top > offsetHeight + GAP
    list.style.left = `${Math.max(EDGE, right - offsetWidth)}px`
    list.style.top = `${isAbove ? top - GAP - offsetHeight : bottom + GAP}px`
  }
  place()
  addEventListener('scroll', place, { capture: true, passive: true })
  addEventListener('resize', place)
  return () => {
    removeEventListener('scroll', place, { capture: true })
    removeEventListener('resize', place)
  }
}
