import { setImmediate as giveWay } from 'node:timers/promises'

/** Requests wait no longer than this for work that goes on in the background. */
const SLICE_MS = 2

/** `work` on many items, one after another; in between the process serves whatever else is waiting. */
export async function eachInSlices<Item>(
  items: readonly Item[],
  work: (item: Item) => void | Promise<void>,
): Promise<void> {
  let until = performance.now() + SLICE_MS
  for (const item of items) {
    await work(item)
    if (performance.now() < until) continue
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
  await eachInSlices(items, async (item) => void mapped.push(await map(item)))
  return mapped
}
