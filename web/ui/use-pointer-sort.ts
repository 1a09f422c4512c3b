import { type PointerEvent, useEffect, useRef } from 'react'

type Input = {
  /** Row keys in order; each is the `data-key` of its element. */
  keys: readonly string[]
  /** Selector of the drag handle, styled with `touch-action: none`. */
  handle: string
  /** The mouse uses another mechanism. */
  isTouchOnly?: boolean
  /** @param at the new position among the others. */
  onMove: (key: string, at: number) => void
}

type Drag = {
  key: string
  pointerId: number
  rows: HTMLElement[]
  /** The initial centre of each row, and their distance. */
  middles: number[]
  step: number
  from: number
  to: number
  startY: number
  startScroll: number
  y: number
}

/** Distance to the window's edge at which the page scrolls. */
const EDGE = 72
const SCROLL_STEP = 9

function begin(row: HTMLElement, key: string, { currentTarget, pointerId, clientY }: PointerEvent<HTMLElement>): Drag {
  const rows = [...currentTarget.querySelectorAll<HTMLElement>('[data-key]')]
  const boxes = rows.map((one) => one.getBoundingClientRect())
  const [first, second] = boxes
  const from = rows.indexOf(row)
  row.style.zIndex = '1'
  row.style.transition = 'none'
  return {
    key,
    pointerId,
    rows,
    middles: boxes.map(({ top, height }) => top + height / 2),
    step: first && second ? second.top - first.top : 0,
    from,
    to: from,
    startY: clientY,
    startScroll: window.scrollY,
    y: clientY,
  }
}

/** The offset by which a row makes way. */
function asideOf(at: number, { from, to, step }: Drag): number {
  if (at > from && at <= to) return -step
  return at < from && at >= to ? step : 0
}

/** Moves the dragged row to the pointer and the others around it. */
function place(drag: Drag): void {
  const moved = drag.y - drag.startY + window.scrollY - drag.startScroll
  const middle = (drag.middles[drag.from] ?? 0) + moved
  drag.to = drag.middles.filter((other, at) => at !== drag.from && other < middle).length
  for (const [at, row] of drag.rows.entries()) {
    row.style.transform = `translateY(${at === drag.from ? moved : asideOf(at, drag)}px)`
  }
}

/** Scrolls the page at the window's edges, even while the pointer rests there. */
function scrollAtEdge({ y }: Drag): void {
  if (y < EDGE) window.scrollBy({ top: -SCROLL_STEP, behavior: 'instant' })
  else if (y > window.innerHeight - EDGE) window.scrollBy({ top: SCROLL_STEP, behavior: 'instant' })
}

function release({ rows }: Drag): void {
  for (const row of rows)
    for (const property of ['transform', 'z-index', 'transition']) row.style.removeProperty(property)
}

/**
 * Sorts rows of equal height by their handles, with mouse, touch and pen. Offer buttons that do the same.
 * @returns handlers for an element around the rows.
 */
export function usePointerSort({ keys, handle, isTouchOnly = false, onMove }: Input) {
  const drag = useRef<Drag | null>(null)
  const frame = useRef(0)
  const end = () => {
    cancelAnimationFrame(frame.current)
    if (drag.current) release(drag.current)
    drag.current = null
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: it reads references alone.
  useEffect(() => end, [])

  const follow = () => {
    if (!drag.current) return
    scrollAtEdge(drag.current)
    place(drag.current)
    frame.current = requestAnimationFrame(follow)
  }
  const isOurs = ({ pointerId }: PointerEvent) => drag.current?.pointerId === pointerId
  const stayPut = (event: { preventDefault(): void; stopPropagation(): void }) => {
    if (!drag.current) return
    event.preventDefault()
    event.stopPropagation()
  }
  return {
    onPointerDownCapture(event: PointerEvent<HTMLElement>) {
      const row = (event.target as Element).closest(handle)?.closest<HTMLElement>('[data-key]')
      const key = row?.dataset['key']
      if (drag.current || !row || key === undefined || !keys.includes(key)) return
      if (event.pointerType === 'mouse' && (isTouchOnly || event.button !== 0)) return
      drag.current = begin(row, key, event)
      event.currentTarget.setPointerCapture(event.pointerId)
      frame.current = requestAnimationFrame(follow)
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (drag.current && isOurs(event)) drag.current.y = event.clientY
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      const now = drag.current
      if (!now || !isOurs(event)) return
      now.y = event.clientY
      place(now)
      end()
      if (now.from !== now.to) onMove(now.key, now.to)
    },
    onPointerCancel: (event: PointerEvent<HTMLElement>) => isOurs(event) && end(),
    // A long press would start a native drag, or open a menu.
    onDragStartCapture: stayPut,
    onContextMenuCapture: stayPut,
  }
}
