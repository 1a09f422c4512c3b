import { v7 } from 'uuid'
import { randomToken, sha256 } from '../../platform/crypto.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import {
  type AccessDecision,
  decideAccess,
  mayLogIn,
  PORTAL_APP_ID,
  rulesInForce,
  type SaidRule,
  toAccessPerson,
} from '../access/index.ts'
import { type ClientDetails, loadClientDetails, recordAudit, recordLogin } from '../records/index.ts'
import {
  clearPendingLoginCookie,
  deviceCookieOf,
  endSsoSessions,
  type GateSettings,
  limitSessions,
  loadGateSettings,
  loadServerGateSettings,
  type OpenedSession,
  openSsoSession,
  pendingLoginCookieOf,
  rotateBrowserCookie,
  type SecondFactor,
  SessionLimitError,
  type SsoSession,
  setDeviceCookie,
  setSsoCookie,
} from '../sessions/index.ts'
import type { LoginAttempt, LoginTarget } from './login-attempt.types.ts'
import {
  type AccountDenial,
  isAccountDenial,
  recordedApplication,
  refuseAccount,
  refuseByRule,
  refuseChangedPassword,
} from './login-failures.service.ts'
import { refuseOverSessionLimit, requireSecondFactor } from './pending-login.service.ts'
import { sendRuleNotices } from './rule-notices.service.ts'
import { findLoginUser, type LoginUser, saveLoginSuccess } from './sign-in.store.ts'

/** The hash of this browser's device cookie; null without one. */
export function deviceHashOf(ctx: Context, { request }: Exchange, target: LoginTarget): Buffer | null {
  const device = target.withoutBrowser ? null : deviceCookieOf(ctx.config, request)
  return device === null ? null : sha256(device)
}

/** `openLoginSession` for a person whose account has not been read yet. Without `account`, the record names theirs. */
export async function signInUser(
  ctx: Context,
  exchange: Exchange,
  attempt: Omit<LoginAttempt, 'account'> & { userId: string; account?: string },
): Promise<SsoSession> {
  const { needs } = await rulesInForce(ctx)
  const options = { needs, now: ctx.now() }
  const user = await findLoginUser(ctx.db, attempt.userId, deviceHashOf(ctx, exchange, attempt), options)
  const named = { ...attempt, account: attempt.account ?? user?.account ?? '' }
  if (!user) throw await refuseAccount(ctx, named, 'account.deleted')
  return await openLoginSession(ctx, exchange, named, user)
}

/**
 * The end of every login: asks the gate and the access rules, then for a second factor if one is due, then opens the session and sets its
 * cookie, the device's and a new one for the browser. Session, login record, counters and dormancy are one transaction, in which the gate
 * is asked again.
 * @returns the session with the gate's answer for the application to enter
 * @throws Refusal `sign-in.disabled|locked|frozen|expired|not-yet|inactive|rule-refused` (403), recorded; `sign-in.second-factor-required`
 *   (401), after which the login waits in this browser for `completeSecondFactor`; `sign-in.too-many-sessions` (403), after which it waits
 *   for `completeSessionLimitStep`; `sign-in.refused` if the password was changed meanwhile.
 */
export async function openLoginSession(
  ctx: Context,
  exchange: Exchange,
  attempt: LoginAttempt,
  user: LoginUser,
): Promise<SsoSession> {
  const reason = mayLogIn(ctx.now(), user)
  if (reason) throw await refuseAccount(ctx, attempt, reason)
  const settings = await (attempt.withoutBrowser ? loadServerGateSettings(ctx) : loadGateSettings(ctx))
  const decision = await decideLogin(ctx, settings, attempt, user)
  const { said, asksFactor } = decision
  if (decision.outcome === 'refuse') throw await refuseByRule(ctx, attempt, { rule: decision.decidedBy, said })
  const isAsked = !attempt.secondFactor && user.hasSecondFactor
  const secondFactor = isAsked
    ? await requireSecondFactor(ctx, exchange, attempt, { userId: user.userId, isDemanded: asksFactor })
    : (attempt.secondFactor ?? null)
  const device = attempt.withoutBrowser ? null : (deviceCookieOf(ctx.config, exchange.request) ?? randomToken(32))
  const login = { attempt, user, secondFactor, device, settings, said }
  const opened = await saveLogin(ctx, login).catch(async (error: unknown) => {
    if (error instanceof SessionLimitError)
      throw await refuseOverSessionLimit(
        ctx,
        exchange,
        { ...attempt, userId: user.userId, secondFactor },
        error.sessionLimit,
      )
    throw error instanceof StaleLoginError ? await refuseStaleLogin(ctx, attempt, error) : error
  })
  await sendRuleNotices(ctx, user.userId, said)
  if (device !== null) setLoginCookies(ctx, exchange, device, opened)
  return opened.session
}

