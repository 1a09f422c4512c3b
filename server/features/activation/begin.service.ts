import type { FastifyReply, FastifyRequest } from 'fastify'
import { v7 } from 'uuid'
import type { Activation, ActivationRefusalData } from '#shared/contract/activation.ts'
import type { CaptchaKind } from '#shared/contract/captcha.ts'
import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { canonicalLoginName } from '#shared/rules/login-name.ts'
import type { Context } from '../../platform/platform.ts'
import { addressKey, addressMac, countFailure, inTurn, isBlocked, windowStart } from '../attempts/index.ts'
import { spendCaptcha } from '../captcha/index.ts'
import { channelsConfigured } from '../messages/index.ts'
import { bindBrowser } from '../sessions/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { errors } from './activation.errors.ts'
import { activationRules, FLOW_MINUTES, statusOf } from './activation.service.ts'
import { targetsOf } from './activation-plan.ts'
import { putFlow } from './flows.store.ts'
import { compare, type Typed } from './information-check.ts'
import { mayActivate } from './may-activate.ts'
import { findStanding, type Newcomer, type Standing } from './newcomers.store.ts'

type Check = { typed: Typed & { account: string }; captchaId: string | undefined; captcha: string | undefined }
type Keys = { name: Buffer; addressAndName: Buffer }

/**
 * The information check: who shows what is on file of somebody who has still to activate goes on, in this browser alone. Everything
 * else gets one answer, in one time, and counts; after too many of them nothing is compared for a while.
 * @throws Refusal `activation.refused`, `activation.captcha-required|wrong`, `activation.not-offered`, `service.busy`.
 */
export async function begin(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  check: Check,
): Promise<Activation> {
  const rules = await activationRules(ctx)
  if (!rules.offered) throw errors['activation.not-offered']()
  const policy = await signInPolicy(ctx)
  // Asked for everybody, so that the time is the same.
  const channels = await channelsConfigured(ctx)
  const browser = bindBrowser(ctx.config, request, reply)
  const canonical = canonicalLoginName(check.typed.account)
  const name = ctx.secrets.mac(`activation\n${canonical}`)
  const keys: Keys = { name, addressAndName: addressKey(addressMac(ctx, ctx.client.ip), name) }
  const look = () => lookUp(ctx, policy, canonical, keys)
  const placeOf = ({ counter }: Standing) =>
    isBlocked(counter, ctx.now())
      ? null
      : { lane: name.toString('base64'), free: policy.lockAfterFailures - counter.failures }
  const newcomer = await inTurn(look, placeOf, async (standing) => {
    await passCaptcha(ctx, policy, standing, { ...check, browser })
    const { agrees, knowsSecret } = compare(ctx, rules, standing.person, check.typed)
    const { person } = standing
    // Nothing but the missing activation keeps the account out, and who it is is shown or can still be proved.
    const mayGoOn =
      agrees && person !== null && mayActivate(ctx, person) && (knowsSecret || targetsOf(person, channels).length > 0)
    if (!mayGoOn || isBlocked(standing.counter, ctx.now())) return await refuse(ctx, policy, standing, keys)
    return { person, knowsSecret }
  })
  return await openActivation(ctx, browser, newcomer)
}

function lookUp(ctx: Context, policy: SignInPolicy, canonical: string, keys: Keys): Promise<Standing> {
  const now = ctx.now()
  return findStanding(ctx.db, {
    // PostgreSQL takes no NUL, and nobody's account has one.
    canonical: canonical.includes('\0') ? '' : canonical,
    nameKey: keys.name,
    addressKey: keys.addressAndName,
    addressLimit: policy.addressFailures,
    since: windowStart(policy, now),
    now,
  })
}

type Risk = Pick<Standing, 'counter' | 'addressFailures'>

/** On risk only, judged by failures of the typed account (known or not) or of the address: it says nothing of an account. */
function captchaDemand(policy: SignInPolicy, { counter, addressFailures }: Risk): { kind: CaptchaKind } | null {
  const isRisky = counter.failures >= policy.captchaAfterFailures || addressFailures >= policy.addressFailures
  return isRisky ? { kind: policy.captchaKind } : null
}

async function passCaptcha(
  ctx: Context,
  policy: SignInPolicy,
  standing: Standing,
  { browser, captchaId, captcha }: Check & { browser: string },
): Promise<void> {
  const demanded = captchaDemand(policy, standing)
  if (!demanded) return
  const result = await spendCaptcha(ctx, { purpose: 'activation', browser, captchaId, captcha })
  const data: ActivationRefusalData = { captcha: demanded }
  if (result === 'absent') throw errors['activation.captcha-required']({ data })
  if (result === 'wrong') throw errors['activation.captcha-wrong']({ data })
}

/** Counts, committed before the one refusal that everybody gets. */
async function refuse(ctx: Context, policy: SignInPolicy, standing: Standing, keys: Keys): Promise<never> {
  const counter = await countFailure(ctx, policy, {
    kind: 'activation',
    key: keys.name,
    userId: standing.person?.userId ?? null,
    addressKey: keys.addressAndName,
  })
  const data: ActivationRefusalData = {
    captcha: captchaDemand(policy, { counter, addressFailures: standing.addressFailures + 1 }),
  }
  throw errors['activation.refused']({ params: { minutes: policy.lockMinutes }, data })
}

type Accepted = { person: Newcomer; knowsSecret: boolean; byCode?: boolean }

/** Begins anew in this browser, for somebody who has shown enough. */
export async function openActivation(
  ctx: Context,
  browser: string,
  { person, knowsSecret, byCode = false }: Accepted,
): Promise<Activation> {
  const openedAt = ctx.now()
  const expiresAt = new Date(openedAt.getTime() + FLOW_MINUTES * 60_000)
  const begun = { id: v7(), browser, userId: person.userId, knowsSecret, byCode, openedAt, expiresAt }
  await putFlow(ctx.db, begun)
  return await statusOf(ctx, browser)
}
