import type { CodeSignInForm, SignInRefusalData } from '#shared/contract/sign-in.ts'
import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { canonicalLoginName } from '#shared/rules/login-name.ts'
import { Refusal } from '../../platform/errors.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { countFailure, isBlocked, windowStart } from '../attempts/index.ts'
import { spendCaptcha } from '../captcha/index.ts'
import { browserOf } from '../sessions/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { canonicalTarget, type FindAddressee, spendCode } from '../verification-codes/index.ts'
import { attemptKeys, captchaDemand } from './attempt-keys.ts'
import { requireLoginType } from './login-types.ts'
import { acceptSignIn, type SignedIn } from './sign-in.accept.ts'
import { errors } from './sign-in.errors.ts'
import { masked, recordFailure } from './sign-in.refuse.ts'
import { type Cleared, findBoundTo, findStanding, type Standing } from './sign-in.store.ts'
import type { Attempt } from './sign-in.trial.ts'

/** Login type of a code that was sent to a bound phone or mailbox. */
const CODE_TYPE = 'captcha'

type CodeAttempt = CodeSignInForm & Pick<Attempt, 'application' | 'replaces'>

/** One attempt with what every step of it needs. */
type CodeTrial = {
  attempt: CodeAttempt
  policy: SignInPolicy
  browser: string | null
  /** Null: what was typed can be neither a number nor a mailbox. */
  target: string | null
  cleared: Cleared
}

/** A number or mailbox as it is stored and compared; null when it is neither. */
function targetOf(typed: string): string | null {
  const name = canonicalLoginName(typed)
  const channel = name.includes('@') ? 'mail' : 'sms'
  const target = canonicalTarget({ channel, target: typed })
  // A name that only looks like a number to a generous eye is a name.
  return target !== null && canonicalLoginName(target) === name ? target : null
}

/**
 * Logs a person in with a code that was sent to their bound phone or mailbox, in this browser. A lock by failed passwords does not
 * reach here: whoever holds the phone is no stranger.
 * @throws Refusal `sign-in.code-refused`, `sign-in.captcha-required`, `sign-in.captcha-wrong` (401, alike for every target),
 *   `sign-in.type-off` (403), and after a right code those of `acceptSignIn`.
 */
export async function signInByCode(ctx: Context, exchange: Exchange, attempt: CodeAttempt): Promise<SignedIn> {
  await requireLoginType(ctx, CODE_TYPE)
  const policy = await signInPolicy(ctx)
  const browser = browserOf(ctx.config, exchange.request)
  const target = targetOf(attempt.username)
  const canonical = canonicalLoginName(attempt.username)
  const { addressAndName } = attemptKeys(ctx, canonical, null)
  // Each browser has failures of its own: a stranger's must not keep the holder of the phone out.
  const key = ctx.secrets.mac(JSON.stringify(['login by code', browser, canonical]))
  const cleared: Cleared = { kind: 'name', key, addressKey: addressAndName }
  const trial: CodeTrial = { attempt, policy, browser, target, cleared }
  const standing = await lookUp(ctx, trial)
  await passCaptcha(ctx, trial, standing)
  if (isBlocked(standing.counter, ctx.now()) || target === null) return await refuse(ctx, trial, standing)
  const userId = standing.person?.userId ?? null
  try {
    await spendCode(ctx, { purpose: 'login', userId, target, browser, code: attempt.code })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return await refuse(ctx, trial, standing)
  }
  if (userId === null) return await refuse(ctx, trial, standing)
  const { rememberMe, warn, application, replaces } = attempt
  const account = attempt.username.trim()
  const entrant = { userId, account, authType: CODE_TYPE, rememberMe, warn, application, replaces, cleared }
  return await acceptSignIn(ctx, exchange, entrant)
}

function lookUp(ctx: Context, { policy, target, cleared }: CodeTrial): Promise<Standing> {
  const now = ctx.now()
  return findStanding(ctx.db, {
    canonical: target ?? '',
    kinds: ['phone', 'mailbox'],
    deviceHash: null,
    nameKey: cleared.key,
    deviceKey: cleared.key,
    addressKey: cleared.addressKey,
    addressLimit: policy.addressFailures,
    since: windowStart(policy, now),
    now,
  })
}

async function passCaptcha(ctx: Context, { attempt, browser, policy }: CodeTrial, standing: Standing): Promise<void> {
  const demanded = captchaDemand(policy, standing)
  if (!demanded) return
  const { captchaId, captcha } = attempt
  const result = await spendCaptcha(ctx, { purpose: 'login', browser, captchaId, captcha })
  const data: SignInRefusalData = { captcha: demanded }
  if (result === 'absent') throw errors['sign-in.captcha-required']({ data })
  if (result === 'wrong') throw errors['sign-in.captcha-wrong']({ data })
}

/** Counts and records a failure, both committed before the one refusal that every target gets. @throws Refusal */
async function refuse(ctx: Context, trial: CodeTrial, standing: Standing): Promise<never> {
  const { attempt, policy, cleared } = trial
  const { kind, key, addressKey } = cleared
  // Without a person: a lock of this browser is none of the account.
  const counter = await countFailure(ctx, policy, { kind, key, userId: null, addressKey })
  const userId = standing.person?.userId ?? null
  const account = userId === null ? masked(attempt.username) : attempt.username.trim()
  const who = { userId, account, authType: CODE_TYPE, application: attempt.application }
  await recordFailure(ctx, who, userId === null ? 'name.unknown' : 'code.wrong')
  const next = { ...standing, counter, addressFailures: standing.addressFailures + 1 }
  const data: SignInRefusalData = { captcha: captchaDemand(policy, next) }
  throw errors['sign-in.code-refused']({ data })
}

/** To whom a code for a login goes: whoever has bound what was typed. Nobody may learn whether there is anyone. */
export const loginAddressee: FindAddressee = async (ctx, _exchange, { channel, target }) => {
  await requireLoginType(ctx, CODE_TYPE)
  const canonical = canonicalTarget({ channel, target })
  if (canonical === null) throw errors['sign-in.no-target']()
  const userId = await findBoundTo(ctx.db, canonical, ctx.now())
  return { userId, target: canonical, isStranger: true }
}
