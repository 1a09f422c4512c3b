import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { DAY_MS } from '#shared/rules/durations.ts'

type Ages = Pick<SignInPolicy, 'passwordMaxAgeDays' | 'passwordWarnDays'>

/** A password set then or before is too old to log in with; null: none is. */
export const oldestPasswordAt = ({ passwordMaxAgeDays: days }: Ages, now: Date): Date | null =>
  days === 0 ? null : new Date(now.getTime() - days * DAY_MS)

/** When a password must be changed, if that is soon enough to be announced in the portal; null: not announced. */
export function passwordDueAt(policy: Ages, changedAt: Date | null, now: Date): Date | null {
  const { passwordMaxAgeDays: days, passwordWarnDays: warnDays } = policy
  if (days === 0 || warnDays === 0 || changedAt === null) return null
  const due = new Date(changedAt.getTime() + days * DAY_MS)
  return due.getTime() - now.getTime() <= warnDays * DAY_MS ? due : null
}
