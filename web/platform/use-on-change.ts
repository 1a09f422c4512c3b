import { useEffect, useRef } from 'react'

/** Calls `act` whenever a value that was known becomes another one. @param value undefined: not known yet */
export function useOnChange(value: string | undefined, act: () => unknown): void {
  const former = useRef(value)
  useEffect(() => {
    if (value === undefined || value === former.current) return
    if (former.current !== undefined) void act()
    former.current = value
  }, [value, act])
}
