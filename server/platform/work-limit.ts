import { errors } from './errors.ts'

type Limits = {
  /** Concurrent ones on this node: each may keep the database busy for seconds. */
  running: number
  /** Beyond these, callers are told to retry. */
  waiting: number
  /** So are callers who waited this long. */
  waitMs: number
}

type Waiting = { begin: () => void }

/**
 * Keeps heavy queries from taking what logins need: some run, some wait, the rest is rejected at once. The returned function throws Refusal
 * `service.busy`.
 */
export function workLimit(limits: Limits): <T>(work: () => Promise<T>) => Promise<T> {
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
  return async (work) => {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
