import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import type { Db } from '../../platform/db.ts'
import type { Context } from '../../platform/platform.ts'
import { type AttemptCounter, type FailureInput, insertFailure } from './attempts.store.ts'

/** Since when failures count. */
export const windowStart = (policy: SignInPolicy, now: Date): Date =>
  new Date(now.getTime() - policy.failureWindowMinutes * 60_000)

/** Too many failures: nothing is verified until the block is over. */
export const isBlocked = ({ blockedUntil }: AttemptCounter, now: Date): boolean =>
  blockedUntil !== null && blockedUntil > now

/** Counts a failure by the limits of the sign-in policy; committed on its own, so that no refusal undoes it. */
export const countFailure = (ctx: Context, policy: SignInPolicy, failure: FailureKey): Promise<AttemptCounter> =>
  insert(ctx, ctx.sql, policy, failure)

/** As `countFailure`, in the caller's transaction: it must commit, whatever the answer will be. */
export const countFailureInTransaction = (
  ctx: Context,
  policy: SignInPolicy,
  failure: FailureKey,
): Promise<AttemptCounter> => insert(ctx, ctx.db, policy, failure)

type FailureKey = Pick<FailureInput, 'kind' | 'key' | 'userId' | 'addressKey'>

function insert(ctx: Context, db: Db, policy: SignInPolicy, failure: FailureKey): Promise<AttemptCounter> {
  const at = ctx.now()
  return insertFailure(db, {
    ...failure,
    at,
    since: windowStart(policy, at),
    lockAfter: policy.lockAfterFailures,
    lockUntil: new Date(at.getTime() + policy.lockMinutes * 60_000),
  })
}
