/** Reproducible randomness: the same school everywhere, so that screenshots and reports can be compared. */
export type RandomSource = {
  /** From 0 up to, not including, `below`. */
  int(below: number): number
  pick<T>(list: readonly T[]): T
  /** True in `percent` of 100 cases. */
  isTrue(percent: number): boolean
}

export function createRandomSource(seed: number): RandomSource {
  let state = seed
  // mulberry32: small, and good enough for a school that doesn't exist.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (below: number) => Math.floor(next() * below)
  return {
    int,
    pick: (list) => list[int(list.length)] as (typeof list)[number],
    isTrue: (percent) => int(100) < percent,
  }
}
