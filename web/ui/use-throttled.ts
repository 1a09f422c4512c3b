import { useRef, useState } from 'react'
import { throttle } from '../platform/throttle.ts'

/** The same click within 300 ms counts once, regardless of renders; a click on something else always counts. */
export function useThrottled<A extends unknown[]>(work: (...args: A) => void): (...args: A) => void {
  const latest = useRef(work)
  latest.current = work
  const [throttled] = useState(() => throttle((...args: A) => latest.current(...args)))
  return throttled
}
