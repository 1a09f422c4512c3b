import type { FastifyRequest } from 'fastify'
import { type Activation, ActivationRules, type ActivationStep } from '#shared/contract/activation.ts'
import { sameSecret } from '../../platform/crypto.ts'
import type { Context, Platform } from '../../platform/platform.ts'
import { readSettings } from '../../platform/settings.ts'
import { channelsConfigured } from '../messages/index.ts'
import { browserOf } from '../sessions/index.ts'
import { errors } from './activation.errors.ts'
import { masked, mayTake, type PlannedStep, planSteps, targetsOf } from './activation-plan.ts'
import { type Flow, findFlow, saveStep, type Taken } from './flows.store.ts'
import { mayActivate } from './may-activate.ts'
import { findNewcomer, type Newcomer } from './newcomers.store.ts'

/** For a reload, a call to the help desk, a code that takes its time; each step begins it anew. */
export const FLOW_MINUTES = 30
/** However many steps are taken again. */
const LONGEST_MINUTES = 120

export const activationRules = (platform: Platform): Promise<ActivationRules> =>
  readSettings(platform, 'activation', ActivationRules)

/** One activation with whom it is for and what is left to do. */
export type Underway = { flow: Flow; person: Newcomer; steps: PlannedStep[] }

/** What this browser has begun, or null; also one that is complete, so that a reload still says so. */
export async function underway(ctx: Context, browser: string | null): Promise<Underway | null> {
  const rules = await activationRules(ctx)
  const flow = browser === null ? null : await findFlow(ctx, browser, ctx.now())
  const person = flow && (await findNewcomer(ctx.db, flow.userId, ctx.now()))
  if (!flow || !person || !(rules.offered || flow.byCode)) return null
  const ways = { rules, channels: await channelsConfigured(ctx) }
  return { flow, person, steps: planSteps(ways, person, flow) }
}

/**
 * Made anew for each step from what only the server knows, so that it need not be kept anywhere: a page that is reloaded gets it
 * again, one of another browser, person or step is worth nothing.
 */
const proofOf = (ctx: Platform, { id, browser, progress }: Flow): string =>
  ctx.secrets.mac(JSON.stringify(['activation proof', id, browser, progress])).toString('base64url')

export async function statusOf(ctx: Context, browser: string | null): Promise<Activation> {
  const found = await underway(ctx, browser)
  if (!found) throw errors['activation.expired']()
  const { flow, person, steps } = found
  const targets = targetsOf(person, await channelsConfigured(ctx))
  return {
    id: flow.id,
    proof: proofOf(ctx, flow),
    account: person.account,
    name: person.name,
    secondsLeft: Math.max(0, Math.floor((flow.expiresAt.getTime() - ctx.now().getTime()) / 1000)),
    steps,
    targets: targets.map((target) => ({ channel: target.channel, masked: masked(target) })),
    isComplete: flow.completedAt !== null,
  }
}

/**
 * The activation that a call goes on with.
 * @throws Refusal `activation.expired`, `activation.out-of-step` (another proof than the newest), `activation.over`.
 */
export async function goOn(ctx: Context, request: FastifyRequest, proof: string): Promise<Underway> {
  const found = await underway(ctx, browserOf(ctx.config, request))
  if (!found) throw errors['activation.expired']()
  if (found.flow.completedAt || !sameSecret(proof, proofOf(ctx, found.flow))) throw errors['activation.out-of-step']()
  // Frozen, disabled, activated elsewhere since the information check.
  if (!mayActivate(ctx, found.person)) throw errors['activation.over']()
  return found
}

/** As `goOn`, for one step. @throws Refusal `activation.out-of-step` when another one is due. */
export async function goOnWith(
  ctx: Context,
  request: FastifyRequest,
  proof: string,
  step: ActivationStep,
): Promise<Underway> {
  const found = await goOn(ctx, request, proof)
  if (!mayTake(found.steps, step)) throw errors['activation.out-of-step']()
  return found
}

/** Notes a step and answers how the activation stands now. @throws Refusal `activation.out-of-step` when another call was faster. */
export async function take(ctx: Context, { flow }: Underway, taken: Omit<Taken, 'expiresAt'>): Promise<Activation> {
  const now = ctx.now().getTime()
  const end = Math.min(now + FLOW_MINUTES * 60_000, flow.openedAt.getTime() + LONGEST_MINUTES * 60_000)
  if (!(await saveStep(ctx, flow, { ...taken, expiresAt: new Date(end) }))) throw errors['activation.out-of-step']()
  return await statusOf(ctx, flow.browser)
}
