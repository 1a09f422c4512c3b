import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { designPixel } from '../platform/root-size.ts'

/** Pixels between a field and its popover, and to the edge of the screen. */
const GAP = 4
const EDGE = 8
/** Maximum height, in design pixels. */
const MAX_HEIGHT = 260
const MIN_HEIGHT = 96

type Props = { from: RefObject<HTMLElement | null>; className: string; children: ReactNode }

/**
 * A field's popover in the browser's top layer, so that it moves nothing and no dialog clips it: below the field, or
 * above where there is more room, also with an on-screen keyboard. Without `popover` (older browsers) it is rendered in
 * place.
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
    // The field may move when elements next to it change.
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
  // Decided by the available space only: a list must not switch sides while typing.
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

/** Is the field visible in its dialog or drawer? */
function isVisible(field: HTMLElement): boolean {
  const around = field.closest('dialog')?.getBoundingClientRect()
  const { top, bottom } = field.getBoundingClientRect()
  return !around || (bottom > around.top && top < around.bottom)
}
