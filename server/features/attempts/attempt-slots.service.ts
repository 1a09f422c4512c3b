import { errors } from '../../platform/errors.ts'

type AttemptQueue = { running: number; waiting: (() => void)[] }

const queues = new Map<string, AttemptQueue>()

/** Far above what one person's devices do at once; beyond it somebody is guessing. */
const MAX_WAITING = 100

/** Where an attempt has to queue, and how many failures are still free there. */
export type AttemptSlot = { lane: string; free: number }

/**
 * Keeps parallel attempts on one name from getting more guesses than the counter allows: as many run at once as failures are
 * still free, the others wait and look again.
 * @param loadState reads how the name stands; asked again after every wait.
 * @param slotOf null: the attempt guesses nothing, so it needs no slot.
 * @throws Refusal `service.busy` when too many wait for one name.
 */
export async function withAttemptSlot<State, Result>(
  loadState: () => Promise<State>,
  slotOf: (state: State) => AttemptSlot | null,
  attempt: (state: State) => Promise<Result>,
): Promise<Result> {
  let wokenQueue: string | null = null
  for (;;) {
    const state = await loadState().catch((error: unknown) => {
      wakeNext(wokenQueue)
      throw error
    })
    const slot = slotOf(state)
    if (!slot) {
      // This one takes no slot, so whoever waits behind it must be woken here.
      wakeNext(wokenQueue)
      return await attempt(state)
    }
    // Whose name it is changed meanwhile: whoever waits behind it in the former queue would wait for ever.
    if (wokenQueue !== slot.lane) wakeNext(wokenQueue)
    const lane = queues.get(slot.lane) ?? { running: 0, waiting: [] }
    queues.set(slot.lane, lane)
    // One may always run, also when the limit was lowered meanwhile.
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
    wakeNext(name)
  }
}

function wakeNext(name: string | null): void {
  const lane = name === null ? undefined : queues.get(name)
  lane?.waiting.shift()?.()
  if (name !== null && lane?.running === 0 && lane.waiting.length === 0) queues.delete(name)
}
