import { useEffect, useState } from 'react'

/** Kept for the tab, so that a reload does not promise what the server refuses. */
const storageKey = (name: string) => `gatehouse.countdown.${name}`

function readStoredEnd(name: string): number {
  try {
    return Number(sessionStorage.getItem(storageKey(name)) ?? 0)
  } catch {
    return 0
  }
}

/** Seconds until `end`; a clock that was set back makes nobody wait for longer than was said. */
const secondsUntil = (end: number) => Math.min(3600, Math.max(0, Math.ceil((end - Date.now()) / 1000)))

/** Seconds left of the countdown `name`, ticking; it survives a reload of the page. */
export function useCountdown(name: string): { secondsLeft: number; start: (seconds: number) => void } {
  const [end, setEnd] = useState(0)
  const [secondsLeft, setSecondsLeft] = useState(0)
  useEffect(() => setEnd(readStoredEnd(name)), [name])
  useEffect(() => {
    setSecondsLeft(secondsUntil(end))
    if (secondsUntil(end) === 0) return
    const timer = setInterval(() => {
      const left = secondsUntil(end)
      setSecondsLeft(left)
      if (left === 0) clearInterval(timer)
    }, 250)
    return () => clearInterval(timer)
  }, [end])
  const start = (seconds: number) => {
    const next = Date.now() + seconds * 1000
    try {
      sessionStorage.setItem(storageKey(name), String(next))
    } catch {
      // A browser that keeps nothing forgets it at a reload; the server does not.
    }
    setEnd(next)
  }
  return { secondsLeft, start }
}
