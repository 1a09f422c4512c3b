import { errors } from '../../platform/errors.ts'

/** `leftAt`: when its last attempt ended, in milliseconds of `performance.now()`. */
type AttemptQueue = { running: number; waiting: (() => void)[]; leftAt: number }

/** In the order in which attempts last ended. */
const queues = new Map<string, AttemptQueue>()

/** A queue is remembered longer than any read that began while it was in use; statements end after 30 s. */
const REMEMBERED_MS = 60_000

/** Far above what one person's devices do at once; beyond it somebody is guessing. */
const MAX_WAITING = 100

/** Where an attempt has to queue, and how many failures are left there. */
export type AttemptSlot = { lane: string; free: number }

/**
 * Prevents parallel attempts on one name from getting more guesses than the counter allows: as many run at once as failures are left, the
 * others wait and check again.
 * @param loadState reads the state of the name; called again after every wait, and if an attempt ended during the read, which may have
 *   counted a failure that the read missed.
 * @param slotOf null: the attempt guesses nothing, so it needs no slot.
 * @throws Refusal `service.busy` if too many wait for one name.
 */
export async function withAttemptSlot<State, Result>(
  loadState: () => Promise<State>,
  slotOf: (state: State) => AttemptSlot | null,
  attempt: (state: State) => Promise<Result>,
): Promise<Result> {
  let wokenQueue: string | null = null
  for (;;) {
    const askedAt = performance.now()
    const state = await loadState().catch((error: unknown) => {
      wakeNext(wokenQueue)
      throw error
    })
    const slot = slotOf(state)
    if (!slot) {
      // This one takes no slot, so the next in its queue must be woken here.
      wakeNext(wokenQueue)
      return await attempt(state)
    }
    // The name got another owner meanwhile: the next in the former queue would wait forever.
    if (wokenQueue !== slot.lane) wakeNext(wokenQueue)
    const lane = queues.get(slot.lane) ?? { running: 0, waiting: [], leftAt: Number.NEGATIVE_INFINITY }
    queues.set(slot.lane, lane)
    if (lane.leftAt >= askedAt) {
      wokenQueue = slot.lane
      continue
    }
    // One may always run, also if the limit was lowered meanwhile.
    if (lane.running < Math.max(slot.free, 1)) return await run(slot.lane, lane, () => attempt(state))
    if (lane.waiting.length >= MAX_WAITING) throw errors['service.busy']({ retryAfter: 2 })
    await new Promise<void>((again) => lane.waiting.push(again))
    wokenQueue = slot.lane
  }
}

async function run<Result>(name: string, lane: AttemptQueue, work: () => Promise<Result>): Promise<Result> {
  lane.running += 1
  try {
    return await work()
  } finally {
    lane.running -= 1
    lane.leftAt = performance.now()
    queues.delete(name)
    queues.set(name, lane)
    wakeNext(name)
    forgetOldQueues(lane.leftAt)
  }
}

function forgetOldQueues(now: number): void {
  for (const [name, { running, waiting, leftAt }] of queues) {
    if (running > 0 || waiting.length > 0) continue
    if (leftAt > now - REMEMBERED_MS) return
    queues.delete(name)
  }
}

function wakeNext(name: string | null): void {
  if (name !== null) queues.get(name)?.waiting.shift()?.()
}
