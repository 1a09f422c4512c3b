import { mountInTopLayer } from './top-layer.ts'

/**
 * A line, or a cross, that follows the pointer and the keyboard focus, whichever moved last.
 * @returns a function that removes it.
 */
export function startGuide(kind: 'cross' | 'line'): () => void {
  const frame = document.createElement('div')
  frame.className = `reading-guide reading-guide-${kind}`
  const across = frame.appendChild(document.createElement('i'))
  const down = frame.appendChild(document.createElement('i'))
  const remove = mountInTopLayer(frame)
  const goTo = (x: number, y: number) => {
    across.style.transform = `translateY(${y}px)`
    down.style.transform = `translateX(${x}px)`
  }
  goTo(innerWidth / 2, innerHeight / 2)
  const onPointer = ({ clientX, clientY }: PointerEvent) => goTo(clientX, clientY)
  const onFocus = () => {
    const element = document.activeElement
    if (!element || element === document.body || !element.matches(':focus-visible')) return
    const { left, width, top, height, bottom } = element.getBoundingClientRect()
    // Below the text, so that the line never crosses it; a cross is centred.
    goTo(left + width / 2, kind === 'line' ? bottom : top + height / 2)
  }
  const later = () => requestAnimationFrame(onFocus)
  addEventListener('pointermove', onPointer, { passive: true })
  addEventListener('focusin', later)
  later()
  return () => {
    removeEventListener('pointermove', onPointer)
    removeEventListener('focusin', later)
    remove()
  }
}
