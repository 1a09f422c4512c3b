import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const LOOK_EVERY_MS = 10_000
/** Of one processor, over the time between two looks. */
const IDLE_SHARE = 0.05
/** Less than this is not worth a collection. */
const WORTH_BYTES = 16 * 1024 * 1024

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/**
 * Collects all garbage and returns its pages to the system; nothing else runs meanwhile, for some 0.3 s.
 * V8 keeps the pages that a start or a busy hour has filled for good, unless it is told that memory is short.
 */
export function giveBackMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** Calls `giveBackMemory` each time that the process has grown and then has little to do. */
export function giveBackMemoryWhenIdle(): void {
  let kept = 0
  let used = process.cpuUsage()
  let looked = performance.now()
  setInterval(() => {
    const { user, system } = process.cpuUsage(used)
    const share = (user + system) / 1000 / (performance.now() - looked)
    if (share < IDLE_SHARE && process.memoryUsage.rss() > kept + WORTH_BYTES) {
      giveBackMemory()
      kept = process.memoryUsage.rss()
    }
    used = process.cpuUsage()
    looked = performance.now()
  }, LOOK_EVERY_MS).unref()
}
