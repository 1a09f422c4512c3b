import type { CodeSignInForm } from '#shared/contract/sign-in.ts'
import { canonicalLoginName } from '#shared/rules/login-name.ts'
import { Refusal } from '../../platform/errors.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { isBlocked } from '../attempts/index.ts'
import { browserIdOf, loadGateSettings, type SsoSession } from '../sessions/index.ts'
import { canonicalTarget, type FindRecipient, verifyCode } from '../verification-codes/index.ts'
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
import { findUserIdByContact, loadLoginState } from './sign-in.store.ts'

/** Login type of a code that was sent to a bound phone or mailbox. */
const CODE_AUTH_TYPE = 'captcha'

/** A phone number or mailbox as it is stored and compared; null when it is neither. */
function parseTarget(typed: string): string | null {
  const name = canonicalLoginName(typed)
  const channel = name.includes('@') ? 'mail' : 'sms'
  const target = canonicalTarget({ channel, target: typed })
  // A name that a lenient parser takes for a number is still a name.
  return target !== null && canonicalLoginName(target) === name ? target : null
}

/**
 * Logs a person in with a code that was sent to their bound phone or mailbox, in this browser. A lock-out by failed passwords does not
 * apply: whoever holds the phone is no stranger.
 * @throws Refusal `sign-in.code-refused`, `sign-in.captcha-required`, `sign-in.captcha-wrong` (401, identical for every target),
 *   `sign-in.type-off` (403), and after a correct code those of `openLoginSession`.
 */
export async function signInByCode(
  ctx: Context,
  exchange: Exchange,
  form: CodeSignInForm,
  target: LoginTarget,
): Promise<SsoSession> {
  await requireLoginType(ctx, CODE_AUTH_TYPE)
  const { policy, rules } = await loadGateSettings(ctx)
  const browser = browserIdOf(ctx.config, exchange.request)
  const contact = parseTarget(form.username)
  const keys = attemptKeys(ctx, canonicalLoginName(form.username))
  const { rememberMe, warn } = form
  const attempt: LoginAttempt = {
    ...target,
    authType: CODE_AUTH_TYPE,
    userId: null,
    account: form.username.trim(),
    rememberMe,
    warn,
  }
  const state = await loadLoginState(ctx.db, {
    ...stateQuery(ctx, policy, { keys, rules }),
    canonical: contact ?? '',
    kinds: ['phone', 'mailbox'],
    deviceHash: deviceHashOf(ctx, exchange, target),
    // Failures count per browser: a stranger's must not keep the holder of the phone out.
    browserKey: ctx.secrets.mac(`login by code\n${browser ?? ''}`),
  })
  await requireCaptcha(ctx, policy, state, { ...form, browser, attempt })
  const { user } = state
  const isTried = contact !== null && !isBlocked(state.counter, ctx.now())
  const binding = { purpose: 'login', userId: user?.userId ?? null, target: contact ?? '', browser } as const
  if (!isTried || !(await isRightCode(ctx, { ...binding, code: form.code })) || !user) {
    const reason = user ? 'code.wrong' : 'name.unknown'
    throw errors['sign-in.code-refused'](await countFailedGuess(ctx, attempt, { policy, keys, state, reason }))
  }
  const proven = { ...attempt, userId: user.userId, counters: countersOf(state, keys) }
  return await openLoginSession(ctx, exchange, proven, await withGroups(ctx, rules, user))
}

/** Consumes the code. */
async function isRightCode(ctx: Context, input: Parameters<typeof verifyCode>[1]): Promise<boolean> {
  try {
    await verifyCode(ctx, input)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** The recipient of a login code: whoever has bound what was typed. Must not reveal whether there is one. */
export const findLoginRecipient: FindRecipient = async (ctx, _exchange, { channel, target }) => {
  await requireLoginType(ctx, CODE_AUTH_TYPE)
  const canonical = canonicalTarget({ channel, target })
  if (canonical === null) throw errors['sign-in.no-target']()
  const userId = await findUserIdByContact(ctx.db, canonical, ctx.now())
  return { userId, target: canonical, isStranger: true }
}
