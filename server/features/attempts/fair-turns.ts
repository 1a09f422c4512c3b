import { errors } from '../../platform/errors.ts'

type Lane = { running: number; waiting: (() => void)[] }

const lanes = new Map<string, Lane>()

/** Far above what one person's devices do at once; beyond it somebody is guessing. */
const MOST_WAITING = 100

/** Where an attempt has to queue, and how many failures are still free there. */
export type Place = { lane: string; free: number }

/**
 * Keeps parallel attempts on one name from getting more guesses than the counter allows: as many run at once as failures are
 * still free, the others wait and look again.
 * @param look reads how the name stands; asked again after every wait.
 * @param placeOf null: the attempt guesses nothing, so it needs no turn.
 * @throws Refusal `service.busy` when too many wait for one name.
 */
export async function inTurn<Standing, Result>(
  look: () => Promise<Standing>,
  placeOf: (standing: Standing) => Place | null,
  attempt: (standing: Standing) => Promise<Result>,
): Promise<Result> {
  let woken: string | null = null
  for (;;) {
    const standing = await look().catch((error: unknown) => {
      wakeNext(woken)
      throw error
    })
    const place = placeOf(standing)
    if (!place) {
      // This one takes no turn, so whoever waits behind it must be woken here.
      wakeNext(woken)
      return await attempt(standing)
    }
    const lane = lanes.get(place.lane) ?? { running: 0, waiting: [] }
    lanes.set(place.lane, lane)
    // One may always run, also when the limit was lowered meanwhile.
    if (lane.running < Math.max(place.free, 1)) return await run(place.lane, lane, () => attempt(standing))
    if (lane.waiting.length >= MOST_WAITING) throw errors['service.busy']({ retryAfter: 2 })
    await new Promise<void>((again) => lane.waiting.push(again))
    woken = place.lane
  }
}

async function run<Result>(name: string, lane: Lane, work: () => Promise<Result>): Promise<Result> {
  lane.running += 1
  try {
    return await work()
  } finally {
    lane.running -= 1
    wakeNext(name)
  }
}

function wakeNext(name: string | null): void {
  const lane = name === null ? undefined : lanes.get(name)
  lane?.waiting.shift()?.()
  if (name !== null && lane?.running === 0 && lane.waiting.length === 0) lanes.delete(name)
}
