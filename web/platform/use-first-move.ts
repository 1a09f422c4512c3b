import { useSyncExternalStore } from 'react'
import { createListeners } from './listeners.ts'

const MOVES = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'focusin', 'click']

const { subscribe, notify } = createListeners()
// An address with a query may show by name what somebody has chosen.
let hasMoved = location.search !== ''

function onMove(): void {
  hasMoved = true
  for (const move of MOVES) removeEventListener(move, onMove, true)
  notify()
}
for (const move of MOVES) addEventListener(move, onMove, { capture: true, passive: true })

/** Has the person done anything on this page yet? What only choices need is asked for then, and not while the page is still coming. */
export const useFirstMove = (): boolean => useSyncExternalStore(subscribe, () => hasMoved)
