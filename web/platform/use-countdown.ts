import { useEffect, useState } from 'react'

/** Stored for the tab, so that a reload keeps the countdown that the server enforces. */
const storageKey = (name: string) => `gatehouse.countdown.${name}`

function readStoredEnd(name: string): number {
  try {
    return Number(sessionStorage.getItem(storageKey(name)) ?? 0)
  } catch {
    return 0
  }
}

/** Seconds until `end`, capped, so that a clock set back can't prolong the wait. */
const secondsUntil = (end: number) => Math.min(3600, Math.max(0, Math.ceil((end - Date.now()) / 1000)))

/** Seconds left of the countdown `name`, ticking; survives a reload. */
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
      // Without storage a reload forgets the countdown; the server does not.
    }
    setEnd(next)
  }
  return { secondsLeft, start }
}
