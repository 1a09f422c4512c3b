import { stopListening } from './db.ts'
import type { Platform } from './platform.ts'

/** Catches rows that another node left, due retries, and whatever a lost notification left behind. */
const POLL_INTERVAL_MS = 5_000

/** What the work of a queue can call. */
export type QueuePoller = {
  /** Polls again, now or when the current poll ends: there is room again. */
  poll(): void
  /** Polls again after this many seconds, when something is due. */
  pollIn(seconds: number): void
  /** Work started by a poll; `stop` waits for it. */
  track(work: Promise<unknown>): void
}

type WorkQueue = {
  /** The channel notified by a transaction that adds work to the table. */
  channel: string
  /** The name in the log if a poll or a piece of work fails. */
  name: string
  /** Claims what is due, up to the free capacity, and starts it without waiting for its end. */
  claimDue(looking: QueuePoller): Promise<void>
}

/**
 * Works through a table that is a queue, as long as the server runs:
 * - `claimDue` is called after a commit that notifies the channel (`NOTIFY`), after a lost connection, and every five seconds;
 * - never twice at once; a poll requested during another runs after it, so none is lost;
 * - an error is logged, and the next poll comes as usual;
 * - after `stop` no poll starts; it resolves when the last one and all work in progress have ended.
 * Several nodes may work on one table: `claimDue` must ensure that each row goes to only one of them.
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
      // In the same step as the last check of `again`: a call in between would be lost.
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
  let interval: NodeJS.Timeout | undefined
  // At a moment of its own: queues that poll at the same time open a database connection each.
  const firstPoll = setTimeout(() => {
    interval = setInterval(poller.poll, POLL_INTERVAL_MS).unref()
    poller.poll()
  }, Math.random() * POLL_INTERVAL_MS).unref()
  return {
    async stop() {
      stopped = true
      clearTimeout(firstPoll)
      clearInterval(interval)
      for (const one of timers) clearTimeout(one)
      await stopListening(subscription)
      await polling
      await Promise.allSettled(running)
    },
  }
}
