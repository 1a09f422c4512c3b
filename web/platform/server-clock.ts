const OFFSET_KEY = 'gatehouse.clock-offset'

/** Milliseconds that this device's clock is behind the server's; 0 until the server complains. */
let offset = readStoredOffset()

function readStoredOffset(): number {
  const kept = Number(sessionStorage.getItem(OFFSET_KEY))
  return Number.isSafeInteger(kept) ? kept : 0
}

/** The estimated server time in ms: a wrong clock must not shut a person out. */
export const serverNow = (): number => Date.now() + offset

/** Takes over the time in a `request.clock-skew` refusal. @returns false without one. */
export function syncServerTime(data: unknown): boolean {
  const time = (data as { serverTime?: unknown } | null)?.serverTime
  if (typeof time !== 'number' || !Number.isFinite(time)) return false
  offset = Math.round(time - Date.now())
  sessionStorage.setItem(OFFSET_KEY, String(offset))
  return true
}
