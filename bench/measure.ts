import { processTree, usageOf } from './processes.ts'
import { OutOfStock } from './scenarios.ts'

export type Figures = {
  operations: number
  errors: number
  firstError: string | null
  perSecond: number
  p50: number
  p95: number
  p99: number
  /** Server CPU (all its processes, user and system) per operation; null if the process can't be read. */
  cpuMs: number | null
  generatorCpuMs: number
  /** Of the server process, without the database. */
  rssMb: number | null
}

/** @param sorted in ascending order @param share 0.95 for p95 */
export const percentile = (sorted: number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

/** Repeats `operation` in a closed loop of `concurrency` workers for `seconds`; a wrong answer counts as an error. */
export async function measure(
  operation: (worker: number) => Promise<void>,
  concurrency: number,
  seconds: number,
  pid: number | null,
): Promise<Figures> {
  const family = pid === null ? [] : processTree(pid)
  const times: number[] = []
  let errors = 0
  let firstError: string | null = null
  const before = usageOf(family).cpuMs
  const generatorBefore = process.cpuUsage()
  const start = performance.now()
  const end = start + seconds * 1000
  let outOfStock = false
  const work = async (worker: number) => {
    while (!outOfStock && performance.now() < end) {
      const from = performance.now()
      try {
        await operation(worker)
        times.push(performance.now() - from)
      } catch (error) {
        outOfStock = error instanceof OutOfStock
        if (!outOfStock) {
          errors += 1
          firstError ??= String(error)
        }
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, (_, worker) => work(worker)))
  const elapsed = (performance.now() - start) / 1000
  const generator = process.cpuUsage(generatorBefore)
  const usage = usageOf(family)
  const operations = times.length
  times.sort((a, b) => a - b)
  return {
    operations,
    errors,
    firstError,
    perSecond: operations / elapsed,
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
    p99: percentile(times, 0.99),
    cpuMs: pid === null ? null : (usage.cpuMs - before) / Math.max(1, operations),
    generatorCpuMs: (generator.user + generator.system) / 1000 / Math.max(1, operations),
    rssMb: pid === null ? null : usageOf([pid]).rssMb,
  }
}
