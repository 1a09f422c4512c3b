import type { Sql } from '../db.ts'

export type DatabaseWatch = {
  /** True while the database does not answer, or all its connections are taken. */
  away(): boolean
  /** Watches over a request: `giveUp` is called when it waits for a database that does not answer. @returns the end of it. */
  enter(giveUp: () => void): () => void
  close(): void
}

const TICK_MS = 150
/** A request older than this makes us ask whether the database still answers. */
const SUSPICIOUS_MS = 150
/** Together with the ticks a request is answered within two seconds. */
const LONGEST_SILENCE_MS = 1000

/**
 * Notices a database that hangs, is gone, or has no connection left: queries have no time limit of their own, so that a
 * long import may run. It asks only while some request takes long, so that it costs nothing otherwise.
 */
export function watchDatabase(sql: Sql): DatabaseWatch {
  const waiting = new Set<{ since: number; giveUp: () => void }>()
  let away = false
  let askedAt: number | null = null
  let timer: NodeJS.Timeout | undefined
  let ticked = 0

  const answered = (works: boolean) => {
    askedAt = null
    away = !works
  }
  const ask = (now: number) => {
    askedAt = now
    sql`select 1`.then(
      () => answered(true),
      () => answered(false),
    )
  }
  const judge = (now: number) => {
    if (askedAt !== null && now - askedAt > LONGEST_SILENCE_MS) away = true
    if (!away) return
    for (const one of waiting) {
      if (now - one.since < LONGEST_SILENCE_MS) continue
      waiting.delete(one)
      one.giveUp()
    }
  }
  const tick = () => {
    const now = performance.now()
    // After a pause of our own an answer may be waiting behind this tick.
    const onTime = now - ticked < 3 * TICK_MS
    ticked = now
    if (onTime) judge(now)
    const [oldest] = waiting
    if (askedAt === null && (away || (oldest && now - oldest.since > SUSPICIOUS_MS))) ask(now)
    if (!oldest && !away && askedAt === null) {
      clearInterval(timer)
      timer = undefined
    }
  }
  return {
    away: () => away,
    enter(giveUp) {
      const one = { since: performance.now(), giveUp }
      waiting.add(one)
      if (!timer) {
        ticked = one.since
        timer = setInterval(tick, TICK_MS).unref()
      }
      return () => waiting.delete(one)
    },
    close: () => clearInterval(timer),
  }
}
