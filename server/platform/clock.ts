/** How far the clocks of two nodes may be apart. */
export const MAX_CLOCK_SKEW_MS = 60_000

/**
 * The latest time at which something can have been issued that is presented now. What is dated later was issued before a clock was set
 * back; judged by its end alone it would live on for as long as the clock was wrong.
 */
export const latestIssueTime = (now: Date): Date => new Date(now.getTime() + MAX_CLOCK_SKEW_MS)