/** What the access rules say, by destination: a login on the way to an application is a login to that. */
async function decideLogin(
  ctx: Context,
  { rules }: GateSettings,
  { application }: LoginAttempt,
  user: LoginUser,
): Promise<AccessDecision> {
  const facts = { place: await loadClientDetails(ctx), at: ctx.now(), appId: application?.appId ?? PORTAL_APP_ID }
  return decideAccess(rules.rules, { ...facts, person: toAccessPerson(user) })
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

type ProvenLogin = {
  attempt: LoginAttempt
  user: LoginUser
  secondFactor: SecondFactor | null
  device: string | null
  settings: GateSettings
  said: readonly SaidRule[]
}

async function saveLogin(
  ctx: Context,
  { attempt, user, secondFactor, device, settings, said }: ProvenLogin,
): Promise<OpenedSession> {
  const { userId, isKnownDevice, dormantSince } = user
  const { authType, application, replaces, rememberMe, warn, passwordChangedAt = null, counters = null } = attempt
  const details = await loadClientDetails(ctx)
  const deviceHash = device === null ? null : sha256(device)
  const session = { id: v7(), userId, authType, application, remembered: rememberMe, warn, secondFactor, replaces }
  return await transaction(ctx, async (inner) => {
    // Sent together and run in this order. The first one locks the person's row, so the session is judged by its current state.
    const success = { userId, passwordChangedAt, deviceHash, isKnownDevice, counters, at: inner.now() }
    const saving = saveLoginSuccess(inner.db, success)
    const opening = openSsoSession(inner, { ...session, settings, details })
    const sessionId = replaces?.userId === userId ? opening.then((opened) => opened.session.id) : session.id
    const [isUnchanged, opened] = await Promise.all([
      saving,
      opening,
      recordSuccess(inner, attempt, user, { sessionId, details, said, secondFactor }),
      dormantSince && recordDormancyEnd(inner, userId, dormantSince),
    ])
    if (!isUnchanged) throw new StaleLoginError('password.changed')
    const { refusal } = opened.session
    if (isAccountDenial(refusal) || refusal === 'rule.refused') throw new StaleLoginError(refusal)
    if (replaces && replaces.userId !== userId) await endSsoSessions(inner, { ids: [replaces.id] }, 'replaced')
    await limitSessions(
      inner,
      settings.policy,
      { ...opened, isNew: opened.session.id === session.id },
      attempt.ends ?? [],
    )
    return opened
  })
}

/** @param about.sessionId the new session's id; a renewed session keeps its own */
async function recordSuccess(
  ctx: Context,
  attempt: LoginAttempt,
  { userId }: LoginUser,
  about: {
    sessionId: string | Promise<string>
    details: ClientDetails
    said: readonly SaidRule[]
    secondFactor: SecondFactor | null
  },
): Promise<void> {
  await recordLogin(ctx, {
    userId,
    account: attempt.account,
    authType: attempt.authType,
    succeeded: true,
    reason: null,
    applicationId: recordedApplication(attempt)?.id ?? null,
    ssoSessionId: await about.sessionId,
    secondFactor: about.secondFactor,
    details: about.details,
    said: about.said,
  })
}

/** Changed, frozen, locked … since the lookup. Rolls the transaction back; the failure is recorded afterwards. */
class StaleLoginError extends Error {
  readonly reason: AccountDenial | 'password.changed' | 'rule.refused'

  constructor(reason: StaleLoginError['reason']) {
    super(reason)
    this.reason = reason
  }
}

function refuseStaleLogin(ctx: Context, attempt: LoginAttempt, { reason }: StaleLoginError) {
  if (reason === 'rule.refused') return refuseByRule(ctx, attempt, { rule: null, said: [] })
  return reason === 'password.changed' ? refuseChangedPassword(ctx, attempt) : refuseAccount(ctx, attempt, reason)
}

const recordDormancyEnd = (ctx: Context, userId: string, dormantSince: Date) =>
  recordAudit(ctx, {
    action: 'account.wake',
    targetKind: 'user',
    targetId: userId,
    before: { dormantSince },
    after: { dormantSince: null },
    actor: userId,
  })
