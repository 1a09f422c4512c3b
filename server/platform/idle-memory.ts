import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const CHECK_INTERVAL_MS = 10_000
/** Share of one processor between two looks. */
const IDLE_SHARE = 0.05
/** Less than this is not worth a collection. */
const MIN_GROWTH_BYTES = 16 * 1024 * 1024

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/**
 * Collects all garbage and returns its pages to the system; blocks everything for some 0.3 s. V8 keeps the pages filled at startup or in a
 * busy hour unless it is told that memory is short.
 */
export function releaseMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** Calls `releaseMemory` whenever the process has grown and is then nearly idle. */
export function releaseMemoryWhenIdle(): void {
  let baseline = 0
  let used = process.cpuUsage()
  let lastCheckAt = performance.now()
  setInterval(() => {
    const { user, system } = process.cpuUsage(used)
    const share = (user + system) / 1000 / (performance.now() - lastCheckAt)
    if (share < IDLE_SHARE && process.memoryUsage.rss() > baseline + MIN_GROWTH_BYTES) {
      releaseMemory()
      baseline = process.memoryUsage.rss()
    }
    used = process.cpuUsage()
    lastCheckAt = performance.now()
  }, CHECK_INTERVAL_MS).unref()
}
