import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignInRefusalData } from '#shared/contract/sign-in.ts'
import { canonicalLoginName } from '#shared/rules/login-name.ts'
import { sha256 } from '../../platform/crypto.ts'
import { Refusal } from '../../platform/errors.ts'
import type { Context } from '../../platform/platform.ts'
import { inTurn, isBlocked, type Place, windowStart } from '../attempts/index.ts'
import { spendCaptcha } from '../captcha/index.ts'
import { hashPassword, verifyPassword } from '../passwords/index.ts'
import { browserOf, deviceOf } from '../sessions/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { attemptKeys, captchaDemand } from './attempt-keys.ts'
import { acceptSignIn, type SignedIn } from './sign-in.accept.ts'
import { errors } from './sign-in.errors.ts'
import { refuse } from './sign-in.refuse.ts'
import { type Candidate, findStanding, renewHash, type Standing } from './sign-in.store.ts'
import { type Attempt, PASSWORD_TYPE, type Trial } from './sign-in.trial.ts'

/**
 * Logs a person in with account and password: opens the sign-on session, sets its cookie and the device's on `reply` (unless
 * `withoutBrowser`), and
 * commits the login record before it answers.
 * @throws Refusal `sign-in.refused`, `sign-in.captcha-required`, `sign-in.captcha-wrong` (401, alike for every name; `data` is
 *   `SignInRefusalData`), `sign-in.disabled|locked|frozen|inactive` (403, only after a right password), `service.busy` (503).
 */
export async function signIn(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  attempt: Attempt,
): Promise<SignedIn> {
  const policy = await signInPolicy(ctx)
  const device = attempt.withoutBrowser ? null : deviceOf(ctx.config, request)
  const canonical = canonicalLoginName(attempt.username)
  const keys = attemptKeys(ctx, canonical, device)
  const trial: Trial = { request, reply, attempt, policy, canonical, keys, device }
  const look = () => lookUp(ctx, trial)
  return await inTurn(look, placeIn(ctx, trial), async (standing) => {
    await passCaptcha(ctx, trial, standing)
    const { person } = standing
    // A lock by failures verifies nothing and an unknown name has nothing to verify: the time is spent all the same.
    const hash = isBlocked(standing.counter, ctx.now()) ? null : (person?.hash ?? null)
    const nothing = { like: person?.hash ?? null, name: keys.name }
    const { right, outdated } = await verifyPassword(ctx, attempt.password, hash ?? nothing)
    if (!right || !person || hash === null) return await refuse(ctx, trial, standing)
    if (outdated) await renewOutdated(ctx, attempt.password, person.userId, hash)
    return await accept(ctx, trial, person, standing.isKnownDevice)
  })
}

function accept(ctx: Context, trial: Trial, person: Candidate, isKnownDevice: boolean): Promise<SignedIn> {
  const { request, reply, attempt, keys } = trial
  const { rememberMe, warn, application, replaces, withoutBrowser = false } = attempt
  return acceptSignIn(
    ctx,
    { request, reply },
    {
      userId: person.userId,
      account: attempt.username.trim(),
      authType: PASSWORD_TYPE,
      rememberMe,
      warn,
      application,
      replaces,
      withoutBrowser,
      passwordChangedAt: person.passwordChangedAt,
      // A success makes up for the failures of its own way in: a stranger's failures keep counting against strangers.
      cleared: {
        kind: isKnownDevice ? 'device' : 'name',
        key: isKnownDevice ? keys.device : keys.name,
        addressKey: keys.addressAndName,
      },
    },
  )
}

/** Only now is the password at hand. When too many are waiting to be hashed, the old hash serves until the next login. */
async function renewOutdated(ctx: Context, password: string, userId: string, old: string): Promise<void> {
  try {
    await renewHash(ctx.db, userId, old, await hashPassword(ctx, password, 'person'))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

function lookUp(ctx: Context, { policy, canonical, keys, device }: Trial): Promise<Standing> {
  const now = ctx.now()
  return findStanding(ctx.db, {
    // PostgreSQL takes no NUL, and nobody's name has one.
    canonical: canonical.includes('\0') ? '' : canonical,
    kinds: policy.loginNames,
    deviceHash: device === null ? null : sha256(device),
    nameKey: keys.name,
    deviceKey: keys.device,
    addressKey: keys.addressAndName,
    addressLimit: policy.addressFailures,
    since: windowStart(policy, now),
    now,
  })
}

/** A known device queues by itself, so that a stranger's attempts can't hold its owner up. */
const placeIn =
  (ctx: Context, { policy, keys }: Trial) =>
  (standing: Standing): Place | null => {
    if (isBlocked(standing.counter, ctx.now())) return null
    const key = standing.isKnownDevice ? keys.device : keys.name
    return { lane: key.toString('base64'), free: policy.lockAfterFailures - standing.counter.failures }
  }

async function passCaptcha(ctx: Context, { request, attempt, policy }: Trial, standing: Standing): Promise<void> {
  const demanded = captchaDemand(policy, standing)
  if (!demanded) return
  const { captchaId, captcha } = attempt
  const browser = browserOf(ctx.config, request)
  const result = await spendCaptcha(ctx, { purpose: 'login', browser, captchaId, captcha })
  const data: SignInRefusalData = { captcha: demanded }
  if (result === 'absent') throw errors['sign-in.captcha-required']({ data })
  if (result === 'wrong') throw errors['sign-in.captcha-wrong']({ data })
}
