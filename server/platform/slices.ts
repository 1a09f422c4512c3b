import { setImmediate as giveWay } from 'node:timers/promises'

/** Requests wait no longer than this for work that goes on in the background. */
const SLICE_MS = 2

/** `map` over many items; in between the process serves whatever else is waiting. */
export async function mapInSlices<Item, Mapped>(
  items: readonly Item[],
  map: (item: Item) => Mapped | Promise<Mapped>,
): Promise<Mapped[]> {
  const mapped: Mapped[] = []
  let until = performance.now() + SLICE_MS
  for (const item of items) {
    mapped.push(await map(item))
    if (performance.now() < until) continue
    await giveWay()
    until = performance.now() + SLICE_MS
  }
  return mapped
}
