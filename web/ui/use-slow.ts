import { useEffect, useState } from 'react'

/** Shorter waits need no message, and nobody wants to leave them. */
const SLOW_MS = 1000

/** Has a wait lasted so long that it has to be said? */
export function useSlow(isBusy: boolean): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!isBusy) return
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [isBusy])
  return isSlow
}
