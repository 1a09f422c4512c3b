import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningTask } from './task-runner.service.ts'

const STEP_MS = 1000

/** Somebody stopped the task while something made it wait. */
export class StoppedError extends Error {}

/** Lets so many milliseconds go by within a task, which can be stopped meanwhile. @throws StoppedError; as `advance` does. */
export const waitIn =
  (task: RunningTask) =>
  async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= STEP_MS) {
      if (task.cancelled()) throw new StoppedError()
      await sleep(Math.min(left, STEP_MS))
      // That it is alive: what waits for an hour is not taken from it.
      await task.advance(0)
    }
  }
