import type { FastifyRequest } from 'fastify'
import { type Activation, ActivationRules, type ActivationStep } from '#shared/contract/activation.ts'
import { isSameSecret } from '../../platform/crypto.ts'
import type { Context, Platform } from '../../platform/platform.ts'
import { readSettings } from '../../platform/settings.ts'
import {
  accountFieldRules,
  customFields,
  expectedFormat,
  ownedFields,
  showCustomFields,
} from '../account-fields/index.ts'
import { findConfiguredChannels } from '../messages/index.ts'
import { browserIdOf } from '../sessions/index.ts'
import { errors } from './activation.errors.ts'
import {
  canTakeStep,
  contactTargets,
  maskTarget,
  type PlannedStep,
  planSteps,
  withFieldRules,
} from './activation-plan.rules.ts'
import { type ActivationUser, findActivationUser } from './activation-users.store.ts'
import { type Flow, findFlow, type StepResult, saveStep } from './flows.store.ts'
import { mayActivate } from './may-activate.rules.ts'
import { missingOf, type RequiredFields, requiredAtActivation } from './profile-step.rules.ts'

/** Long enough for a reload, a call to the help desk or a slow code; each step restarts it. */
export const FLOW_MINUTES = 30
/** Upper limit, however often steps are repeated. */
const MAX_FLOW_MINUTES = 120

/** The activation rules, with steps adapted to the field rules. */
export async function loadActivationRules(platform: Platform): Promise<ActivationRules> {
  const rules = await readSettings(platform, 'activation', ActivationRules)
  return { ...rules, steps: withFieldRules(rules.steps, await accountFieldRules(platform)) }
}

/** Fields that must be filled in before an account is activated and that people may fill in themselves. */
export const loadRequiredFields = async (platform: Platform): Promise<RequiredFields> =>
  requiredAtActivation(await accountFieldRules(platform), await customFields(platform))

/** An activation with its person and its steps. */
export type PendingActivation = {
  flow: Flow
  person: ActivationUser
  steps: PlannedStep[]
  /** Required fields without a value. */
  missing: RequiredFields
}

/** The activation of this browser, or null; including a completed one, so that a reload still shows it. */
export async function findPendingActivation(ctx: Context, browser: string | null): Promise<PendingActivation | null> {
  const rules = await loadActivationRules(ctx)
  const flow = browser === null ? null : await findFlow(ctx, browser, ctx.now())
  const person = flow && (await findActivationUser(ctx.db, flow.userId, ctx.now()))
  if (!flow || !person || !(rules.offered || flow.byCode)) return null
  const required = await loadRequiredFields(ctx)
  const owned = await ownedFields(ctx, flow.userId)
  const missing = missingOf(required, person, owned)
  const options = { rules, required, missing, owned, channels: await findConfiguredChannels(ctx) }
  return { flow, person, missing, steps: planSteps(options, person, flow) }
}

/**
 * Derived for each step from server secrets, so that it need not be stored: a reloaded page gets it again, and that of another browser,
 * person or step is invalid.
 */
const stepProof = (ctx: Platform, { id, browser, progress }: Flow): string =>
  ctx.secrets.mac(JSON.stringify(['activation proof', id, browser, progress])).toString('base64url')

export async function getActivationStatus(ctx: Context, browser: string | null): Promise<Activation> {
  const found = await findPendingActivation(ctx, browser)
  if (!found) throw errors['activation.expired']()
  const { flow, person, steps, missing } = found
  const targets = contactTargets(person, await findConfiguredChannels(ctx))
  return {
    id: flow.id,
    proof: stepProof(ctx, flow),
    account: person.account,
    name: person.name,
    secondsLeft: Math.max(0, Math.floor((flow.expiresAt.getTime() - ctx.now().getTime()) / 1000)),
    steps,
    targets: targets.map((target) => ({ channel: target.channel, masked: maskTarget(target) })),
    // Only after the identity is verified: which fields are missing is private.
    profile: canTakeStep(steps, 'profile') ? await describeMissing(ctx, missing) : null,
    isComplete: flow.completedAt !== null,
  }
}

/** What the form of the profile step needs. */
async function describeMissing(ctx: Context, { fields, custom }: RequiredFields): Promise<Activation['profile']> {
  const rules = await accountFieldRules(ctx)
  return {
    missing: fields.map((field) => ({ field, expected: expectedFormat(ctx, rules[field].format) })),
    missingCustom: showCustomFields(ctx, custom),
  }
}

/**
 * The activation that a call continues.
 * @throws Refusal `activation.expired`, `activation.out-of-step` (not the latest proof), `activation.over`.
 */
export async function requirePendingActivation(
  ctx: Context,
  request: FastifyRequest,
  proof: string,
): Promise<PendingActivation> {
  const found = await findPendingActivation(ctx, browserIdOf(ctx.config, request))
  if (!found) throw errors['activation.expired']()
  if (found.flow.completedAt || !isSameSecret(proof, stepProof(ctx, found.flow)))
    throw errors['activation.out-of-step']()
  // Frozen, disabled or activated elsewhere since the information check.
  if (!mayActivate(ctx, found.person)) throw errors['activation.over']()
  return found
}

/** As `requirePendingActivation`, for one step. @throws Refusal `activation.out-of-step` if another one is due. */
export async function requireStep(
  ctx: Context,
  request: FastifyRequest,
  proof: string,
  step: ActivationStep,
): Promise<PendingActivation> {
  const found = await requirePendingActivation(ctx, request, proof)
  if (!canTakeStep(found.steps, step)) throw errors['activation.out-of-step']()
  return found
}

/** Saves a step and returns the activation's new status. @throws Refusal `activation.out-of-step` if a parallel call was faster. */
export async function completeStep(
  ctx: Context,
  { flow }: PendingActivation,
  result: Omit<StepResult, 'expiresAt'>,
): Promise<Activation> {
  const now = ctx.now().getTime()
  const end = Math.min(now + FLOW_MINUTES * 60_000, flow.openedAt.getTime() + MAX_FLOW_MINUTES * 60_000)
  if (!(await saveStep(ctx, flow, { ...result, expiresAt: new Date(end) }))) throw errors['activation.out-of-step']()
  return await getActivationStatus(ctx, flow.browser)
}
