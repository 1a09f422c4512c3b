import type { Database } from '../db.ts'

export type DatabaseWatch = {
  /** True while the database does not answer, or all its connections are taken. */
  isUnavailable(): boolean
  /** Watches a request: calls `giveUp` if it waits for a database that does not answer. @returns ends the watch */
  watchRequest(giveUp: () => void): () => void
  close(): void
}

const TICK_MS = 150
/** A request older than this triggers a probe of the database. */
const SLOW_REQUEST_MS = 150
/** Together with the tick interval, a request is answered within two seconds. */
const MAX_SILENCE_MS = 1000
/** Probes that may be pending at once: each abandoned one occupies a connection until that answers or is replaced. */
const MAX_OPEN_PROBES = 8

/**
 * Detects a database that hangs, is gone, or has no connection left, long before a statement times out. It probes only while some request
 * takes long, so that it costs nothing otherwise.
 */
export function watchDatabase(sql: Database): DatabaseWatch {
  const waiting = new Set<{ since: number; giveUp: () => void }>()
  let unavailable = false
  let probedAt: number | null = null
  let openProbes = 0
  let timer: NodeJS.Timeout | undefined
  let lastTickAt = 0

  const probe = (now: number) => {
    if (openProbes >= MAX_OPEN_PROBES) return
    probedAt = now
    openProbes += 1
    const settled = (works: boolean) => {
      openProbes -= 1
      // A late answer also shows that the database answers; a late failure says nothing about the current probe.
      if (!works && probedAt !== now) return
      probedAt = null
      unavailable = !works
    }
    sql`select 1`.then(
      () => settled(true),
      () => settled(false),
    )
  }
  const judge = (now: number) => {
    if (probedAt !== null && now - probedAt > MAX_SILENCE_MS) {
      unavailable = true
      // It may be on a dead connection: the next one gets another.
      probedAt = null
    }
    if (!unavailable) return
    for (const one of waiting) {
      if (now - one.since < MAX_SILENCE_MS) continue
      waiting.delete(one)
      one.giveUp()
    }
  }
  const tick = () => {
    const now = performance.now()
    // After our own process was blocked, an answer may be queued behind this tick.
    const onTime = now - lastTickAt < 3 * TICK_MS
    lastTickAt = now
    if (onTime) judge(now)
    const [oldest] = waiting
    if (probedAt === null && (unavailable || (oldest && now - oldest.since > SLOW_REQUEST_MS))) probe(now)
    if (!oldest && !unavailable && probedAt === null) {
      clearInterval(timer)
      timer = undefined
    }
  }
  return {
    isUnavailable: () => unavailable,
    watchRequest(giveUp) {
      const one = { since: performance.now(), giveUp }
      waiting.add(one)
      if (!timer) {
        lastTickAt = one.since
        timer = setInterval(tick, TICK_MS).unref()
      }
      return () => waiting.delete(one)
    },
    close: () => clearInterval(timer),
  }
}
