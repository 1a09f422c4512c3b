import { useSyncExternalStore } from 'react'

const coarse = matchMedia('(pointer: coarse)')

/** Whether fingers point, which can't hold a key of the keyboard meanwhile. */
export const useCoarsePointer = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      coarse.addEventListener('change', listener)
      return () => coarse.removeEventListener('change', listener)
    },
    () => coarse.matches,
  )
