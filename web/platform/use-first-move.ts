import { useSyncExternalStore } from 'react'
import { createListeners } from './listeners.ts'

const MOVES = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'focusin', 'click']

const { subscribe, notify } = createListeners()
// An address with a query may need the names of chosen values.
let hasMoved = location.search !== ''

function onMove(): void {
  hasMoved = true
  for (const move of MOVES) removeEventListener(move, onMove, true)
  notify()
}
for (const move of MOVES) addEventListener(move, onMove, { capture: true, passive: true })

/** Has the person interacted with this page? Data needed only for choices is fetched then, not during the page load. */
export const useFirstMove = (): boolean => useSyncExternalStore(subscribe, () => hasMoved)
