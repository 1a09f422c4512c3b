import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { recordAudit } from '../records/index.ts'
import { type AttemptCounter, type FailureInput, holdsLogin, insertFailure } from './attempts.store.ts'

/** Since when failures count. */
export const windowStart = (policy: SignInPolicy, now: Date): Date =>
  new Date(now.getTime() - policy.failureWindowMinutes * 60_000)

/** Too many failures: nothing is verified until the block is over. */
export const isBlocked = ({ blockedUntil }: AttemptCounter, now: Date): boolean =>
  blockedUntil !== null && blockedUntil > now

/** Counts a failure by the limits of the sign-in policy; committed on its own, so that no refusal undoes it. */
export const countFailure = (ctx: Context, policy: SignInPolicy, failure: FailureKey): Promise<AttemptCounter> =>
  transaction(ctx, (inner) => countFailureInTransaction(inner, policy, failure))

type FailureKey = Pick<FailureInput, 'kind' | 'key' | 'userId' | 'addressKey'>

/**
 * As `countFailure`, in the caller's transaction: it must commit, whatever the answer will be. A lock that it leads to stands in the
 * person's record with its end, so that nothing has to be written when it is over.
 */
export async function countFailureInTransaction(
  ctx: Context,
  policy: SignInPolicy,
  failure: FailureKey,
): Promise<AttemptCounter> {
  const at = ctx.now()
  const lockUntil = new Date(at.getTime() + policy.lockMinutes * 60_000)
  const counter = await insertFailure(ctx.db, {
    ...failure,
    at,
    since: windowStart(policy, at),
    lockAfter: policy.lockAfterFailures,
    lockUntil,
  })
  const { kind, userId } = failure
  if (userId !== null && holdsLogin(kind) && counter.blockedUntil?.getTime() === lockUntil.getTime()) {
    const line = { action: 'account.lock-by-failures', targetKind: 'user', targetId: userId }
    await recordAudit(ctx, { ...line, after: { lockedUntil: lockUntil, counter: kind } })
  }
  return counter
}
