/** Each worker iterates its own share of the list, so that no two act for one person at once. */
export function distribute<T>(all: T[], concurrency: number): (worker: number) => T {
  const turn = new Array<number>(concurrency).fill(0)
  return (worker) => {
    const size = Math.floor(all.length / concurrency)
    const at = worker * size + ((turn[worker] ?? 0) % size)
    turn[worker] = (turn[worker] ?? 0) + 1
    return all[at] as T
  }
}
