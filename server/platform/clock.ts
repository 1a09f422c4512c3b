/** How far apart the clocks of two nodes may be. */
export const MAX_CLOCK_SKEW_MS = 60_000

/**
 * The latest plausible issue time of something presented now. A later date means that the clock was set back since; judged by its expiry
 * alone, it would stay valid for as long as the clock was wrong.
 */
export const latestIssueTime = (now: Date): Date => new Date(now.getTime() + MAX_CLOCK_SKEW_MS)
