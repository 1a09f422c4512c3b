import type { FastifyReply, FastifyRequest } from 'fastify'
import { randomToken, sha256 } from '../../platform/crypto.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { mayLogIn, type NotAllowed } from '../account-status/index.ts'
import type { Application } from '../applications/index.ts'
import { clientDetails, recordAudit, recordLogin } from '../records/index.ts'
import {
  clearPending,
  deviceOf,
  endSsoSessions,
  openSsoSession,
  pendingOf,
  type SecondFactor,
  type SsoSession,
  setDevice,
} from '../sessions/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { askSecondFactor } from './sign-in.pending.ts'
import { closed, outdatedPassword } from './sign-in.refuse.ts'
import { type Cleared, type Entering, findEntering, saveSuccess } from './sign-in.store.ts'

type Exchange = { request: FastifyRequest; reply: FastifyReply }

/** Somebody who has proved who they are, by whatever way in, and wants a session. */
export type Entrant = {
  userId: string
  /** For the record: what was typed when it is theirs, else the account. */
  account: string
  /** Login type: user, captcha, qywx … */
  authType: string
  rememberMe: boolean
  warn: boolean
  /** For the record; null for the portal itself or without a service. Whether it may be entered is asked at the ticket. */
  application: Application | null
  /** The sign-on session this browser had: renewed for the same person, ended for another. */
  replaces: SsoSession | null
  /** See `Attempt`. */
  withoutBrowser?: boolean
  /** When the password that was proven was set, to the microsecond: changed since then, the proof is worth nothing. */
  passwordChangedAt?: string | null
  /** The failures that this success makes up for. */
  cleared?: Cleared
  /** Proved already; absent: it is asked for where a rule or the person wants it. */
  secondFactor?: SecondFactor
}

/** The sign-on session that was opened; its cookie is on the reply. */
export type SignedIn = {
  id: string
  userId: string
  openedAt: Date
  /** The password must be changed first: no ticket but the portal's. */
  limited: boolean
}

/**
 * The one door behind every way in: password, code, another system's word, passkey. Asks the gate, then for a second factor where
 * one is due, then opens the session, sets its cookie and the device's, and commits the login record before it answers; session, record, counters and dormancy are one
 * transaction, in which the gate is asked again.
 * @throws Refusal `sign-in.disabled|locked|frozen|inactive` (403), recorded; `sign-in.second-factor-required` (401), after which
 *   the login waits in this browser for `takeSecondStep`; `sign-in.refused` when the password was changed meanwhile.
 */
export async function acceptSignIn(ctx: Context, exchange: Exchange, entrant: Entrant): Promise<SignedIn> {
  const device = entrant.withoutBrowser ? null : (deviceOf(ctx.config, exchange.request) ?? randomToken(32))
  const entering = await findEntering(ctx.db, entrant.userId, device === null ? null : sha256(device))
  const reason = entering ? mayLogIn(ctx.now(), entering) : 'account.deleted'
  if (!entering || reason) throw await closed(ctx, entrant, reason ?? 'account.deleted')
  const secondFactor = entrant.secondFactor ?? (await askSecondFactor(ctx, exchange, entrant))
  return await open(ctx, exchange, { entrant, entering, secondFactor, device })
}

type Opening = { entrant: Entrant; entering: Entering; secondFactor: SecondFactor | null; device: string | null }

async function open(ctx: Context, { request, reply }: Exchange, opening: Opening): Promise<SignedIn> {
  const { entrant, secondFactor } = opening
  const { userId, authType } = entrant
  const [policy, details] = await Promise.all([signInPolicy(ctx), clientDetails(ctx)])
  const work = transaction(ctx, async (inner) => {
    const limited = await noteSuccess(inner, opening)
    const session = await openSsoSession(inner, entrant.withoutBrowser ? null : reply, {
      policy,
      userId,
      authType,
      remembered: entrant.rememberMe,
      warn: entrant.warn,
      limited,
      secondFactor,
      details,
      replaces: entrant.replaces,
    })
    await recordLogin(inner, {
      userId,
      account: entrant.account,
      authType,
      succeeded: true,
      reason: null,
      applicationId: entrant.application?.id ?? null,
      ssoSessionId: session.id,
      details,
    })
    return { ...session, userId, limited }
  })
  const opened = await work.catch(async (error: unknown) => {
    throw error instanceof Meanwhile ? await refusedMeanwhile(ctx, entrant, error) : error
  })
  if (opening.device === null) return opened
  setDevice(ctx.config, reply, opening.device)
  if (pendingOf(request) !== null) clearPending(ctx.config, reply)
  return opened
}

/** What a success changes besides opening the session. @returns whether the password must be changed first. */
async function noteSuccess(ctx: Context, { entrant, entering, device }: Opening): Promise<boolean> {
  const { userId, replaces } = entrant
  const facts = await saveSuccess(ctx.db, {
    userId,
    passwordChangedAt: entrant.passwordChangedAt ?? null,
    deviceHash: device === null ? null : sha256(device),
    isKnownDevice: entering.isKnownDevice,
    cleared: entrant.cleared ?? null,
    at: ctx.now(),
  })
  // Changed, frozen, locked … between the look-up and now: as if the person had come a moment later.
  if (!facts) throw new Meanwhile('password.changed')
  const reason = mayLogIn(ctx.now(), facts)
  if (reason) throw new Meanwhile(reason)
  if (replaces && replaces.userId !== userId) await endSsoSessions(ctx, { ids: [replaces.id] }, 'replaced')
  if (entering.dormantSince) await recordAwakening(ctx, userId, entering.dormantSince)
  return facts.mustChangePassword
}

/** Undoes the transaction of a success. Its refusal is recorded after that, or the record would be undone as well. */
class Meanwhile extends Error {
  readonly reason: NotAllowed | 'password.changed'

  constructor(reason: Meanwhile['reason']) {
    super(reason)
    this.reason = reason
  }
}

const refusedMeanwhile = (ctx: Context, entrant: Entrant, { reason }: Meanwhile) =>
  reason === 'password.changed' ? outdatedPassword(ctx, entrant) : closed(ctx, entrant, reason)

const recordAwakening = (ctx: Context, userId: string, dormantSince: Date) =>
  recordAudit(ctx, {
    action: 'account.wake',
    targetKind: 'user',
    targetId: userId,
    before: { dormantSince },
    after: { dormantSince: null },
    actor: userId,
  })
