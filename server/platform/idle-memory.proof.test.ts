import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { releaseMemory } from './idle-memory.ts'

const rssMb = () => process.memoryUsage.rss() / 1_048_576

/** Simulates a busy moment, which leaves behind a heap of unreachable objects. */
function work(): number {
  let kept: object[] = []
  for (let round = 0; round < 40; round++) {
    kept = [...kept.slice(-200_000), ...Array.from({ length: 40_000 }, (_, at) => ({ at, name: `person ${at}` }))]
  }
  return kept.length
}

test('memory used in a busy moment is returned to the system', async () => {
  releaseMemory()
  const idle = rssMb()
  expect(work()).toBeGreaterThan(0)
  await pause(10)
  const busy = rssMb()
  releaseMemory()
  expect(busy - idle).toBeGreaterThan(40)
  expect(rssMb() - idle).toBeLessThan((busy - idle) / 3)
})
