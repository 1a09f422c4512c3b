/** Independent facts of an account; none of them implies another. */
export type AccountFacts = {
  enabled: boolean
  activated: boolean
  deletedAt: Date | null
  /** A lock by an administrator; a lock-out by failures concerns login attempts only and is no fact of the account. */
  lockedAt: Date | null
  lockedUntil: Date | null
  frozenFrom: Date | null
  frozenUntil: Date | null
  /** The account is valid from the first moment until just before the second. */
  validFrom: Date | null
  validUntil: Date | null
  mustChangePassword: boolean
}

export type ApplicationFacts = {
  enabled: boolean
  /** The application is open to everybody, or a grant holds now. */
  granted: boolean
  /** The person has the attribute by which the application knows people. */
  named: boolean
  /** The portal itself, where a person with an initial password changes it. */
  isPortal: boolean
}

export type SessionFacts = {
  endedAt: Date | null
  expiresAt: Date
  idleUntil: Date
  limited: boolean
  /** A rule asks for a second factor that this session has not proved. */
  lacksFactor: boolean
  /** A required field was missing when the session was opened, and one still is. */
  lacksFields: boolean
  /** A rule rejects the person here and now. */
  refusedByRule: boolean
}

export type DenialReason =
  | 'account.deleted'
  | 'account.disabled'
  | 'account.locked'
  | 'account.frozen'
  | 'account.expired'
  | 'account.not-yet'
  | 'account.inactive'
  | 'session.ended'
  | 'session.limited'
  | 'rule.refused'
  | 'application.disabled'
  | 'application.not-granted'
  | 'application.user-name-missing'
  | 'session.second-factor'
  | 'session.profile-incomplete'

/**
 * The one gate before every ticket, token, code and session, whatever the login method. Dormancy is no reason to refuse: a successful login
 * lifts it.
 * @returns null when allowed, else the one reason.
 */
export function mayLogIn(
  now: Date,
  account: AccountFacts,
  application?: ApplicationFacts | null,
  session?: SessionFacts | null,
): DenialReason | null {
  return (
    findAccountDenial(now, account) ?? findSessionDenial(now, session) ?? findApplicationDenial(application, session)
  )
}

function findAccountDenial(now: Date, account: AccountFacts): DenialReason | null {
  if (account.deletedAt) return 'account.deleted'
  if (!account.enabled) return 'account.disabled'
  if (account.lockedAt && (!account.lockedUntil || account.lockedUntil > now)) return 'account.locked'
  const frozen = account.frozenFrom && account.frozenFrom <= now
  if (frozen && (!account.frozenUntil || account.frozenUntil > now)) return 'account.frozen'
  return findValidityDenial(now, account) ?? (account.activated ? null : 'account.inactive')
}

function findValidityDenial(now: Date, { validFrom, validUntil }: AccountFacts): DenialReason | null {
  if (validUntil && validUntil <= now) return 'account.expired'
  return validFrom && validFrom > now ? 'account.not-yet' : null
}

function findSessionDenial(now: Date, session?: SessionFacts | null): DenialReason | null {
  if (!session) return null
  if (session.endedAt || session.expiresAt <= now || session.idleUntil <= now) return 'session.ended'
  return session.refusedByRule ? 'rule.refused' : null
}

function findApplicationDenial(
  application?: ApplicationFacts | null,
  session?: SessionFacts | null,
): DenialReason | null {
  if (!application) return null
  if (session?.limited && !application.isPortal) return 'session.limited'
  if (!application.enabled) return 'application.disabled'
  if (!application.granted) return 'application.not-granted'
  if (!application.named) return 'application.user-name-missing'
  // Last: nobody is asked for a factor only to be refused afterwards. The portal is where one is set up.
  if (session?.lacksFactor && !application.isPortal) return 'session.second-factor'
  return session?.lacksFields && !application.isPortal ? 'session.profile-incomplete' : null
}
