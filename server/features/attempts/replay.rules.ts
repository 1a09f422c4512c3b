import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'

/** A counted attempt: it failed, or it succeeded and reset the counter. */
type AttemptEvent = { at: Date; failed: boolean }

/**
 * When a counter would first have locked out, had these limits applied; null: never. Mirrors `insertFailure`, which counts in one
 * statement: a test runs the same attempts through both.
 * @param events of one counter, earliest first
 */
export function findFirstLock(
  events: readonly AttemptEvent[],
  { lockAfterFailures, failureWindowMinutes }: Pick<SignInPolicy, 'lockAfterFailures' | 'failureWindowMinutes'>,
): Date | null {
  let recent: number[] = []
  for (const { at, failed } of events) {
    const time = at.getTime()
    const since = time - failureWindowMinutes * 60_000
    recent = failed ? [...recent, time].filter((one) => one > since) : []
    if (recent.length >= lockAfterFailures) return at
  }
  return null
}
