import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { recordAudit } from '../records/index.ts'
import { type AttemptCounter, type FailureInput, holdsLogin, insertFailure } from './attempts.store.ts'
import { endLoginLocks } from './login-lock-ends.service.ts'
import { insertLoginLock } from './login-locks.store.ts'

/** The time from which failures count. */
export const windowStart = (policy: SignInPolicy, now: Date): Date =>
  new Date(now.getTime() - policy.failureWindowMinutes * 60_000)

/** Too many failures: nothing is verified until the lock-out is over. */
export const isBlocked = ({ blockedUntil }: AttemptCounter, now: Date): boolean =>
  blockedUntil !== null && blockedUntil > now

/** Minutes of the first lock-out without a login in between, the second …; the last applies to all that follow. */
export function lockSteps({ lockMode, lockMinutes, lockMostMinutes }: LockRules): number[] {
  if (lockMode === 'fixed') return [lockMinutes]
  const steps = [lockMinutes]
  for (let next = lockMinutes * 2; next < lockMostMinutes; next *= 2) steps.push(next)
  return lockMostMinutes > lockMinutes ? [...steps, lockMostMinutes] : steps
}

type LockRules = Pick<SignInPolicy, 'lockMode' | 'lockMinutes' | 'lockMostMinutes'>

/** How long a person must wait: the rest of the lock-out, or the length of one that would start now. */
export function minutesToWait(policy: LockRules, { blockedUntil, locks }: AttemptCounter, now: Date): number {
  const left = Math.ceil(((blockedUntil?.getTime() ?? 0) - now.getTime()) / 60_000)
  if (left > 0) return left
  const steps = lockSteps(policy)
  return steps[Math.min(locks, steps.length - 1)] ?? policy.lockMinutes
}

/** Parameters of an error that announces it. */
export function waitOf(policy: LockRules, counter: AttemptCounter, now: Date) {
  const minutes = minutesToWait(policy, counter, now)
  return { params: { minutes, count: minutes }, retryAfter: minutes * 60 }
}

/** Counts a failure by the limits of the sign-in policy; committed on its own, so that no error rolls it back. */
export const countFailure = (ctx: Context, policy: SignInPolicy, failure: FailureKey): Promise<AttemptCounter> =>
  transaction(ctx, (inner) => countFailureInTransaction(inner, policy, failure))

type FailureKey = Pick<FailureInput, 'kind' | 'key' | 'userId' | 'addressKey'>

/**
 * As `countFailure`, in the caller's transaction, which must commit whatever the answer will be. A resulting lock-out is recorded for the
 * person with its end; `endLoginLocks` records when it is over.
 */
export async function countFailureInTransaction(
  ctx: Context,
  policy: SignInPolicy,
  failure: FailureKey,
): Promise<AttemptCounter> {
  const at = ctx.now()
  const steps = lockSteps(policy)
  const counter = await insertFailure(ctx.db, {
    ...failure,
    at,
    since: windowStart(policy, at),
    lockAfter: policy.lockAfterFailures,
    lockSteps: steps,
  })
  const { kind, key, userId } = failure
  const until = counter.blockedUntil
  const last = steps[Math.min(Math.max(counter.locks - 1, 0), steps.length - 1)]
  const isNew = until !== null && (until.getTime() - at.getTime()) / 60_000 === last
  if (userId !== null && isNew && holdsLogin(kind)) {
    // An earlier one is over: its end comes before what follows it.
    await endLoginLocks(ctx, { kind, key })
    const lock = await insertLoginLock(ctx.db, { kind, key, userId, at, until })
    const action = lock?.again ? 'account.lock-by-failures-again' : 'account.lock-by-failures'
    const line = { action, targetKind: 'user', targetId: userId }
    if (lock) await recordAudit(ctx, { ...line, after: { lockedUntil: until, loginHold: kind } })
  }
  return counter
}
