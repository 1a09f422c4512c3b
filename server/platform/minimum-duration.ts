import { setTimeout as pause } from 'node:timers/promises'

/** Longer than any answer to an anonymous caller takes, even if it finds somebody. */
const MIN_DURATION_MS = 150

/** Answers no sooner than a fixed time after the start, so that the response time says nothing about what was found. */
export async function withMinimumDuration<T>(work: () => Promise<T>): Promise<T> {
  const minimum = pause(MIN_DURATION_MS)
  try {
    return await work()
  } finally {
    await minimum
  }
}
