import { type AccountFacts, type ApplicationFacts, type DenialReason, mayLogIn } from '../access/index.ts'

/** What failed tries have closed, until when; `loginHoldColumns` reads it. */
export type LoginHolds = {
  /** The password in a browser that never logged in, or the second step: a new login. */
  heldUntil: Date | null
  /** One browser of theirs alone; the person gets in elsewhere. */
  browserHeldUntil: Date | null
}

export type LoginDenial = { reason: DenialReason | 'account.locked-by-failures'; until: Date | null }

/**
 * What a new login with the right password would be refused for, the gravest first: what logins ask of the gate and of the counters
 * before it. Whatever tells somebody whether a person can log in asks here.
 * @returns `until`: when it is over by itself; null: when somebody ends it.
 */
export function judgeLogin(now: Date, account: AccountFacts & LoginHolds): LoginDenial[] {
  const reason = mayLogIn(now, account)
  const denials: LoginDenial[] = reason ? [{ reason, until: endOf(reason, account) }] : []
  const { heldUntil } = account
  if (heldUntil && heldUntil > now) denials.push({ reason: 'account.locked-by-failures', until: heldUntil })
  return denials
}

/** Nothing is wrong with it. */
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

/** What the gate says of an application that somebody with a usable account enters; whether it has a name for them is asked apart. */
export const judgeApplication = (application: Omit<ApplicationFacts, 'named'>): DenialReason | null =>
  mayLogIn(new Date(0), USABLE_ACCOUNT, { ...application, named: true })

function endOf(reason: DenialReason, { lockedUntil, frozenUntil, validFrom }: AccountFacts): Date | null {
  if (reason === 'account.locked') return lockedUntil
  if (reason === 'account.frozen') return frozenUntil
  return reason === 'account.not-yet' ? validFrom : null
}
