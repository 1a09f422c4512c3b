import { setTimeout as pause } from 'node:timers/promises'

/** Longer than an answer to a stranger ever takes that finds somebody. */
const MIN_DURATION_MS = 150

/** Answers no sooner than a fixed time after it began, so that how long it took says nothing of what was found. */
export async function withMinimumDuration<T>(work: () => Promise<T>): Promise<T> {
  const minimum = pause(MIN_DURATION_MS)
  try {
    return await work()
  } finally {
    await minimum
  }
}
