import type { RecoveryRules, RecoveryWay } from '#shared/contract/password-recovery.ts'
import { maskMailbox, maskPhone } from '#shared/rules/mask-contact.ts'
import { randomToken, sha256 } from '../../platform/crypto.ts'
import type { Context } from '../../platform/platform.ts'
import { errors } from './password-recovery.errors.ts'
import { findHolderById, type Holder, type Shape } from './password-recovery.store.ts'

/** From the first step on. */
export const FLOW_SECONDS = 30 * 60
const PROOF_SECONDS = 15 * 60

/** One recovery under way. What it says of a person is what was true when it began; whatever changes meanwhile ends it. */
export type Flow = {
  browser: string
  /** A keyed hash of what was typed: limits and invented answers go by it. */
  typed: string
  /** Null: nobody, which no answer may show. */
  userId: string | null
  phone: string | null
  mailbox: string | null
  ways: RecoveryWay[]
  questionsNeedCode: boolean
  passwordChangedAt: string | null
  appointedAt: string | null
}

const KIND = 'password-recovery'

/** @returns the id by which the flow is found again, in its own browser only. */
export async function openFlow(ctx: Context, flow: Flow): Promise<string> {
  const id = randomToken(32)
  await ctx.state.put(KIND, id, flow, FLOW_SECONDS)
  return id
}

/** @throws Refusal `password-recovery.expired` also for another browser's. */
export async function flowOf(ctx: Context, id: string, browser: string | null): Promise<Flow> {
  const flow = await ctx.state.peek<Flow>(KIND, id)
  if (!flow || flow.browser !== browser) throw errors['password-recovery.expired']()
  // Asked for nobody too, so that it takes as long.
  const now = await findHolderById(ctx.db, flow.userId ?? NOBODY, ctx.now())
  if (flow.userId !== null && !isUnchanged(flow, now)) throw errors['password-recovery.expired']()
  return flow
}

const NOBODY = '00000000-0000-0000-0000-000000000000'

/** A phone that has another owner since, a password that was set since, something to administer: what was begun is worth nothing any more. */
export const isUnchanged = (flow: Omit<Flow, 'ways'>, now: Holder | null): now is Holder =>
  now !== null &&
  now.phone === flow.phone &&
  now.mailbox === flow.mailbox &&
  now.passwordChangedAt === flow.passwordChangedAt &&
  now.appointedAt === flow.appointedAt

/** What a step proves to the next. `stage` `answers`: a code has still to follow. */
export type Proof = { flowId: string; stage: 'answers' | 'password'; way: RecoveryWay }

const PROOF_KIND = 'password-recovery-proof'

export async function giveProof(ctx: Context, proof: Proof): Promise<string> {
  const token = randomToken(43)
  await ctx.state.put(PROOF_KIND, token, sealed(proof), PROOF_SECONDS)
  return token
}

/** The id of the flow is as good as a cookie, so it is kept as a hash. */
const sealed = (proof: Proof): Proof => ({ ...proof, flowId: sha256(proof.flowId).toString('base64url') })

const isSame = (given: Proof | null, wanted: Proof): boolean =>
  given !== null && given.flowId === sealed(wanted).flowId && given.stage === wanted.stage && given.way === wanted.way

/** @throws Refusal `password-recovery.expired` */
export async function requireProof(ctx: Context, token: string, wanted: Proof): Promise<void> {
  if (!isSame(await ctx.state.peek<Proof>(PROOF_KIND, token), wanted)) throw errors['password-recovery.expired']()
}

/** Uses the proof up: of parallel callers one gets through. @throws Refusal `password-recovery.expired` */
export async function takeProof(ctx: Context, token: string, wanted: Proof): Promise<void> {
  if (!isSame(await ctx.state.take<Proof>(PROOF_KIND, token), wanted)) throw errors['password-recovery.expired']()
}

type Gateways = { sms: boolean; mail: boolean }

/** The ways that somebody of this shape has, of those that the institution allows and can send through. */
export function waysOf(rules: RecoveryRules, gateways: Gateways, { phone, mailbox, hasAnswers }: Shape) {
  const byCode: RecoveryWay[] = []
  if (phone !== null && gateways.sms) byCode.push('phone')
  if (mailbox !== null && gateways.mail) byCode.push('mailbox')
  const isBound = phone !== null || mailbox !== null
  const questionsNeedCode = rules.questions === 'with-code' && isBound
  // A code that can't be sent is no reason to do without it.
  const byAnswers = rules.questions !== 'off' && hasAnswers && (!questionsNeedCode || byCode.length > 0)
  return { ways: byAnswers ? [...byCode, 'questions' as const] : byCode, questionsNeedCode }
}

export function hintOf(way: RecoveryWay, { phone, mailbox }: Pick<Flow, 'phone' | 'mailbox'>): string {
  if (way === 'phone') return maskPhone(phone ?? '')
  return way === 'mailbox' ? maskMailbox(mailbox ?? '') : ''
}
