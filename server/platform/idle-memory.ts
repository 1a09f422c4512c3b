import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const CHECK_INTERVAL_MS = 10_000
/** Of one processor, over the time between two looks. */
const IDLE_SHARE = 0.05
/** Less than this is not worth a collection. */
const MIN_GROWTH_BYTES = 16 * 1024 * 1024

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/**
 * Collects all garbage and returns its pages to the system; nothing else runs meanwhile, for some 0.3 s.
 * V8 keeps the pages that a start or a busy hour has filled for good, unless it is told that memory is short.
 */
export function releaseMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** Calls `giveBackMemory` each time that the process has grown and then has little to do. */
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
