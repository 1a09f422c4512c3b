import { loginNamesOf } from '#shared/contract/account-fields.ts'
import type { SignInForm } from '#shared/contract/sign-in.ts'
import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { canonicalLoginName } from '#shared/rules/login-name.ts'
import { Refusal } from '../../platform/errors.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { accountFieldRules } from '../account-fields/index.ts'
import { type AttemptSlot, isBlocked, withAttemptSlot } from '../attempts/index.ts'
import { hashPassword, updatePasswordHash, verifyPassword, withHashAdmission } from '../passwords/index.ts'
import { browserIdOf, loadGateSettings, type SsoSession } from '../sessions/index.ts'
import type { LoginAttempt, LoginTarget } from './login-attempt.types.ts'
import {
  attemptKeys,
  countersOf,
  countFailedGuess,
  requireCaptcha,
  stateQuery,
  withGroups,
} from './login-failures.service.ts'
import { deviceHashOf, openLoginSession } from './login-session.service.ts'
import { requireLoginType } from './login-types.service.ts'
import { errors } from './sign-in.errors.ts'
import { type LoginState, loadLoginState, type PasswordUser } from './sign-in.store.ts'

/** Login type of account and password. */
const PASSWORD_AUTH_TYPE = 'user'

/**
 * Logs a person in with account and password.
 * @throws Refusal `sign-in.refused`, `sign-in.captcha-required`, `sign-in.captcha-wrong` (401, identical for every name; `data` is
 *   `SignInRefusalData`), `sign-in.type-off` (403, before anything is looked up), `service.busy` (503), and after a correct password those
 *   of `openLoginSession`.
 */
export async function signInByPassword(
  ctx: Context,
  exchange: Exchange,
  form: SignInForm,
  target: LoginTarget,
): Promise<SsoSession> {
  await requireLoginType(ctx, PASSWORD_AUTH_TYPE)
  return await withHashAdmission(() => verifyAndSignIn(ctx, exchange, form, target))
}

async function verifyAndSignIn(
  ctx: Context,
  exchange: Exchange,
  form: SignInForm,
  target: LoginTarget,
): Promise<SsoSession> {
  const { policy, rules } = await loadGateSettings(ctx)
  const canonical = canonicalLoginName(form.username)
  const keys = attemptKeys(ctx, canonical)
  const { rememberMe, warn } = form
  const attempt: LoginAttempt = {
    ...target,
    authType: PASSWORD_AUTH_TYPE,
    userId: null,
    account: form.username.trim(),
    rememberMe,
    warn,
  }
  const deviceHash = deviceHashOf(ctx, exchange, target)
  // PostgreSQL rejects NUL, and no name contains one.
  const name = canonical.includes('\0') ? '' : canonical
  const kinds = loginNamesOf(await accountFieldRules(ctx))
  const names = { canonical: name, kinds, browserKey: null }
  const loadState = () => loadLoginState(ctx.db, { ...names, ...stateQuery(ctx, policy, { keys, rules }), deviceHash })
  return await withAttemptSlot(loadState, slotOf(ctx, policy), async (state) => {
    await requireCaptcha(ctx, policy, state, { ...form, browser: browserIdOf(ctx.config, exchange.request), attempt })
    const isLocked = isBlocked(state.counter, ctx.now())
    const user = await verifyUser(ctx, form.password, state, { isLocked, name: keys.name })
    if (!user) {
      const reason = failureReason(state, isLocked)
      throw errors['sign-in.refused'](await countFailedGuess(ctx, attempt, { policy, keys, state, reason }))
    }
    const { userId, passwordChangedAt } = user
    const proven = { ...attempt, userId, passwordChangedAt, counters: countersOf(state, keys) }
    return await openLoginSession(ctx, exchange, proven, await withGroups(ctx, rules, user))
  })
}

/** A known device has a queue of its own, so that a stranger's attempts can't delay its owner. */
const slotOf =
  (ctx: Context, policy: SignInPolicy) =>
  ({ counter }: LoginState): AttemptSlot | null =>
    isBlocked(counter, ctx.now())
      ? null
      : { lane: counter.key.toString('base64'), free: policy.lockAfterFailures - counter.failures }

/** Nothing is verified during a lock-out, and an unknown name has nothing to verify: the same time is spent anyway. */
async function verifyUser(
  ctx: Context,
  password: string,
  { user }: LoginState,
  { isLocked, name }: { isLocked: boolean; name: Buffer },
): Promise<PasswordUser | null> {
  const hash = isLocked ? null : (user?.hash ?? null)
  const { right, outdated } = await verifyPassword(ctx, password, hash ?? { like: user?.hash ?? null, name })
  if (!right || !user || hash === null) return null
  if (outdated) await rehashPassword(ctx, password, user.userId, hash)
  return user
}

/** The password is in clear only now. When too many hashes are queued, the old one serves until the next login. */
async function rehashPassword(ctx: Context, password: string, userId: string, old: string): Promise<void> {
  try {
    await updatePasswordHash(ctx.db, userId, old, await hashPassword(ctx, password, 'person'))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

function failureReason({ user }: LoginState, isLocked: boolean): string {
  if (isLocked) return 'attempts.locked'
  if (!user) return 'name.unknown'
  return user.hash === null ? 'password.none' : 'password.wrong'
}
