import type { FastifyRequest } from 'fastify'
import type { Activation, ActivationStep } from '#shared/contract/activation.ts'
import type { SecurityAnswer } from '#shared/contract/security-questions.ts'
import { canonicalLoginName } from '#shared/rules/login-name.ts'
import type { Context } from '../../platform/platform.ts'
import { requireOwnEdit } from '../account-fields/index.ts'
import { findConfiguredChannels } from '../messages/index.ts'
import { type FindPasswordSubject, prepareNewPassword } from '../passwords/index.ts'
import { hashAnswers } from '../security-questions/index.ts'
import { browserIdOf } from '../sessions/index.ts'
import { findLoginNameOwner } from '../user-accounts/index.ts'
import { canonicalTarget, type FindRecipient, verifyCode } from '../verification-codes/index.ts'
import { errors } from './activation.errors.ts'
import {
  completeStep,
  findPendingActivation,
  type PendingActivation,
  requirePendingActivation,
  requireStep,
} from './activation.service.ts'
import { type ContactTarget, canTakeStep, contactTargets } from './activation-plan.rules.ts'

/** Without `target`, the contact on file, to verify the identity; with it, the contact to bind. */
export const findActivationRecipient: FindRecipient = async (ctx, { request }, { id, channel, target }) => {
  const found = await findPendingActivation(ctx, browserIdOf(ctx.config, request))
  if (!found || found.flow.id !== id || found.flow.completedAt) throw errors['activation.expired']()
  const step = target === null ? 'identity' : contactStep(channel)
  if (!canTakeStep(found.steps, step)) throw errors['activation.out-of-step']()
  const { userId } = found.flow
  if (target !== null) {
    const chosen = parseTarget(channel, target)
    await requireOwnEdit(ctx, contactStep(channel), chosen, userId)
    return { userId, target: chosen, isChosen: true, isStranger: true }
  }
  return { userId, target: await getTargetOnFile(ctx, found, channel), isStranger: true }
}

const contactStep = (channel: ContactTarget['channel']) =>
  channel === 'sms' ? ('phone' as const) : ('mailbox' as const)

function parseTarget(channel: ContactTarget['channel'], typed: string): string {
  const target = canonicalTarget({ channel, target: typed })
  if (target === null) throw errors[channel === 'sms' ? 'activation.no-phone' : 'activation.no-mailbox']()
  return target
}

async function getTargetOnFile(
  ctx: Context,
  { person }: PendingActivation,
  channel: ContactTarget['channel'],
): Promise<string> {
  const found = contactTargets(person, await findConfiguredChannels(ctx)).find((target) => target.channel === channel)
  if (!found) throw errors['activation.out-of-step']()
  return found.target
}

async function consumeStepCode(ctx: Context, { flow }: PendingActivation, target: string, code: string): Promise<void> {
  await verifyCode(ctx, { purpose: 'activation', userId: flow.userId, target, browser: flow.browser, code })
}

type WithProof<T> = { proof: string } & T

export async function proveIdentity(
  ctx: Context,
  request: FastifyRequest,
  { proof, channel, code }: WithProof<{ channel: ContactTarget['channel']; code: string }>,
): Promise<Activation> {
  const found = await requireStep(ctx, request, proof, 'identity')
  await consumeStepCode(ctx, found, await getTargetOnFile(ctx, found, channel), code)
  return await completeStep(ctx, found, { step: 'identity', state: 'done' })
}

/** Whose password the step sets. */
export const activationSubject: FindPasswordSubject<'activation'> = async (ctx, { request }, { proof }) =>
  (await requireStep(ctx, request, proof, 'password')).flow.userId

export async function choosePassword(
  ctx: Context,
  request: FastifyRequest,
  { proof, password }: WithProof<{ password: string }>,
): Promise<Activation> {
  const found = await requireStep(ctx, request, proof, 'password')
  const prepared = await prepareNewPassword(ctx, found.flow.userId, password)
  if (!prepared) throw errors['activation.over']()
  return await completeStep(ctx, found, { step: 'password', state: 'done', passwordHash: prepared.hash })
}

export async function answerQuestions(
  ctx: Context,
  request: FastifyRequest,
  { proof, answers }: WithProof<{ answers: readonly SecurityAnswer[] }>,
): Promise<Activation> {
  const found = await requireStep(ctx, request, proof, 'security-questions')
  return await completeStep(ctx, found, {
    step: 'security-questions',
    state: 'done',
    answers: await hashAnswers(ctx, answers),
  })
}

export async function bindTarget(
  ctx: Context,
  request: FastifyRequest,
  { proof, channel, typed, code }: WithProof<{ channel: ContactTarget['channel']; typed: string; code: string }>,
): Promise<Activation> {
  const step = contactStep(channel)
  const found = await requireStep(ctx, request, proof, step)
  const target = parseTarget(channel, typed)
  await requireOwnEdit(ctx, step, target, found.flow.userId)
  await consumeStepCode(ctx, found, target, code)
  // Only after the code: whoever doesn't hold the number must not learn that it is taken.
  const owner = await findLoginNameOwner(ctx.db, canonicalLoginName(target))
  if (owner !== null && owner !== found.flow.userId) throw errors[`activation.${step}-taken`]()
  return await completeStep(ctx, found, { step, state: 'done', [step]: target })
}

/** Clears what was saved of a step that is skipped later. */
const CLEARED_VALUES = {
  identity: {},
  password: { passwordHash: null },
  'security-questions': { answers: null },
  phone: { phone: null },
  mailbox: { mailbox: null },
  profile: { profile: null },
} as const

export async function skipStep(
  ctx: Context,
  request: FastifyRequest,
  { proof, step }: WithProof<{ step: ActivationStep }>,
): Promise<Activation> {
  const found = await requirePendingActivation(ctx, request, proof)
  if (!canTakeStep(found.steps, step)) throw errors['activation.out-of-step']()
  if (found.steps.some((planned) => planned.step === step && planned.need === 'required')) {
    throw errors['activation.step-required']()
  }
  return await completeStep(ctx, found, { step, state: 'skipped', ...CLEARED_VALUES[step] })
}
