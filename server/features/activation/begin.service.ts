import type { FastifyReply, FastifyRequest } from 'fastify'
import { v7 } from 'uuid'
import { activationFieldsOf } from '#shared/contract/account-fields.ts'
import type { Activation, ActivationRefusalData } from '#shared/contract/activation.ts'
import type { CaptchaKind } from '#shared/contract/captcha.ts'
import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { canonicalLoginName } from '#shared/rules/login-name.ts'
import type { Context } from '../../platform/platform.ts'
import { accountFieldRules, customFields } from '../account-fields/index.ts'
import {
  addressKey,
  addressMac,
  countFailure,
  isBlocked,
  isCaptchaDue,
  minutesToWait,
  windowStart,
  withAttemptSlot,
} from '../attempts/index.ts'
import { verifyCaptcha } from '../captcha/index.ts'
import { findConfiguredChannels } from '../messages/index.ts'
import { ensureBrowserId } from '../sessions/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { errors } from './activation.errors.ts'
import { FLOW_MINUTES, getActivationStatus, loadActivationRules } from './activation.service.ts'
import { contactTargets } from './activation-plan.rules.ts'
import { type ActivationAttempt, type ActivationUser, loadActivationAttempt } from './activation-users.store.ts'
import { upsertFlow } from './flows.store.ts'
import { compareInformation, type InformationFields } from './information-check.service.ts'
import { mayActivate } from './may-activate.rules.ts'

type InformationInput = {
  typed: InformationFields & { account: string }
  captchaId: string | undefined
  captcha: string | undefined
}
type CounterKeys = { name: Buffer; addressAndName: Buffer }

/**
 * The information check: whoever gives the data on file of an account to be activated continues, in this browser only. Every failure has
 * the same answer and duration, and counts; after too many, nothing is compared for a while.
 * @throws Refusal `activation.refused`, `activation.captcha-required|wrong`, `activation.not-offered`, `service.busy`.
 */
export async function startActivation(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  check: InformationInput,
): Promise<Activation> {
  const rules = await loadActivationRules(ctx)
  if (!rules.offered) throw errors['activation.not-offered']()
  const comparedFields = {
    fields: activationFieldsOf(await accountFieldRules(ctx)),
    custom: (await customFields(ctx)).filter(({ askAtActivation }) => askAtActivation),
  }
  const policy = await signInPolicy(ctx)
  // Read for every attempt, so that the response time is the same.
  const channels = await findConfiguredChannels(ctx)
  const browser = ensureBrowserId(ctx.config, request, reply)
  const canonical = canonicalLoginName(check.typed.account)
  const name = ctx.secrets.mac(`activation\n${canonical}`)
  const keys: CounterKeys = { name, addressAndName: addressKey(addressMac(ctx, ctx.client.ip), name) }
  const load = () => loadAttempt(ctx, policy, canonical, keys)
  const slotOf = ({ counter }: ActivationAttempt) =>
    isBlocked(counter, ctx.now())
      ? null
      : { lane: name.toString('base64'), free: policy.lockAfterFailures - counter.failures }
  const verified = await withAttemptSlot(load, slotOf, async (attempt) => {
    await requireCaptcha(ctx, policy, attempt, { ...check, browser })
    const { agrees, knowsSecret } = compareInformation(ctx, comparedFields, attempt.person, check.typed)
    const { person } = attempt
    // The account only lacks activation, and the identity is verified or can be in a later step.
    const isVerified =
      agrees &&
      person !== null &&
      mayActivate(ctx, person) &&
      (knowsSecret || contactTargets(person, channels).length > 0)
    if (!isVerified || isBlocked(attempt.counter, ctx.now()))
      return await countFailureAndRefuse(ctx, policy, attempt, keys)
    return { person, knowsSecret }
  })
  return await createActivation(ctx, browser, verified)
}

function loadAttempt(
  ctx: Context,
  policy: SignInPolicy,
  canonical: string,
  keys: CounterKeys,
): Promise<ActivationAttempt> {
  const now = ctx.now()
  return loadActivationAttempt(ctx.db, {
    // PostgreSQL rejects NUL, and no account contains one.
    canonical: canonical.includes('\0') ? '' : canonical,
    nameKey: keys.name,
    addressKey: keys.addressAndName,
    addressLimit: policy.addressFailures,
    since: windowStart(policy, now),
    now,
  })
}

type RiskCounters = Pick<ActivationAttempt, 'counter' | 'addressFailures'>

/** Only on risk, judged by failures of the typed account (existing or not) or of the address: it reveals nothing about an account. */
function requiredCaptcha(
  policy: SignInPolicy,
  { counter, addressFailures }: RiskCounters,
): { kind: CaptchaKind } | null {
  const isDue = isCaptchaDue(policy, 'activation', { failures: counter.failures, addressFailures })
  return isDue ? { kind: policy.captchaKind } : null
}

async function requireCaptcha(
  ctx: Context,
  policy: SignInPolicy,
  attempt: ActivationAttempt,
  { browser, captchaId, captcha }: InformationInput & { browser: string },
): Promise<void> {
  const demanded = requiredCaptcha(policy, attempt)
  if (!demanded) return
  const result = await verifyCaptcha(ctx, { purpose: 'activation', browser, captchaId, captcha })
  const data: ActivationRefusalData = { captcha: demanded }
  if (result === 'absent') throw errors['activation.captcha-required']({ data })
  if (result === 'wrong') throw errors['activation.captcha-wrong']({ data })
}

/** Counts the failure, committed before the one refusal that everybody gets. */
async function countFailureAndRefuse(
  ctx: Context,
  policy: SignInPolicy,
  attempt: ActivationAttempt,
  keys: CounterKeys,
): Promise<never> {
  const counter = await countFailure(ctx, policy, {
    kind: 'activation',
    key: keys.name,
    userId: attempt.person?.userId ?? null,
    addressKey: keys.addressAndName,
  })
  const data: ActivationRefusalData = {
    captcha: requiredCaptcha(policy, { counter, addressFailures: attempt.addressFailures + 1 }),
  }
  throw errors['activation.refused']({ params: { minutes: minutesToWait(policy, counter, ctx.now()) }, data })
}

type VerifiedUser = { person: ActivationUser; knowsSecret: boolean; byCode?: boolean }

/** Starts an activation in this browser for a verified person, replacing an earlier one. */
export async function createActivation(
  ctx: Context,
  browser: string,
  { person, knowsSecret, byCode = false }: VerifiedUser,
): Promise<Activation> {
  const openedAt = ctx.now()
  const expiresAt = new Date(openedAt.getTime() + FLOW_MINUTES * 60_000)
  const flow = { id: v7(), browser, userId: person.userId, knowsSecret, byCode, openedAt, expiresAt }
  await upsertFlow(ctx.db, flow)
  return await getActivationStatus(ctx, browser)
}
