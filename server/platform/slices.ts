import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Requests wait no longer than this for work that goes on in the background. */
const SLICE_MS = 2

/** Background work waits for requests at most this long at a time, and for this share of its time: a busy node must get it done too. */
const MAX_WAIT_MS = 30
const MAX_WAITING_SHARE = 1 / 3
/** Requests that take longer are downloads and searches, for which nothing has to stand still. */
const SHORT_REQUEST_MS = 1000

const arrivals = new Set<{ at: number }>()
const waiting = new Set<() => void>()

/** Counts a request until the result is called: background work gives way to it. */
export function countRequest(): () => void {
  const arrival = { at: performance.now() }
  arrivals.add(arrival)
  return () => {
    if (!arrivals.delete(arrival) || isAnyoneWaiting()) return
    for (const goOn of waiting) goOn()
  }
}

function isAnyoneWaiting(): boolean {
  if (arrivals.size === 0) return false
  const since = performance.now() - SHORT_REQUEST_MS
  for (const { at } of arrivals) if (at > since) return true
  return false
}

/** How long a piece of background work has waited for requests. */
type Waited = { beganAt: number; ms: number }
const background = new AsyncLocalStorage<Waited>()

/** Runs work that nobody waits for: within it, `eachInSlices` and `giveWay` let requests go first. */
export const inBackground = <T>(work: () => Promise<T>): Promise<T> =>
  background.run({ beganAt: performance.now(), ms: 0 }, work)

/** In background work: lets requests that are being answered go first, also those that wait for the database or for a password's hash. */
export async function giveWay(): Promise<void> {
  const waited = background.getStore()
  if (!waited || !isAnyoneWaiting()) return
  const from = performance.now()
  if (waited.ms > (from - waited.beganAt) * MAX_WAITING_SHARE) return
  await new Promise<void>((done) => {
    const goOn = () => {
      clearTimeout(late)
      waiting.delete(goOn)
      done()
    }
    const late = setTimeout(goOn, MAX_WAIT_MS)
    waiting.add(goOn)
  })
  waited.ms += performance.now() - from
}

/** `work` on many items, one after another; in between the process serves whatever else is waiting. */
export async function eachInSlices<Item>(
  items: readonly Item[],
  work: (item: Item) => void | Promise<void>,
): Promise<void> {
  await giveWay()
  let until = performance.now() + SLICE_MS
  for (const item of items) {
    const done = work(item)
    if (done) await done
    if (performance.now() < until) continue
    await nextTurn()
    await giveWay()
    until = performance.now() + SLICE_MS
  }
}

/** The same, with what it makes of each. */
export async function mapInSlices<Item, Mapped>(
  items: readonly Item[],
  map: (item: Item) => Mapped | Promise<Mapped>,
): Promise<Mapped[]> {
  const mapped: Mapped[] = []
  await eachInSlices(items, (item) => {
    const one = map(item)
    if (one instanceof Promise) return one.then((made) => void mapped.push(made))
    mapped.push(one)
  })
  return mapped
}
