import { randomToken, sha256 } from '../../platform/crypto.ts'
import { Refusal } from '../../platform/errors.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { mayLogIn, type NotAllowed } from '../account-status/index.ts'
import { hashPassword } from '../passwords/index.ts'
import { clientDetails, recordAudit, recordLogin } from '../records/index.ts'
import { endSsoSessions, openSsoSession, setDevice } from '../sessions/index.ts'
import { closed, outdatedPassword } from './sign-in.refuse.ts'
import { type Candidate, renewHash, saveSuccess } from './sign-in.store.ts'
import { AUTH_TYPE, type SignedIn, type Trial } from './sign-in.trial.ts'

/** A person whose password was right. */
type Proof = {
  person: Candidate
  /** The stored hash that it was compared with. */
  hash: string
  outdated: boolean
  isKnownDevice: boolean
}

/**
 * Opens the session of a person who proved the password, if the gate lets them; session, record, counters, dormancy and a
 * renewed hash are one transaction, in which the gate is asked again: hashing took a while.
 * @throws Refusal of the gate, recorded.
 */
export async function open(ctx: Context, trial: Trial, proof: Proof): Promise<SignedIn> {
  const { person } = proof
  const reason = mayLogIn(ctx.now(), person)
  if (reason) throw await closed(ctx, trial, person.userId, reason)
  const renewed = proof.outdated ? await freshHash(ctx, trial.attempt.password) : null
  const details = await clientDetails(ctx)
  const opening = transaction(ctx, async (inner) => {
    const facts = await noteSuccess(inner, trial, proof)
    const session = await openSsoSession(inner, trial.reply, {
      policy: trial.policy,
      userId: person.userId,
      authType: AUTH_TYPE,
      remembered: trial.attempt.rememberMe,
      warn: trial.attempt.warn,
      limited: facts.mustChangePassword,
      details,
      replaces: trial.attempt.replaces,
    })
    await recordLogin(inner, {
      userId: person.userId,
      account: trial.attempt.username.trim(),
      authType: AUTH_TYPE,
      succeeded: true,
      reason: null,
      applicationId: trial.attempt.application?.id ?? null,
      ssoSessionId: session.id,
      details,
    })
    if (renewed) await renewHash(inner.db, person.userId, proof.hash, renewed)
    return { ...session, userId: person.userId, limited: facts.mustChangePassword }
  })
  return await opening.catch(async (error: unknown) => {
    throw error instanceof Meanwhile ? await refusedMeanwhile(ctx, trial, person.userId, error) : error
  })
}

/** What a success changes besides opening the session; answers the facts as they are now. */
async function noteSuccess(ctx: Context, trial: Trial, { person, isKnownDevice }: Proof) {
  const { keys, reply, attempt } = trial
  const device = trial.device ?? randomToken(32)
  const facts = await saveSuccess(ctx.db, {
    userId: person.userId,
    passwordChangedAt: person.passwordChangedAt,
    deviceHash: sha256(device),
    isKnownDevice,
    // A success makes up for the failures of its own way in: a stranger's failures keep counting against strangers.
    cleared: {
      kind: isKnownDevice ? 'device' : 'name',
      key: isKnownDevice ? keys.device : keys.name,
      addressKey: keys.addressAndName,
    },
    at: ctx.now(),
  })
  // Changed, frozen, locked … between the look-up and now: as if the person had come a moment later.
  if (!facts) throw new Meanwhile('password.changed')
  const reason = mayLogIn(ctx.now(), facts)
  if (reason) throw new Meanwhile(reason)
  setDevice(ctx.config, reply, device)
  const { replaces } = attempt
  if (replaces && replaces.userId !== person.userId) await endSsoSessions(ctx, { ids: [replaces.id] }, 'replaced')
  if (person.dormantSince) await recordAwakening(ctx, person.userId, person.dormantSince)
  return facts
}

/** Undoes the transaction of a success. Its refusal is recorded after that, or the record would be undone as well. */
class Meanwhile extends Error {
  readonly reason: NotAllowed | 'password.changed'

  constructor(reason: Meanwhile['reason']) {
    super(reason)
    this.reason = reason
  }
}

const refusedMeanwhile = (ctx: Context, trial: Trial, userId: string, { reason }: Meanwhile) =>
  reason === 'password.changed' ? outdatedPassword(ctx, trial, userId) : closed(ctx, trial, userId, reason)

const recordAwakening = (ctx: Context, userId: string, dormantSince: Date) =>
  recordAudit(ctx, {
    action: 'account.wake',
    targetKind: 'user',
    targetId: userId,
    before: { dormantSince },
    after: { dormantSince: null },
    actor: userId,
  })

/** Null when too many are waiting: the old hash then serves until the next login. */
async function freshHash(ctx: Context, password: string): Promise<string | null> {
  try {
    return await hashPassword(ctx, password, 'person')
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
