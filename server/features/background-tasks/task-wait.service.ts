import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningTask } from './task-runner.service.ts'

const STEP_MS = 1000

/** The task was stopped while it waited. */
export class StoppedError extends Error {}

/** Waits this many milliseconds within a task, which can be stopped meanwhile. @throws StoppedError; as `advance` does. */
export const waitIn =
  (task: RunningTask) =>
  async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= STEP_MS) {
      if (task.cancelled()) throw new StoppedError()
      await sleep(Math.min(left, STEP_MS))
      // A heartbeat: a task that waits for an hour must not be taken over.
      await task.advance(0)
    }
  }
