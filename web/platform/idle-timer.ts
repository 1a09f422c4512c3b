import { STORAGE_KEYS } from './browser-storage.ts'
import { interrupt, resume } from './interruption.ts'

/** Milliseconds before the end at which the warning is shown. */
const WARNING_MS = 60_000
const CHECK_INTERVAL_MS = 1000
/** The server rounds activity to 30 s, so more frequent reports would be lost. */
const REPORT_INTERVAL_MS = 31_000
const ACTIVITY_EVENTS = ['mousemove', 'mousedown', 'keyup', 'scroll'] as const

type IdleRules = {
  minutes: number
  /** Tells the server that the person is active. */
  report(): void
  /** Time is up: makes the server notice too. */
  end(): void
}

/** When activity was last reported to the server, by any tab: both sides count from this time. */
const lastReport = (): number => Number(localStorage.getItem(STORAGE_KEYS.activity)) || 0

/**
 * Watches for mouse move, mouse down, key up and scroll in any tab of this browser. While the warning is shown only its
 * button counts: a bumped mouse is no answer. @returns `stay` for that button, and `stop`.
 */
export function startIdleTimer({ minutes, report, end }: IdleRules): { stay(): void; stop(): void } {
  let active = false
  const isWarning = () => lastReport() + minutes * 60_000 - Date.now() <= WARNING_MS
  const storeActivity = () => localStorage.setItem(STORAGE_KEYS.activity, String(Date.now()))
  const stay = () => {
    active = false
    storeActivity()
    report()
    resume('idle-soon')
  }
  const onActivity = () => {
    active ||= !isWarning()
  }
  const check = () => {
    const leftMs = lastReport() + minutes * 60_000 - Date.now()
    if (leftMs <= 0) {
      stop()
      interrupt({ kind: 'idle' })
      return end()
    }
    if (active && Date.now() - lastReport() > REPORT_INTERVAL_MS) return stay()
    if (leftMs <= WARNING_MS) interrupt({ kind: 'idle-soon', endsAt: Date.now() + leftMs })
    else resume('idle-soon')
  }
  const timer = setInterval(check, CHECK_INTERVAL_MS)
  const stop = () => {
    clearInterval(timer)
    for (const kind of ACTIVITY_EVENTS) removeEventListener(kind, onActivity, true)
  }
  for (const kind of ACTIVITY_EVENTS) addEventListener(kind, onActivity, { capture: true, passive: true })
  // The calls of an opening page count as activity by themselves.
  storeActivity()
  return { stay, stop }
}
