import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import type { Context } from '../../platform/platform.ts'
import { type Counter, type Failure, insertFailure } from './attempts.store.ts'

/** Since when failures count. */
export const windowStart = (policy: SignInPolicy, now: Date): Date =>
  new Date(now.getTime() - policy.failureWindowMinutes * 60_000)

/** Too many failures: nothing is verified until the block is over. */
export const isBlocked = ({ blockedUntil }: Counter, now: Date): boolean => blockedUntil !== null && blockedUntil > now

/** Counts a failure by the limits of the sign-in policy; committed on its own, so that no refusal undoes it. */
export function countFailure(
  ctx: Context,
  policy: SignInPolicy,
  failure: Pick<Failure, 'kind' | 'key' | 'userId' | 'addressKey'>,
): Promise<Counter> {
  const at = ctx.now()
  return insertFailure(ctx.sql, {
    ...failure,
    at,
    since: windowStart(policy, at),
    lockAfter: policy.lockAfterFailures,
    lockUntil: new Date(at.getTime() + policy.lockMinutes * 60_000),
  })
}
