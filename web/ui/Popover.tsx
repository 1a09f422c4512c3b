import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { designPixel } from '../platform/root-size.ts'

/** Pixels between a field and what hangs from it, and to the edge of the screen. */
const GAP = 4
const EDGE = 8
/** As tall as it may be where there is room, in design pixels. */
const MAX_HEIGHT = 260
const MIN_HEIGHT = 96

type Props = { from: RefObject<HTMLElement | null>; className: string; children: ReactNode }

/**
 * What hangs from a field, in the browser's top layer, so that nothing moves when it opens and no dialog cuts it off: below the
 * field, or above where there is more room, also over a keyboard on the screen. Without `popover` (older browsers) it stays where it
 * stands.
 */
export function Popover({ from, className, children }: Props) {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const [field, hanging] = [from.current, ref.current]
    if (!field || typeof hanging?.showPopover !== 'function') return
    hanging.showPopover()
    const place = () => positionPopover(field, hanging)
    place()
    const view = window.visualViewport
    // What grows or goes beside the field moves it, such as the chosen ones above it.
    const moves = new ResizeObserver(place)
    for (let around: Element | null = field; around; around = around.parentElement) moves.observe(around)
    addEventListener('scroll', place, { capture: true, passive: true })
    addEventListener('resize', place)
    view?.addEventListener('resize', place)
    view?.addEventListener('scroll', place)
    return () => {
      moves.disconnect()
      removeEventListener('scroll', place, { capture: true })
      removeEventListener('resize', place)
      view?.removeEventListener('resize', place)
      view?.removeEventListener('scroll', place)
    }
  }, [from])
  return (
    <div ref={ref} popover="manual" className={className}>
      {children}
    </div>
  )
}

function positionPopover(field: HTMLElement, hanging: HTMLElement): void {
  const { left, top, bottom, width } = field.getBoundingClientRect()
  const { offsetTop = 0, height = innerHeight } = window.visualViewport ?? {}
  const most = MAX_HEIGHT * designPixel()
  const below = offsetTop + height - bottom - GAP - EDGE
  const above = top - offsetTop - GAP - EDGE
  // By the room alone: a list that grows or shrinks while it is typed into must not jump to the other side.
  const isAbove = below < most && above > below
  const room = Math.max(MIN_HEIGHT, Math.min(most, isAbove ? above : below))
  Object.assign(hanging.style, {
    left: `${left}px`,
    width: `${width}px`,
    maxHeight: `${room}px`,
    top: isAbove ? 'auto' : `${bottom + GAP}px`,
    bottom: isAbove ? `${document.documentElement.clientHeight - top + GAP}px` : 'auto',
    visibility: isVisible(field) ? 'visible' : 'hidden',
  })
}

/** Was it scrolled out of the dialog or drawer that it stands in? */
function isVisible(field: HTMLElement): boolean {
  const around = field.closest('dialog')?.getBoundingClientRect()
  const { top, bottom } = field.getBoundingClientRect()
  return !around || (bottom > around.top && top < around.bottom)
}
