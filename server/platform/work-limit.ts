import { errors } from './errors.ts'

type Limits = {
  /** Concurrent ones on this node: each may keep the database busy for seconds. */
  running: number
  /** Beyond these, callers are told to retry. */
  waiting: number
  /** So are callers who waited this long. */
  waitMs: number
  /** If others wait, how long the place of work that took so long stays empty. */
  restMs?: (tookMs: number) => number
}

type WorkLimit = {
  /** @throws Refusal `service.busy`. */
  run: <T>(work: () => Promise<T>) => Promise<T>
  /** Does anybody wait? */
  hasWaiting: () => boolean
}

type Waiting = { begin: () => void }

/** Keeps heavy queries from taking what logins need: some run, some wait, the rest is rejected at once. */
export function workLimit(limits: Limits): WorkLimit {
  const waiting: Waiting[] = []
  let running = 0
  const busy = () => errors['service.busy']({ retryAfter: 2 })

  /** Whoever finishes passes the slot on. */
  const leave = () => {
    const next = waiting.shift()
    if (next) next.begin()
    else running -= 1
  }
  async function enter(): Promise<void> {
    if (running < limits.running) {
      running += 1
      return
    }
    if (waiting.length >= limits.waiting) throw busy()
    await new Promise<void>((resolve, reject) => {
      const giveUp = setTimeout(() => {
        waiting.splice(waiting.indexOf(one), 1)
        reject(busy())
      }, limits.waitMs)
      const one = {
        begin: () => {
          clearTimeout(giveUp)
          resolve()
        },
      }
      waiting.push(one)
    })
  }
  return {
    run: async (work) => {
      await enter()
      const began = performance.now()
      try {
        return await work()
      } finally {
        const rest = waiting.length > 0 ? (limits.restMs?.(performance.now() - began) ?? 0) : 0
        if (rest > 0) setTimeout(leave, rest)
        else leave()
      }
    },
    hasWaiting: () => waiting.length > 0,
  }
}
