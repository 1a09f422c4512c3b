import { type AccountFacts, type ApplicationFacts, type DenialReason, mayLogIn } from '../access/index.ts'

/** What failed attempts have locked, until when; read by `loginHoldColumns`. */
export type LoginHolds = {
  /** The password in a new browser, or the second factor: a new login. */
  heldUntil: Date | null
  /** Only in one of their browsers; the person can log in elsewhere. */
  browserHeldUntil: Date | null
}

export type LoginDenial = { reason: DenialReason | 'account.locked-by-failures'; until: Date | null }

/**
 * Why a new login with the correct password would be refused, the most severe reason first: the checks by the gate, by the counters before
 * it, and by the access rules after it. Everything that reports whether a person can log in must use this.
 * @param isRuledOut an access rule rejects them from everywhere (`findRuleDenials`)
 * @returns `until`: when it ends on its own; null: when somebody ends it.
 */
export function judgeLogin(now: Date, account: AccountFacts & LoginHolds, isRuledOut: boolean): LoginDenial[] {
  const reason = mayLogIn(now, account)
  const denials: LoginDenial[] = reason ? [{ reason, until: endOf(reason, account) }] : []
  const { heldUntil } = account
  if (heldUntil && heldUntil > now) denials.push({ reason: 'account.locked-by-failures', until: heldUntil })
  if (isRuledOut) denials.push({ reason: 'rule.refused', until: null })
  return denials
}

/** An account without any obstacle. */
const USABLE_ACCOUNT: AccountFacts = {
  enabled: true,
  activated: true,
  deletedAt: null,
  lockedAt: null,
  lockedUntil: null,
  frozenFrom: null,
  frozenUntil: null,
  validFrom: null,
  validUntil: null,
  mustChangePassword: false,
}

/** What the gate says about an application for a usable account; whether it has a user name for the person is checked separately. */
export const judgeApplication = (application: Omit<ApplicationFacts, 'named'>): DenialReason | null =>
  mayLogIn(new Date(0), USABLE_ACCOUNT, { ...application, named: true })

function endOf(reason: DenialReason, { lockedUntil, frozenUntil, validFrom }: AccountFacts): Date | null {
  if (reason === 'account.locked') return lockedUntil
  if (reason === 'account.frozen') return frozenUntil
  return reason === 'account.not-yet' ? validFrom : null
}
