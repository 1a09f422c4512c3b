import { v7 } from 'uuid'
import { randomToken, sha256 } from '../../platform/crypto.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { mayLogIn } from '../access/index.ts'
import { type ClientDetails, loadClientDetails, recordAudit, recordLogin } from '../records/index.ts'
import {
  clearPendingLoginCookie,
  deviceCookieOf,
  endSsoSessions,
  type OpenedSession,
  openSsoSession,
  pendingLoginCookieOf,
  rotateBrowserCookie,
  type SecondFactor,
  type SsoSession,
  setDeviceCookie,
  setSsoCookie,
} from '../sessions/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import type { LoginAttempt, LoginTarget } from './login-attempt.types.ts'
import {
  type AccountDenial,
  isAccountDenial,
  recordedApplication,
  refuseAccount,
  refuseChangedPassword,
} from './login-failures.service.ts'
import { requireSecondFactor } from './pending-login.service.ts'
import { findLoginUser, type LoginUser, saveLoginSuccess } from './sign-in.store.ts'

/** The hash of this browser's device cookie; null without one. */
export function deviceHashOf(ctx: Context, { request }: Exchange, target: LoginTarget): Buffer | null {
  const device = target.withoutBrowser ? null : deviceCookieOf(ctx.config, request)
  return device === null ? null : sha256(device)
}

/** `openLoginSession` for somebody whose account has not been read yet. Without `account`, the record names theirs. */
export async function signInUser(
  ctx: Context,
  exchange: Exchange,
  attempt: Omit<LoginAttempt, 'account'> & { userId: string; account?: string },
): Promise<SsoSession> {
  const user = await findLoginUser(ctx.db, attempt.userId, deviceHashOf(ctx, exchange, attempt))
  const named = { ...attempt, account: attempt.account ?? user?.account ?? '' }
  if (!user) throw await refuseAccount(ctx, named, 'account.deleted')
  return await openLoginSession(ctx, exchange, named, user)
}

/**
 * The end of every login: asks the gate, then for a second factor where one is due, then opens the session and sets its cookie, the
 * device's and a new one for the browser. Session, login record, counters and dormancy are one transaction, in which the gate is
 * asked again.
 * @returns the session with the gate's answer for the application that is to be entered
 * @throws Refusal `sign-in.disabled|locked|frozen|expired|not-yet|inactive` (403), recorded; `sign-in.second-factor-required` (401),
 *   after which the login waits in this browser for `completeSecondStep`; `sign-in.refused` when the password was changed meanwhile.
 */
export async function openLoginSession(
  ctx: Context,
  exchange: Exchange,
  attempt: LoginAttempt,
  user: LoginUser,
): Promise<SsoSession> {
  const reason = mayLogIn(ctx.now(), user)
  if (reason) throw await refuseAccount(ctx, attempt, reason)
  const isAsked = !attempt.secondFactor && user.hasSecondFactor
  const secondFactor = isAsked
    ? await requireSecondFactor(ctx, exchange, attempt, user.userId)
    : (attempt.secondFactor ?? null)
  const device = attempt.withoutBrowser ? null : (deviceCookieOf(ctx.config, exchange.request) ?? randomToken(32))
  const opened = await saveLogin(ctx, { attempt, user, secondFactor, device }).catch(async (error: unknown) => {
    throw error instanceof StaleLoginError ? await refuseStaleLogin(ctx, attempt, error) : error
  })
  if (device !== null) setLoginCookies(ctx, exchange, device, opened)
  return opened.session
}

function setLoginCookies(
  { config }: Context,
  { request, reply }: Exchange,
  device: string,
  opened: OpenedSession,
): void {
  setSsoCookie(config, reply, opened.secret, opened.maxAge)
  setDeviceCookie(config, reply, device)
  rotateBrowserCookie(config, request, reply)
  if (pendingLoginCookieOf(request) !== null) clearPendingLoginCookie(config, reply)
}

type ProvenLogin = { attempt: LoginAttempt; user: LoginUser; secondFactor: SecondFactor | null; device: string | null }

async function saveLogin(ctx: Context, { attempt, user, secondFactor, device }: ProvenLogin): Promise<OpenedSession> {
  const { userId, isKnownDevice, dormantSince } = user
  const { authType, application, replaces, rememberMe, warn, passwordChangedAt = null, counters = null } = attempt
  const [policy, details] = await Promise.all([signInPolicy(ctx), loadClientDetails(ctx)])
  const deviceHash = device === null ? null : sha256(device)
  const session = { id: v7(), userId, authType, application, remembered: rememberMe, warn, secondFactor, replaces }
  return await transaction(ctx, async (inner) => {
    // Sent together and run in this order. The first one locks the person's row: the session is judged by what then stands there.
    const success = { userId, passwordChangedAt, deviceHash, isKnownDevice, counters, at: inner.now() }
    const saving = saveLoginSuccess(inner.db, success)
    const opening = openSsoSession(inner, { ...session, policy, details })
    const sessionId = replaces?.userId === userId ? opening.then((opened) => opened.session.id) : session.id
    const [isUnchanged, opened] = await Promise.all([
      saving,
      opening,
      recordSuccess(inner, attempt, user, { sessionId, details }),
      dormantSince && recordDormancyEnd(inner, userId, dormantSince),
    ])
    if (!isUnchanged) throw new StaleLoginError('password.changed')
    const { refusal } = opened.session
    if (isAccountDenial(refusal)) throw new StaleLoginError(refusal)
    if (replaces && replaces.userId !== userId) await endSsoSessions(inner, { ids: [replaces.id] }, 'replaced')
    return opened
  })
}

/** @param about.sessionId to come where a session is renewed, which keeps its own. */
async function recordSuccess(
  ctx: Context,
  attempt: LoginAttempt,
  { userId }: LoginUser,
  { sessionId, details }: { sessionId: string | Promise<string>; details: ClientDetails },
): Promise<void> {
  await recordLogin(ctx, {
    userId,
    account: attempt.account,
    authType: attempt.authType,
    succeeded: true,
    reason: null,
    applicationId: recordedApplication(attempt)?.id ?? null,
    ssoSessionId: await sessionId,
    details,
  })
}

/** Changed, frozen, locked … since the look-up. Undoes the transaction; the refusal is recorded after that. */
class StaleLoginError extends Error {
  readonly reason: AccountDenial | 'password.changed'

  constructor(reason: StaleLoginError['reason']) {
    super(reason)
    this.reason = reason
  }
}

const refuseStaleLogin = (ctx: Context, attempt: LoginAttempt, { reason }: StaleLoginError) =>
  reason === 'password.changed' ? refuseChangedPassword(ctx, attempt) : refuseAccount(ctx, attempt, reason)

const recordDormancyEnd = (ctx: Context, userId: string, dormantSince: Date) =>
  recordAudit(ctx, {
    action: 'account.wake',
    targetKind: 'user',
    targetId: userId,
    before: { dormantSince },
    after: { dormantSince: null },
    actor: userId,
  })
