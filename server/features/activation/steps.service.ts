import type { FastifyRequest } from 'fastify'
import type { Activation, ActivationStep } from '#shared/contract/activation.ts'
import type { SecurityAnswer } from '#shared/contract/security-questions.ts'
import { canonicalLoginName } from '#shared/rules/login-name.ts'
import type { Context } from '../../platform/platform.ts'
import { channelsConfigured } from '../messages/index.ts'
import { prepareNewPassword } from '../passwords/index.ts'
import { hashAnswers } from '../security-questions/index.ts'
import { browserOf } from '../sessions/index.ts'
import { canonicalTarget, type FindAddressee, spendCode } from '../verification-codes/index.ts'
import { errors } from './activation.errors.ts'
import { goOn, goOnWith, take, type Underway, underway } from './activation.service.ts'
import { mayTake, type Target, targetsOf } from './activation-plan.ts'
import { ownerOf } from './newcomers.store.ts'

/** Without a target: the one on file, for the identity. With one: what is to be bound. */
export const activationAddressee: FindAddressee = async (ctx, { request }, { id, channel, target }) => {
  const found = await underway(ctx, browserOf(ctx.config, request))
  if (!found || found.flow.id !== id || found.flow.completedAt) throw errors['activation.expired']()
  const step = target === null ? 'identity' : stepOf(channel)
  if (!mayTake(found.steps, step)) throw errors['activation.out-of-step']()
  const { userId } = found.flow
  if (target !== null) return { userId, target: readTarget(channel, target), isChosen: true, isStranger: true }
  return { userId, target: await targetOnFile(ctx, found, channel), isStranger: true }
}

const stepOf = (channel: Target['channel']) => (channel === 'sms' ? ('phone' as const) : ('mailbox' as const))

function readTarget(channel: Target['channel'], typed: string): string {
  const target = canonicalTarget({ channel, target: typed })
  if (target === null) throw errors[channel === 'sms' ? 'activation.no-phone' : 'activation.no-mailbox']()
  return target
}

async function targetOnFile(ctx: Context, { person }: Underway, channel: Target['channel']): Promise<string> {
  const found = targetsOf(person, await channelsConfigured(ctx)).find((target) => target.channel === channel)
  if (!found) throw errors['activation.out-of-step']()
  return found.target
}

async function spend(ctx: Context, { flow }: Underway, target: string, code: string): Promise<void> {
  await spendCode(ctx, { purpose: 'activation', userId: flow.userId, target, browser: flow.browser, code })
}

type Called<T> = { proof: string } & T

export async function proveIdentity(
  ctx: Context,
  request: FastifyRequest,
  { proof, channel, code }: Called<{ channel: Target['channel']; code: string }>,
): Promise<Activation> {
  const found = await goOnWith(ctx, request, proof, 'identity')
  await spend(ctx, found, await targetOnFile(ctx, found, channel), code)
  return await take(ctx, found, { step: 'identity', state: 'done' })
}

export async function choosePassword(
  ctx: Context,
  request: FastifyRequest,
  { proof, password }: Called<{ password: string }>,
): Promise<Activation> {
  const found = await goOnWith(ctx, request, proof, 'password')
  const prepared = await prepareNewPassword(ctx, found.flow.userId, password)
  if (!prepared) throw errors['activation.over']()
  return await take(ctx, found, { step: 'password', state: 'done', passwordHash: prepared.hash })
}

export async function answerQuestions(
  ctx: Context,
  request: FastifyRequest,
  { proof, answers }: Called<{ answers: readonly SecurityAnswer[] }>,
): Promise<Activation> {
  const found = await goOnWith(ctx, request, proof, 'security-questions')
  return await take(ctx, found, { step: 'security-questions', state: 'done', answers: await hashAnswers(ctx, answers) })
}

export async function bindTarget(
  ctx: Context,
  request: FastifyRequest,
  { proof, channel, typed, code }: Called<{ channel: Target['channel']; typed: string; code: string }>,
): Promise<Activation> {
  const step = stepOf(channel)
  const found = await goOnWith(ctx, request, proof, step)
  const target = readTarget(channel, typed)
  await spend(ctx, found, target, code)
  // Only now: who doesn't hold the number is not told that it is somebody's.
  const owner = await ownerOf(ctx.db, canonicalLoginName(target))
  if (owner !== null && owner !== found.flow.userId) throw errors[`activation.${step}-taken`]()
  return await take(ctx, found, { step, state: 'done', [step]: target })
}

/** What was kept of a step that is left out after all is forgotten. */
const NOTHING = {
  identity: {},
  password: { passwordHash: null },
  'security-questions': { answers: null },
  phone: { phone: null },
  mailbox: { mailbox: null },
} as const

export async function skip(
  ctx: Context,
  request: FastifyRequest,
  { proof, step }: Called<{ step: ActivationStep }>,
): Promise<Activation> {
  const found = await goOn(ctx, request, proof)
  if (!mayTake(found.steps, step)) throw errors['activation.out-of-step']()
  if (found.steps.some((planned) => planned.step === step && planned.need === 'required')) {
    throw errors['activation.step-required']()
  }
  return await take(ctx, found, { step, state: 'skipped', ...NOTHING[step] })
}
