import { stopListening } from './db.ts'
import type { Platform } from './platform.ts'

/** Rows that another node left, retries that are due, and whatever a lost notice left behind. */
const POLL_INTERVAL_MS = 5_000

/** What the work of a queue can ask of it. */
export type QueuePoller = {
  /** Looks again, now or when the look that is under way ends: a place has become free. */
  poll(): void
  /** Looks again after so many seconds: then something is due. */
  pollIn(seconds: number): void
  /** Work that a look has begun; `stop` waits for it. */
  track(work: Promise<unknown>): void
}

type WorkQueue = {
  /** What a transaction notifies that puts work into the table. */
  channel: string
  /** In the log, when a look or a piece of work fails. */
  name: string
  /** Claims what is due, as much as there is room for, and begins it without waiting for its end. */
  claimDue(looking: QueuePoller): Promise<void>
}

/**
 * Works on a table that is a queue, for as long as the server runs:
 * - `takeDue` is called from the commit on that notifies the channel (`NOTIFY`), after a lost connection, and every five seconds;
 * - never twice at once, and whatever asks for a look while one is under way gets another after it: no call is lost;
 * - an error is logged, and the next look comes as if there had been none;
 * - once `stop` is called no look begins, and it is over when the last one and all work under way are.
 * Several nodes may work on one table: that a row goes to one of them is the business of `takeDue`.
 */
export async function runWorkQueue(
  { sql, log }: Platform,
  { channel, name, claimDue }: WorkQueue,
): Promise<{ stop(): Promise<void> }> {
  const running = new Set<Promise<unknown>>()
  const timers = new Set<NodeJS.Timeout>()
  let polling: Promise<void> | null = null
  let pollAgain = false
  let stopped = false
  const pollUntilQuiet = async () => {
    try {
      while (pollAgain && !stopped) {
        pollAgain = false
        await claimDue(poller)
      }
    } catch (err) {
      log.warn({ err }, name)
    } finally {
      // In the same step as the last look at `again`: a call that came in between would be lost.
      polling = null
    }
  }
  const poller: QueuePoller = {
    poll() {
      pollAgain = true
      if (!stopped) polling ??= pollUntilQuiet()
    },
    pollIn(seconds) {
      const timer = setTimeout(() => {
        timers.delete(timer)
        poller.poll()
      }, seconds * 1000).unref()
      timers.add(timer)
    },
    track(work) {
      const settled = work.catch((err: unknown) => log.warn({ err }, name)).finally(() => running.delete(settled))
      running.add(settled)
    },
  }
  const subscription = await sql.listen(channel, poller.poll, poller.poll)
  const timer = setInterval(poller.poll, POLL_INTERVAL_MS).unref()
  return {
    async stop() {
      stopped = true
      clearInterval(timer)
      for (const one of timers) clearTimeout(one)
      await stopListening(subscription)
      await polling
      await Promise.allSettled(running)
    },
  }
}
